package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
)

const (
	sparseFirst = 1 << 10  // bytes that come with the size when an object is opened to be read sparsely
	keptSparse  = 16 << 20 // bytes of sparse reads that an object keeps
	sparseReads = 8        // of one object in flight: they are short
)

type sparseKey struct{}

// A wholeKey is the context key for how much of an object is fetched when it is opened.
type wholeKey struct{}

type wholeness int

const (
	always wholeness = iota + 1
	ifSmall
)

// Whole returns a context for opening objects that will be read as a whole, in any order. Opening
// such an object fetches more than its first bytes.
func Whole(ctx context.Context) context.Context { return context.WithValue(ctx, wholeKey{}, always) }

// SmallSize is the size up to which an object is small, see [WholeIfSmall].
const SmallSize = longestAhead

// WholeIfSmall returns a context for opening small objects as under Whole. Opening a larger
// object fetches only its first bytes.
func WholeIfSmall(ctx context.Context) context.Context {
	return context.WithValue(ctx, wholeKey{}, ifSmall)
}

// wholenessOf is how much of an object is fetched when it is opened: 0 for the first bytes only.
func wholenessOf(ctx context.Context) wholeness {
	w, _ := ctx.Value(wholeKey{}).(wholeness)
	return w
}

// Sparse returns a context for reading small parts of large objects. Under it Blob.ReadAt fetches
// only the bytes of the call, not whole blocks, and opening an object fetches only its first 1024
// bytes. It has no effect on local files.
func Sparse(ctx context.Context) context.Context { return context.WithValue(ctx, sparseKey{}, true) }

// Dense returns a context derived from ctx in which the effect of Sparse is undone.
func Dense(ctx context.Context) context.Context {
	if !IsSparse(ctx) {
		return ctx
	}
	return context.WithValue(ctx, sparseKey{}, false)
}

// IsSparse reports whether ctx was made by Sparse.
func IsSparse(ctx context.Context) bool {
	sparse, _ := ctx.Value(sparseKey{}).(bool)
	return sparse
}

// firstRange is how much of an object is asked for to open it.
func firstRange(ctx context.Context) int64 {
	if IsSparse(ctx) {
		return sparseFirst
	}
	return blockSize
}

// A span is bytes of an object.
type span struct {
	off  int64
	data []byte
}

// keepSpan remembers bytes that were read sparsely, the newest last.
func (r *remoteBlob) keepSpan(s span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spans = append(r.spans, s)
	r.spanBytes += len(s.data)
	for r.spanBytes > keptSparse && len(r.spans) > 1 {
		r.spanBytes -= len(r.spans[0].data)
		r.spans[0] = span{}
		r.spans = r.spans[1:]
	}
}

// fromSpans fills p from bytes that were read sparsely, and reports whether all of them were there.
func (r *remoteBlob) fromSpans(p []byte, off int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.spans) - 1; i >= 0; i-- {
		s := r.spans[i]
		if off >= s.off && off+int64(len(p)) <= s.off+int64(len(s.data)) {
			copy(p, s.data[off-s.off:])
			return true
		}
	}
	return false
}

// fromBlocks fills p from blocks that are there, and reports whether all of it was.
func (r *remoteBlob) fromBlocks(p []byte, off int64) bool {
	for len(p) > 0 {
		data, ok := r.cache.Get(blockKey{r, off / blockSize})
		if !ok {
			return false
		}
		n := copy(p, data[off%blockSize:])
		p, off = p[n:], off+int64(n)
	}
	return true
}

// readSparse reads bytes that lie in the object, and no others.
func (r *remoteBlob) readSparse(ctx context.Context, p []byte, off int64) error {
	if r.fromBlocks(p, off) {
		return nil
	}
	select {
	case r.sparseSlots <- struct{}{}:
		defer func() { <-r.sparseSlots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var err error
	for attempt, wait := 1, firstPause; ; attempt, wait = attempt+1, 2*wait {
		if err = r.getSpan(ctx, p, off); err == nil {
			r.keepSpan(span{off, append([]byte(nil), p...)})
			return nil
		}
		if attempt == attempts || ctx.Err() != nil || errors.As(err, new(*StatusError)) || errors.As(err, new(*unansweredError)) {
			return err
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// getSpan fills p with one request.
func (r *remoteBlob) getSpan(ctx context.Context, p []byte, off int64) error {
	a, err := r.source.get(ctx, off, int64(len(p)), r.version)
	if err != nil {
		return &unansweredError{err}
	}
	defer a.body.Close()
	if a.whole || a.size != r.size {
		return errChanged
	}
	if _, err := io.ReadFull(a.body, p); err != nil {
		return fmt.Errorf("reading %d bytes at byte %d: %w", len(p), off, err)
	}
	return nil
}
