package serve

import (
	"errors"
	"io"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/tgm"
)

// A guard is what each way to the bytes of a chunk keeps to.
type guard struct {
	check func() error      // before the bytes are read; nil for none
	wrap  func(error) error // adds their file and place to errors; nil for none
}

// guard is that of a field, which is an object unless that is nil.
func (v *DatasetView) guard(ref int, object *tgm.Object) guard {
	return guard{v.hashes.of(ref, object), func(err error) error { return v.fields.Located(ref, err) }}
}

// located adds the place to an error.
func (g guard) located(err error) error {
	if err == nil || g.wrap == nil {
		return err
	}
	return g.wrap(err)
}

// decoder is the Decode of a chunk.
func (g guard) decoder(decode func(buffer []byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(buffer []byte) ([]byte, error) {
		if g.check != nil {
			if err := g.check(); err != nil {
				return nil, g.located(err)
			}
		}
		data, err := decode(buffer)
		return data, g.located(err)
	}
}

// A storedReader reads a chunk that is a range of a file, or of the elements of an object.
type storedReader struct {
	from           io.ReaderAt
	offset, length int64
	guard          guard
}

// ReadAt implements io.ReaderAt. The end is no error that has a place.
func (r *storedReader) ReadAt(p []byte, off int64) (int, error) {
	if off >= r.length {
		return 0, io.EOF
	}
	if check := r.guard.check; check != nil {
		if err := check(); err != nil {
			return 0, r.guard.located(err)
		}
	}
	want := p[:min(int64(len(p)), r.length-off)]
	if n, err := r.from.ReadAt(want, r.offset+off); n < len(want) {
		return 0, r.guard.located(shortRead(n, len(want), r.offset+off, err))
	}
	if len(want) < len(p) {
		return len(want), io.EOF
	}
	return len(want), nil
}

// readFull fills p from a file, which must be that long.
func readFull(file io.ReaderAt, p []byte, off int64) error {
	if n, err := file.ReadAt(p, off); n < len(p) {
		return shortRead(n, len(p), off, err)
	}
	return nil
}

// shortRead is the error of a read that ended early.
func shortRead(n, want int, off int64, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fault.Errorf("serve", "%d of %d bytes at %d: %w", n, want, off, err)
}
