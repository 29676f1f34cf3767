package importers

import (
	"context"
	"io"

	"github.com/tgmconv/tgmconv/storage"
)

// Reopened returns a reader of the input that may be used after Release: it opens the input again
// when that is closed. It fails with [storage.ErrChanged] when the input is in another state than
// now.
func (f *OpenFile[T]) Reopened() io.ReaderAt { return &reopened[T]{f.set, f.key, f.ETag()} }

// A reopened reads an input of a set, which may be closed and opened again in between.
type reopened[T any] struct {
	set  *OpenFiles[T]
	key  string
	etag string
}

// ReadAt implements io.ReaderAt.
func (r *reopened[T]) ReadAt(p []byte, off int64) (int, error) {
	ctx := context.Background()
	f, err := r.set.Acquire(ctx, r.key)
	if err != nil {
		return 0, err
	}
	defer f.Release()
	if f.ETag() != r.etag {
		return 0, storage.ErrChanged
	}
	return f.Blob.ReadAt(ctx, p, off)
}
