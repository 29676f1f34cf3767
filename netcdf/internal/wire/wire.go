// Package wire holds the common parts of the classic and the HDF5 reader. It reads bytes at an
// offset, with a useful error when they are not there, and has the two error types.
package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// A FormatError reports a file that is damaged, or is not of the format that it claims.
type FormatError struct {
	What   string // the structure being read: "superblock", "attribute list of variable t"
	Offset int64  // where in the file, -1 when there is no single place
	Err    error  // the values found and expected
}

func (e *FormatError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %v", e.What, e.Err)
	}
	return fmt.Sprintf("%s at byte %d: %v", e.What, e.Offset, e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

// An UnsupportedError reports a valid file that needs something not implemented.
type UnsupportedError struct {
	What   string // the structure being read
	Offset int64  // where in the file, -1 when there is no single place
	Need   string // the missing feature: "filter 32013 (zfp)"
	Known  string // the supported features instead: "0 to 3", empty when there are none
}

func (e *UnsupportedError) Error() string {
	known := ""
	if e.Known != "" {
		known = ", expected " + e.Known
	}
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %s is not supported%s", e.What, e.Need, known)
	}
	return fmt.Sprintf("%s at byte %d: %s is not supported%s", e.What, e.Offset, e.Need, known)
}

// Errorf makes a FormatError; %w is honoured.
func Errorf(what string, offset int64, format string, args ...any) error {
	return &FormatError{What: what, Offset: offset, Err: fmt.Errorf(format, args...)}
}

// Unsupported makes an UnsupportedError.
func Unsupported(what string, offset int64, format string, args ...any) error {
	return &UnsupportedError{What: what, Offset: offset, Need: fmt.Sprintf(format, args...)}
}

// UnsupportedBut makes an UnsupportedError that names the supported features.
func UnsupportedBut(known, what string, offset int64, format string, args ...any) error {
	return &UnsupportedError{What: what, Offset: offset, Need: fmt.Sprintf(format, args...), Known: known}
}

// Source is a file of known size. Offsets count from Base, in errors from the beginning of the
// file.
type Source struct {
	R    io.ReaderAt
	Size int64 // of the whole file
	Base int64
}

// OpenFile opens a regular file and returns its size.
func OpenFile(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return f, st.Size(), nil
}

// Check reports an error unless the file holds n bytes at offset.
func (s Source) Check(what string, offset, n int64) error {
	room := s.Size - s.Base
	if offset < 0 || n < 0 || offset > room || n > room-offset {
		return &FormatError{What: what, Offset: s.Base + offset, Err: fmt.Errorf(
			"%d bytes expected, the file ends at byte %d: %w", uint64(n), s.Size, io.ErrUnexpectedEOF)}
	}
	return nil
}

// ReadFull fills dst from offset.
func (s Source) ReadFull(what string, dst []byte, offset int64) error {
	if err := s.Check(what, offset, int64(len(dst))); err != nil {
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	n, err := s.R.ReadAt(dst, s.Base+offset)
	if n == len(dst) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &FormatError{What: what, Offset: s.Base + offset,
		Err: fmt.Errorf("%d bytes expected, %d read: %w", len(dst), n, err)}
}

// Bytes returns n new bytes from offset. The length is checked against the file's size before
// memory is taken.
func (s Source) Bytes(what string, offset, n int64) ([]byte, error) {
	if err := s.Check(what, offset, n); err != nil {
		return nil, err
	}
	b := make([]byte, n)
	return b, s.ReadFull(what, b, offset)
}

// Mul multiplies sizes; ok is false on overflow of a non-negative int64.
func Mul(a, b uint64) (p uint64, ok bool) {
	if a != 0 && b > (1<<63-1)/a {
		return 0, false
	}
	return a * b, true
}
