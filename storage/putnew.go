package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// PutNew stores a small file or object, unless there is another at the location. Then the error
// wraps fs.ErrExist. It is no error if the file or object there has the same bytes, so that several
// processes may store the same, and each may do it again.
//
// Of several callers with different bytes one is successful, provided that the server of an object
// heeds conditions of requests, or that the file system of a file has hard links.
func (c *Client) PutNew(ctx context.Context, location string, data []byte) error {
	b, name, err := c.Resolve(location)
	if err != nil {
		return err
	}
	switch b := b.(type) {
	case localBucket:
		err = putNewFile(name, data)
	case conditional:
		if _, err = b.putIf(ctx, name, data, ""); errors.Is(err, ErrChanged) {
			err = fs.ErrExist
		}
	default:
		err = errors.ErrUnsupported
	}
	if errors.Is(err, fs.ErrExist) && c.has(ctx, location, data) {
		return nil
	}
	if err != nil {
		return located(location, err)
	}
	return nil
}

// putNewFile writes a file that appears under its name when it is complete, unless that name
// exists.
func putNewFile(name string, data []byte) error {
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return writing(name, "create", err)
	}
	f, temp, err := createHidden(folder)
	if err != nil {
		return writing(name, "create", err)
	}
	defer func() {
		f.Close()
		if temp != "" {
			os.Remove(temp)
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return writing(name, "writing", err)
	}
	if temp == "" {
		err = linkNew(f.File, name)
	} else {
		err = os.Link(temp, name)
	}
	if errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	} else if err != nil {
		return writing(name, "create", err)
	}
	syncFolder(folder)
	return nil
}

// has reports whether there is a blob of these bytes at a location.
func (c *Client) has(ctx context.Context, location string, data []byte) bool {
	found, err := c.ReadSmall(ctx, location, int64(len(data)))
	return err == nil && bytes.Equal(found, data)
}

// ReadSmall reads a whole file or object of at most limit bytes.
func (c *Client) ReadSmall(ctx context.Context, location string, limit int64) ([]byte, error) {
	b, err := c.Open(Whole(ctx), location)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if b.Size() > limit {
		return nil, located(location, fmt.Errorf("has %d bytes, expected at most %d", b.Size(), limit))
	}
	data := make([]byte, b.Size())
	if n, err := b.ReadAt(ctx, data, 0); n < len(data) {
		return nil, located(location, fmt.Errorf("%d of %d bytes read: %w", n, len(data), err))
	}
	return data, nil
}
