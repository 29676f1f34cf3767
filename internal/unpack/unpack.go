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
// Most callers make a [Client], and call its Find, Open and Peek with the words that the user
// typed. The archive may be local, on the network or standard input.
//
// Members that are stored as they are (in .tar, and without a method in .zip) are read in place, at
// any offset, so of an archive on the network only the needed bytes are fetched. Anything else is
// unpacked as a stream to a temporary file without a name, which several users share.
// Client.MaxBytes bounds the unpacked size of a file, with all its members and layers together;
// sizes in headers are not relied upon, and no memory is taken for them.
package unpack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/storage"
)

// A Client is a storage.Client that looks into compressed files and archives. It may be used by
// several goroutines.
type Client struct {
	*storage.Client
	// MaxBytes is how many bytes one file may unpack to: itself, all its members, and files in them,
	// where each member counts as 64 KiB or more. 0 means 1 GiB or 1100 times the size of the file,
	// whichever is more, and 64 GiB for a single member.
	MaxBytes int64

	files   files
	budgets sync.Map // of files, by their locations
	failed  sync.Map // errors of locations that Find could not open, each for its next opener
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

// Place returns the place of the bytes that Open gives: in the file at a location, from an offset
// on. Members of archives that are stored without compression have a place in the archive; it is an
// error if the file at the location has to be unpacked.
func (c *Client) Place(ctx context.Context, location string) (file string, offset int64, err error) {
	if location == storage.Stdin {
		return "", 0, located(location, errors.New("it is no file that can be read again"))
	}
	n, err := c.node(ctx, location)
	if err != nil {
		return "", 0, err
	}
	defer n.close()
	if _, err := n.only(ctx); err != nil {
		return "", 0, located(location, err)
	}
	if n.packed != "" {
		return "", 0, located(location, fmt.Errorf("%s: its unpacked bytes have no place in a file; unpack it first", n.packed))
	}
	file, _, _ = Split(location)
	return file, n.base, nil
}

// PackedSize returns the size of the opened file at a location before unpacking; 0 if it is not
// known. For a member of an archive it is the size of the archive.
func (c *Client) PackedSize(location string) int64 {
	outer, _, _ := Split(location)
	if b, ok := c.budgets.Load(outer); ok {
		return b.(*budget).size.Load()
	}
	return 0
}

// Peek returns the first bytes of the file that Open opens, at most limit, without unpacking the
// rest. For an archive with several members these are the first bytes of the archive.
func (c *Client) Peek(ctx context.Context, location string, limit int) ([]byte, error) {
	if location == storage.Stdin {
		if head, ok, err := c.peekStdin(ctx, limit); ok || err != nil {
			return head, err
		}
	}
	ctx = storage.Glance(ctx)
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

// errDepth is the error of a file in too many layers.
var errDepth = fmt.Errorf("more than %d layers of compression and archives: unpack the outer ones first", maxDepth)

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

// OpenExternal is [storage.Client.OpenExternal]. Members of archives have no folder to look in.
func (c *Client) OpenExternal(ctx context.Context, input, name string) (location string, _ storage.Blob, _ error) {
	if archive, _, ok := Split(input); ok && c.External {
		return "", nil, fmt.Errorf("other files are not read for a member of an archive: unpack %s first", storage.Display(archive))
	}
	return c.Client.OpenExternal(ctx, input, name)
}
