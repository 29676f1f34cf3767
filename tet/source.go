package tet

import (
	"errors"
	"io"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// A source is the bytes of a file. Reads never pass its end, whatever a field claims.
type source struct {
	r    io.ReaderAt
	mem  []byte // all of it, if it is in memory or mapped
	size int64
}

// bytes returns n bytes from off on. They are not to be written to. The caller has bounded n.
func (s source) bytes(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || n > s.size-off {
		return nil, fault.Errorf("tet", "bytes %d to %d of %d: %w", off, off+n, s.size, io.ErrUnexpectedEOF)
	}
	if s.mem != nil {
		return s.mem[off : off+n : off+n], nil
	}
	b := make([]byte, n)
	return b, s.fill(b, off)
}

// fill reads len(b) bytes from off on.
func (s source) fill(b []byte, off int64) error {
	if off < 0 || int64(len(b)) > s.size-off {
		return fault.Errorf("tet", "bytes %d to %d of %d: %w", off, off+int64(len(b)), s.size, io.ErrUnexpectedEOF)
	}
	if s.mem != nil {
		copy(b, s.mem[off:])
		return nil
	}
	n, err := s.r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fault.Errorf("tet", "bytes %d to %d: %w", off, off+int64(len(b)), err)
}

// A window reads small pieces, one after the other, with few reads. It is for one goroutine.
type window struct {
	src   source
	buf   []byte
	start int64
}

const windowSize = 1 << 20

// at returns n bytes from off on, which are valid until the next call.
func (w *window) at(off, n int64) ([]byte, error) {
	if w.src.mem != nil {
		return w.src.bytes(off, n)
	}
	if end := w.start + int64(len(w.buf)); off < w.start || off+n > end {
		want := max(n, min(windowSize, w.src.size-off))
		if int64(cap(w.buf)) < want {
			w.buf = make([]byte, want)
		}
		w.buf, w.start = w.buf[:want], off
		if err := w.src.fill(w.buf, off); err != nil {
			w.buf = w.buf[:0]
			return nil, err
		}
	}
	return w.buf[off-w.start:][:n], nil
}
