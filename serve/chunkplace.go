package serve

import (
	"errors"
	"io"
)

// located adds the place of a chunk to its errors.
func (v *DatasetView) located(ref int, c Chunk) Chunk {
	c.Wrap = func(err error) error { return v.fields.Located(ref, err) }
	if c.Stored != nil {
		c.Stored = locatedReader{c.Stored, c.Wrap}
	}
	if decode := c.Decode; decode != nil {
		c.Decode = func(buffer []byte) ([]byte, error) {
			data, err := decode(buffer)
			return data, c.Wrap(err)
		}
	}
	return c
}

// A locatedReader adds the place of its bytes to its errors.
type locatedReader struct {
	io.ReaderAt
	wrap func(error) error
}

// ReadAt implements io.ReaderAt. The end is no error that has a place.
func (r locatedReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	return n, r.wrap(err)
}
