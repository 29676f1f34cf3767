package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// stdinBucket holds standard input.
type stdinBucket struct{ c *Client }

// Open implements Bucket. Standard input is read once and kept until the client is closed.
func (s stdinBucket) Open(ctx context.Context, _ string) (Blob, error) {
	return s.c.objects.get(Stdin, func() (Blob, bool, error) {
		b, err := s.open(ctx)
		return b, true, err
	})
}

func (s stdinBucket) open(ctx context.Context) (Blob, error) {
	if s.c.Stdin == nil {
		return nil, errors.New("there is none")
	}
	if f, ok := s.c.Stdin.(*os.File); ok {
		st, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if at, err := f.Seek(0, io.SeekCurrent); err == nil && st.Mode().IsRegular() {
			return &localBlob{file: io.NewSectionReader(f, at, st.Size()-at), size: st.Size() - at}, nil
		}
	}
	if lost := s.c.stdinLost.Load(); lost != nil {
		return nil, *lost
	}
	b, err := s.c.spool(ctx, s.c.Stdin)
	if err != nil {
		s.c.stdinLost.Store(&err)
	}
	return b, err
}

// StdinKept reports whether standard input has been opened. It was then copied and can be
// opened again, or fails again.
func (c *Client) StdinKept() bool {
	if c.stdinLost.Load() != nil {
		return true
	}
	b := c.objects.known(Stdin)
	if b != nil {
		b.Close()
	}
	return b != nil
}

// List implements Bucket.
func (stdinBucket) List(context.Context, string) iter.Seq2[Entry, error] {
	return noList("standard input")
}

// noList is the list of a place that has none.
func noList(what string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		yield(Entry{}, fmt.Errorf("%s cannot be listed: %w", what, errors.ErrUnsupported))
	}
}

// Create implements Bucket.
func (stdinBucket) Create(context.Context, string) (Writer, error) {
	return nil, fmt.Errorf("standard input cannot be written: %w", errors.ErrUnsupported)
}

// Spool copies r to a temporary file, which is removed when the blob is closed.
func (c *Client) Spool(ctx context.Context, r io.Reader) (Blob, error) {
	return c.spoolWith(ctx, r, func(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
		return io.Copy(w, &contextReader{ctx, r})
	})
}

// spool is Spool for readers that may never return from a read.
func (c *Client) spool(ctx context.Context, r io.Reader) (Blob, error) {
	return c.spoolWith(ctx, r, copyUntilDone)
}

func (c *Client) spoolWith(ctx context.Context, r io.Reader, copy func(context.Context, io.Writer, io.Reader) (int64, error)) (Blob, error) {
	f, err := NewTempFile(c.TempDir)
	if err != nil {
		return nil, err
	}
	b := &localBlob{file: f, closer: f.Close}
	if b.size, err = copy(ctx, f, r); err != nil {
		b.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("the data are cut off: %w", err)
		}
		return nil, fmt.Errorf("reading: %w", err)
	}
	return b, nil
}

// copyUntilDone copies r to w. When ctx is done it does not wait for a read that waits for input:
// that read may never return, and its bytes go nowhere.
func copyUntilDone(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	type end struct {
		n   int64
		err error
	}
	ended := make(chan end, 1)
	go func() {
		n, err := io.Copy(w, &contextReader{ctx, r})
		ended <- end{n, err}
	}()
	select {
	case e := <-ended:
		return e.n, e.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// contextReader ends reading when its context does.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
