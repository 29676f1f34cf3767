package storage

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/tgmconv/tgmconv/internal/beside"
	"github.com/tgmconv/tgmconv/internal/disk"
)

// ErrExternal is the error of [Client.OpenExternal] where [Client.External] is not set.
var ErrExternal = errors.New("other files than the inputs are read only with --external")

// errNotLocal is the error for an input without a folder to look in.
var errNotLocal = errors.New("other files are not read of a web server or an object store: download them into one folder first")

// OpenExternal opens the file that the input at a location refers to by name: a slash-separated
// path, absolute or relative to the folder of the input. It must lie in that folder or below it, and
// neither be hidden nor lie below a hidden folder. [Client.External] must be set. The location of
// the file is also returned where it does not exist.
func (c *Client) OpenExternal(ctx context.Context, input, name string) (location string, _ Blob, _ error) {
	if !c.External {
		return "", nil, ErrExternal
	}
	path := LocalPath(input)
	if path == "" {
		return "", nil, errNotLocal
	}
	folder := filepath.Dir(path)
	f, rel, err := beside.Open(folder, name)
	if rel != "" {
		location = filepath.Join(folder, rel)
	}
	if err != nil {
		return location, nil, withoutPath(err)
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return location, nil, withoutPath(err)
	}
	blob, err := c.Sources.add(ctx, location, newLocalBlob(disk.Of(f), st))
	return location, blob, err
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
