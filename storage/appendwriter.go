package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Append begins an addition to the end of a local file, which is created if it does not exist. What
// is written goes to a file next to it until Commit copies it; if that fails, the file is cut to
// the length it had before. It is an error for locations that are not local files.
func (c *Client) Append(_ context.Context, location string) (Writer, error) {
	if IsRemote(location) || location == Stdin {
		return nil, fmt.Errorf("%s: cannot be added to, only local files can: %w", Display(location), errors.ErrUnsupported)
	}
	target, _, direct, err := resolvePath(LocalPath(location))
	if err != nil {
		return nil, err
	}
	if direct {
		return createLocal(target)
	}
	f, temp, err := createHidden(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	return &appendWriter{f, temp, target}, nil
}

// appendWriter is an addition to a file.
type appendWriter struct {
	*os.File
	temp   string // its name, if it has one
	target string
}

// Dir returns the folder that the file lies in.
func (a *appendWriter) Dir() string { return filepath.Dir(a.target) }

// Commit copies the addition to the end of the file.
func (a *appendWriter) Commit() (err error) {
	defer a.Abort()
	if _, err := a.Seek(0, io.SeekStart); err != nil {
		return err
	}
	out, err := os.OpenFile(a.target, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	before, err := out.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = io.Copy(out, a.File); err == nil {
			err = out.Sync()
		}
		if err != nil {
			err = errors.Join(&fs.PathError{Op: "write", Path: a.target, Err: err}, out.Truncate(before))
		}
	}
	return errors.Join(err, out.Close())
}

// Abort drops the addition.
func (a *appendWriter) Abort() {
	a.Close()
	if a.temp != "" {
		os.Remove(a.temp)
	}
}
