// Package unpack opens compressed files and members of archives as package storage opens files. It
// recognises formats by the content, never by the name, and does not interpret the data.
//
//	forecast.grib2.gz            gzip, zstd and bzip2: the file that is compressed
//	day.zip::t2m.nc              a member of a .zip or .tar archive
//	day.tar.gz::fields/*.grib2   the members that a pattern matches
//	day.zip::fields/             the members below a folder
//	day.zip                      all members of the archive
//	all.tar::day.zip::t2m.nc     a member of an archive in an archive
//
// Most callers make a [Client], and call its Find, Open and Peek with what the user typed. The
// archive may be local, on the network or standard input.
//
// Members that are stored as they are (in .tar, and without a method in .zip) are read in place, at
// any offset, so of an archive on the network only what is needed is fetched. Anything else is
// unpacked as a stream to a temporary file without a name, which several users share.
// Client.MaxBytes bounds the size of that file; sizes in headers are not relied upon, and no memory
// is taken for them.
package unpack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/storage"
)

const (
	// FreeBytes is the size that an unpacked file may have regardless of the size of its source.
	FreeBytes = 1 << 30
	// Expansion is how many times larger than its source an unpacked file of more than FreeBytes
	// may be; deflate reaches 1032.
	Expansion = 1100
	// MaxBytes is the largest size of an unpacked file, unless Client.MaxBytes says otherwise.
	MaxBytes = 64 << 30
	// maxDepth is how many times a file may be compressed or put in an archive.
	maxDepth = 6
)

// A Client is a storage.Client that looks into compressed files and archives. It may be used by
// several goroutines.
type Client struct {
	*storage.Client
	// MaxBytes is the largest size of an unpacked file. 0 means 1 GiB or 1100 times the size of the
	// compressed file, whichever is more, but at most 64 GiB.
	MaxBytes int64

	files  files
	failed sync.Map // errors of locations that Find could not open, each for who opens it next
}

// NewClient returns a client that opens the compressed files and archives with c.
func NewClient(c *storage.Client) *Client { return &Client{Client: c} }

// Open opens the file at a location, unpacked. An archive must have one member, or the location
// must name it. Errors begin with the location.
func (c *Client) Open(ctx context.Context, location string) (storage.Blob, error) {
	n, err := c.node(ctx, location)
	if err != nil {
		return nil, err
	}
	defer n.close()
	blob, err := n.unpacked(ctx)
	if err != nil {
		return nil, located(location, err)
	}
	return blob, nil
}

// Peek returns the first bytes of the file that Open opens, at most limit, without unpacking the
// rest. For an archive with several members these are the first bytes of the archive.
func (c *Client) Peek(ctx context.Context, location string, limit int) ([]byte, error) {
	if location == storage.Stdin {
		if head, ok, err := c.peekStdin(ctx, limit); ok || err != nil {
			return head, err
		}
	}
	n, err := c.node(ctx, location)
	if err != nil {
		return nil, err
	}
	defer n.close()
	head, err := n.peek(ctx, limit)
	if err != nil {
		return nil, located(location, err)
	}
	return head, nil
}

// Close releases connections and temporary files. No blob may be in use.
func (c *Client) Close() error {
	c.files.close()
	return c.Client.Close()
}

// limit is how large a file that unpacks from size bytes may become.
func (c *Client) limit(size int64) int64 {
	if c.MaxBytes > 0 {
		return c.MaxBytes
	}
	return min(MaxBytes, max(FreeBytes, Expansion*min(size, MaxBytes/Expansion)))
}

// A TooLargeError reports a file that unpacks to more than the limit.
type TooLargeError struct{ Limit int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("unpacks to more than %d bytes, the limit for a file of its size", e.Limit)
}

// errDepth is the error of a file in too many layers.
var errDepth = fmt.Errorf("more than %d layers of compression and archives", maxDepth)

// located puts a location before an error.
func located(location string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &storage.LocationError{Location: location, Err: err}
}

// readHead reads up to limit bytes of r. Its end is no error.
func readHead(r io.Reader, limit int) ([]byte, error) {
	head := make([]byte, limit)
	n, err := io.ReadFull(r, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:n], err
}
