package fromzarr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/reading"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// A store is a folder of package storage as a store of package zarr.
type store struct {
	folder   storage.Folder
	location string
}

// Open implements zarr.Store.
func (s *store) Open(ctx context.Context, key string) (zarr.Value, error) {
	if !zarr.ValidKey(key) || storage.IsDocument(key) && isBefore(key, s.folder.Document()) {
		return nil, zarr.KeyNotFound(key)
	}
	blob, err := s.folder.Open(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, zarr.KeyNotFound(key)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, &reading.Failure{Err: err})
	}
	return value{blob}, nil
}

// Get implements zarr.Getter: a small value that is read as a whole comes with the request that opens it.
func (s *store) Get(ctx context.Context, key string, r zarr.Range) (io.ReadCloser, zarr.Info, error) {
	under := ctx
	if r.Whole() {
		under = storage.WholeIfSmall(ctx)
	}
	v, err := s.Open(under, key)
	if err != nil {
		return nil, zarr.Info{}, err
	}
	return zarr.GetOf(ctx, v, r)
}

// place returns where in which file the value of a key begins.
func (s *store) place(ctx context.Context, key string) (location string, offset int64, err error) {
	blob, err := s.folder.Open(ctx, key)
	if err != nil {
		return "", 0, err
	}
	defer blob.Close()
	if location, offset, err = storage.PlaceOf(blob); location != "" || err != nil {
		return location, offset, err
	}
	return strings.TrimSuffix(s.location, "/") + "/" + key, 0, nil
}

// isBefore reports whether a document is looked for before another, which was found.
func isBefore(key, found string) bool {
	all := storage.Documents()
	return slices.Index(all, key) < slices.Index(all, found)
}

// List implements zarr.Store.
func (s *store) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return s.folder.List(ctx, prefix)
}

// A value is a file of a folder.
type value struct{ blob storage.Blob }

// Info implements zarr.Value.
func (v value) Info() zarr.Info { return zarr.Info{Size: v.blob.Size(), ETag: v.blob.ETag()} }

// Read implements zarr.Value.
func (v value) Read(ctx context.Context, r zarr.Range) (io.ReadCloser, error) {
	return zarr.Section(reading.Failing(storage.ReaderAt(ctx, v.blob)), v.blob.Size(), r)
}

// Close implements zarr.Value.
func (v value) Close() error { return v.blob.Close() }
