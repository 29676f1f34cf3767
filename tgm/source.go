package tgm

import (
	"errors"
	"fmt"
	"io"
)

// source reads at offsets within bounds, so that no claim of a file makes a read pass its end.
type source struct {
	r    io.ReaderAt
	size int64
}

// readAt fills b from offset off.
func (s source) readAt(b []byte, off int64) error {
	if off < 0 || int64(len(b)) > s.size-off {
		return fmt.Errorf("bytes %d to %d of %d: %w", off, off+int64(len(b)), s.size, io.ErrUnexpectedEOF)
	}
	n, err := s.r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("bytes %d to %d: %w", off, off+int64(len(b)), err)
}

// window reads small pieces that lie near each other with few reads. It is for one goroutine.
type window struct {
	src   source
	chunk int // bytes to read at least
	buf   []byte
	start int64
}

// from returns the buffered bytes at off, at least n bytes unless the source ends.
func (w *window) from(off int64, n int) ([]byte, error) {
	if _, err := w.at(off, n); err != nil {
		return nil, err
	}
	return w.buf[off-w.start:], nil
}

// at returns the n bytes at off, or fewer where the source ends. They are valid until the next
// call.
func (w *window) at(off int64, n int) ([]byte, error) {
	n = int(min(int64(n), max(w.src.size-off, 0)))
	if off >= w.start && off+int64(n) <= w.start+int64(len(w.buf)) {
		return w.buf[off-w.start:][:n], nil
	}
	want := int(min(int64(max(n, w.chunk)), w.src.size-off))
	w.buf, w.start = sized(w.buf, want), off
	if err := w.src.readAt(w.buf, off); err != nil {
		w.buf = w.buf[:0]
		return nil, err
	}
	return w.buf[:n], nil
}
