package importers

import (
	"errors"
	"io"
)

// countingWriter counts the bytes that reach w.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// ReadFrom lets w copy in its own way where it has one.
func (c *countingWriter) ReadFrom(r io.Reader) (int64, error) {
	if rf, ok := c.w.(io.ReaderFrom); ok {
		n, err := rf.ReadFrom(r)
		c.n += n
		return n, err
	}
	n, err := io.Copy(struct{ io.Writer }{c.w}, r)
	c.n += n
	return n, err
}

// ReadAt implements io.ReaderAt. With ReadAt, WriteAt and Seek of w a streamed message gets its length.
func (c *countingWriter) ReadAt(p []byte, off int64) (int, error) {
	if r, ok := c.w.(io.ReaderAt); ok {
		return r.ReadAt(p, off)
	}
	return 0, errors.ErrUnsupported
}

// WriteAt implements io.WriterAt. It overwrites bytes that were counted.
func (c *countingWriter) WriteAt(p []byte, off int64) (int, error) {
	if w, ok := c.w.(io.WriterAt); ok {
		return w.WriteAt(p, off)
	}
	return 0, errors.ErrUnsupported
}

// Seek implements io.Seeker.
func (c *countingWriter) Seek(offset int64, whence int) (int64, error) {
	if s, ok := c.w.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}
