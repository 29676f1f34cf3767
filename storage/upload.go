package storage

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// The parts of an upload. Object stores take at most 10 000 (S3) or 50 000 of them (Azure), so they
// grow: 1000 of each size make 8 TB.
const (
	firstPart    = 8 << 20
	partsOfASize = 1000
)

// An uploader stores an object in parts, or at once.
type uploader interface {
	// whole stores an object that fits one part.
	whole(ctx context.Context, b []byte) error
	// begin begins an upload in parts.
	begin(ctx context.Context) error
	// part stores part n, from 0. Parts of one uploader may be stored at the same time, up to
	// parallel of them.
	part(ctx context.Context, n int, b []byte) error
	parallel() int
	// complete makes an object of the parts.
	complete(ctx context.Context, parts int) error
	// abort drops the parts.
	abort(ctx context.Context) error
}

// uploadWriter is the Writer of the object stores.
type uploadWriter struct {
	c        *Client
	location string
	whole    context.Context // of the caller
	ctx      context.Context // of the parts: ends when one of them fails
	cancel   context.CancelFunc
	to       uploader
	buf      []byte // of the part in the making
	parts    int    // on their way or stored
	begun    bool
	over     bool
	group    *errgroup.Group
	buffers  sync.Pool
}

func newUpload(ctx context.Context, c *Client, location string, to uploader) *uploadWriter {
	w := &uploadWriter{c: c, location: location, whole: ctx, to: to}
	w.ctx, w.cancel = context.WithCancel(ctx)
	w.group, w.ctx = errgroup.WithContext(w.ctx)
	w.group.SetLimit(to.parallel())
	return w
}

func (w *uploadWriter) partSize() int { return firstPart << min(w.parts/partsOfASize, 9) }

// Write appends to the object.
func (w *uploadWriter) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		if w.buf == nil {
			if b, ok := w.buffers.Get().(*[]byte); ok && cap(*b) >= w.partSize() {
				w.buf = (*b)[:0]
			}
		}
		n := min(len(p), w.partSize()-len(w.buf))
		w.buf = append(w.buf, p[:n]...)
		p, written = p[n:], written+n
		if len(w.buf) == w.partSize() {
			if err := w.flush(); err != nil {
				return written, w.named(err)
			}
		}
	}
	return written, nil
}

// flush has the part in the making stored. It waits when too many are on their way.
func (w *uploadWriter) flush() error {
	if !w.begun {
		if err := w.to.begin(w.ctx); err != nil {
			return err
		}
		w.begun = true
	}
	if w.ctx.Err() != nil {
		if err := w.group.Wait(); err != nil {
			return err
		}
		return context.Cause(w.whole)
	}
	b, n := w.buf, w.parts
	w.buf, w.parts = nil, n+1
	w.group.Go(func() error {
		err := w.to.part(w.ctx, n, b)
		w.buffers.Put(&b)
		return err
	})
	return nil
}

// Commit stores the rest and completes the object.
func (w *uploadWriter) Commit() error {
	if err := w.c.Sources.Check(); err != nil {
		w.Abort()
		return err
	}
	if err := w.finish(); err != nil {
		w.Abort()
		return w.named(err)
	}
	w.over = true
	w.cancel()
	w.c.objects.forget(w.location)
	return nil
}

func (w *uploadWriter) finish() error {
	if w.over {
		return errors.New("the upload is over")
	}
	if !w.begun {
		return w.to.whole(w.ctx, w.buf)
	}
	if len(w.buf) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if err := w.group.Wait(); err != nil {
		return err
	}
	return w.to.complete(w.whole, w.parts)
}

// Abort drops the upload. It does nothing after Commit.
func (w *uploadWriter) Abort() {
	if w.over {
		return
	}
	w.over = true
	w.cancel()
	_ = w.group.Wait() // the parts are dropped, stored or not
	if w.begun {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.whole), defaultPatience)
		defer cancel()
		_ = w.to.abort(ctx) // nothing appears under the name in any case
	}
}

func (w *uploadWriter) named(err error) error {
	return writing(w.location, "writing", err)
}
