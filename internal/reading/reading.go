// Package reading tells failures of reading from damage. Readers of formats go on where a part of a file
// is damaged, and report the parts they left out; where a disk or a server fails, nothing is known of the
// file.
package reading

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// A Reader is an io.ReaderAt that keeps the first failure to read bytes within the size of a file.
type Reader struct {
	r       io.ReaderAt
	size    int64
	failure atomic.Pointer[error]
}

// Of returns a Reader of a file of size bytes that r gives.
func Of(r io.ReaderAt, size int64) *Reader { return &Reader{r: r, size: size} }

// ReadAt implements io.ReaderAt.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.r.ReadAt(p, off)
	if err == nil || n == len(p) {
		return n, err
	}
	failed := err
	if errors.Is(err, io.EOF) {
		if off < 0 || off+int64(n) >= r.size {
			return n, err // the file ends there
		}
		failed = io.ErrUnexpectedEOF
	}
	failed = fmt.Errorf("reading %d bytes at byte %d: %w", len(p), off, failed)
	r.failure.CompareAndSwap(nil, &failed)
	return n, err
}

// Failure returns the first failure, nil if all that was asked for could be read.
func (r *Reader) Failure() error {
	if failed := r.failure.Load(); failed != nil {
		return *failed
	}
	return nil
}

// A Failure is the error of a read that failed: nothing is known of the bytes.
type Failure struct{ Err error }

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Failed reports whether a read failed, rather than returned damaged bytes.
func Failed(err error) bool {
	var failure *Failure
	return errors.As(err, &failure)
}

// Failing returns a reader whose errors, but for the end of the file, are Failures.
func Failing(r io.ReaderAt) io.ReaderAt { return failing{r} }

type failing struct{ r io.ReaderAt }

// ReadAt implements io.ReaderAt.
func (f failing) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.r.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = &Failure{err}
	}
	return n, err
}
