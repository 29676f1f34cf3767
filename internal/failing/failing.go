// Package failing has readers that fail, for tests.
package failing

import (
	"io"
	"sync/atomic"
)

// A Reader is an io.ReaderAt whose reads fail with Err: read At, from 1, and with After all that
// follow. None fails if At is 0.
type Reader struct {
	io.ReaderAt
	At    int64
	After bool
	Err   error
	reads atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	if n := r.reads.Add(1); r.At > 0 && (n == r.At || r.After && n > r.At) {
		return 0, r.Err
	}
	return r.ReaderAt.ReadAt(p, off)
}

// Reads returns the number of reads so far, including failed ones.
func (r *Reader) Reads() int64 { return r.reads.Load() }
