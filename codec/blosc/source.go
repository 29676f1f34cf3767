package blosc

import "io"

// source is where the bytes of a frame or chunk come from.
type source interface {
	// window returns the n bytes at off. They are valid until the next call and must not be
	// changed.
	window(off int64, n int) ([]byte, error)
}

// memory is a source of bytes in memory.
type memory []byte

func (m memory) window(off int64, n int) ([]byte, error) {
	if off < 0 || n < 0 || off > int64(len(m)) || int64(n) > int64(len(m))-off {
		return nil, ErrTruncated
	}
	return m[off : off+int64(n)], nil
}

// reader is a source of bytes that are read when they are needed.
type reader struct {
	r    io.ReaderAt
	size int64
	buf  []byte
}

func (s *reader) window(off int64, n int) ([]byte, error) {
	if off < 0 || n < 0 || off > s.size || int64(n) > s.size-off {
		return nil, ErrTruncated
	}
	s.buf = room(s.buf, n)
	if got, err := s.r.ReadAt(s.buf, off); got < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return s.buf, nil
}

// room returns n bytes, in b's memory if it is large enough.
func room(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	return make([]byte, n)
}
