package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/internal/beside"
	"github.com/tgmconv/tgmconv/internal/disk"
)

// ErrExternal is the error of [Client.OpenExternal] where [Client.External] is not set.
var ErrExternal = errors.New("other files than the inputs are read only with --external")

// errNotLocal is the error for an input without a folder to look in.
var errNotLocal = errors.New("other files are not read of a web server or an object store: download them into one folder first")

// OpenExternal opens the file that the input at a location refers to by name. The name is a
// slash-separated path, absolute or relative to the folder of the input, or an address. The file must
// lie in that folder or below it, or in or below one of [Client.ExternalFrom], and neither be hidden
// nor lie below a hidden folder. [Client.External] must be set. The location of the file is also
// returned where it does not exist.
func (c *Client) OpenExternal(ctx context.Context, input, name string) (location string, _ Blob, _ error) {
	if !c.External {
		return "", nil, ErrExternal
	}
	if IsRemote(name) {
		return c.openAddress(ctx, input, name)
	}
	f, location, err := c.openBeside(input, LocalPath(name))
	if err != nil {
		return location, nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return location, nil, withoutPath(err)
	}
	blob, err := c.Sources.add(ctx, location, newLocalBlob(disk.Of(f), st))
	return location, blob, err
}

// openBeside opens a file in the folder of an input, or in another that is allowed.
func (c *Client) openBeside(input, name string) (f *os.File, location string, err error) {
	err = errNotLocal
	if path := LocalPath(input); path != "" {
		folder, rel := filepath.Dir(path), ""
		if f, rel, err = beside.Open(folder, name); rel != "" {
			location = filepath.Join(folder, rel)
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(folder, filepath.FromSlash(name))
		}
	}
	if err == nil || !errors.Is(err, beside.ErrOutside) && !errors.Is(err, errNotLocal) {
		return f, location, withoutPath(err)
	}
	for _, folder := range c.ExternalFrom {
		path := LocalPath(folder)
		if path == "" {
			continue
		}
		absolute, absErr := filepath.Abs(name)
		if absErr != nil {
			return nil, location, withoutPath(absErr)
		}
		f, rel, otherErr := beside.Open(path, absolute)
		if errors.Is(otherErr, beside.ErrOutside) {
			continue
		}
		if rel != "" {
			location = filepath.Join(path, rel)
		}
		return f, location, withoutPath(otherErr)
	}
	if err = withoutPath(err); errors.Is(err, beside.ErrOutside) {
		err = fmt.Errorf("%w: allow its folder with --external=FOLDER", err)
	}
	return nil, location, err
}

// errElsewhere is the error for an address that is not allowed.
var errElsewhere = errors.New("it is not below the address of the input: allow its folder with --external=ADDRESS")

// openAddress opens a file on a server.
func (c *Client) openAddress(ctx context.Context, input, address string) (string, Blob, error) {
	allowed := IsRemote(input) && isBelow(folderOf(input), address)
	for _, folder := range c.ExternalFrom {
		allowed = allowed || IsRemote(folder) && isBelow(folder, address)
	}
	if !allowed {
		return address, nil, errElsewhere
	}
	blob, err := c.Open(ctx, address)
	if err == nil && FolderOf(blob) != nil {
		blob.Close()
		return address, nil, errIsFolder
	}
	var at *LocationError
	if errors.As(err, &at) { // who asks names it
		err = at.Err
	}
	return address, blob, err
}

// folderOf is the address of the folder that an address lies in.
func folderOf(address string) string {
	begin, rest, _ := strings.Cut(address, "://")
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	rest = strings.TrimSuffix(rest, "/")
	if slash := strings.LastIndexByte(rest, '/'); slash >= 0 {
		rest = rest[:slash]
	}
	return begin + "://" + rest
}

// isBelow reports whether an address is the address of a folder or lies below it. It then has the same
// scheme and host, with no segment that leads elsewhere, as a server may read it.
func isBelow(folder, address string) bool {
	if scheme(folder) != scheme(address) {
		return false
	}
	_, folder, _ = strings.Cut(folder, "://")
	_, address, _ = strings.Cut(address, "://")
	host, within, _ := strings.Cut(folder, "/")
	otherHost, path, _ := strings.Cut(address, "/")
	if !strings.EqualFold(host, otherHost) || host == "" {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		segment, _, _ = strings.Cut(segment, "?")
		plain, err := url.PathUnescape(segment)
		if err != nil {
			plain = segment
		}
		if plain == "." || plain == ".." || strings.ContainsAny(plain, "/\\") {
			return false
		}
	}
	within = strings.TrimSuffix(within, "/")
	return within == "" || path == within || strings.HasPrefix(path, within+"/")
}

// withoutPath is an error without the path that it is about.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func newLocalBlob(f *disk.File, st fs.FileInfo) Blob {
	return &localBlob{file: f, size: st.Size(), etag: stateOf(st), closer: f.Close}
}
