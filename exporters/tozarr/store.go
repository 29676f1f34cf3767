package tozarr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/tgmconv/tgmconv/zarr"
)

// targetStore reads the values of a target as a store.
type targetStore struct{ Target }

// Open implements zarr.Store.
func (s targetStore) Open(ctx context.Context, key string) (zarr.Value, error) {
	data, err := s.Get(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w", key, zarr.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return storeValue(data), nil
}

// List implements zarr.Store: stores that are appended to have consolidated metadata.
func (s targetStore) List(context.Context, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", errors.ErrUnsupported) }
}

// A storeValue is a value of a targetStore.
type storeValue []byte

// Info implements zarr.Value.
func (v storeValue) Info() zarr.Info { return zarr.Info{Size: int64(len(v))} }

// Read implements zarr.Value.
func (v storeValue) Read(_ context.Context, r zarr.Range) (io.ReadCloser, error) {
	offset, length, err := r.Resolve(int64(len(v)))
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(v[offset : offset+length])), nil
}

// Close implements zarr.Value.
func (v storeValue) Close() error { return nil }
