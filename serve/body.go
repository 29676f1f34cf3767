package serve

import (
	"io"

	"github.com/tgmconv/tgmconv/zarr"
)

// memoryValue is memorySection as a reader.
func memoryValue(data []byte, r zarr.Range) (io.ReadCloser, error) {
	body, err := memorySection(data, r)
	if err != nil {
		return nil, err
	}
	return body, nil
}

// memorySection opens the part of a value in memory that r selects.
func memorySection(data []byte, r zarr.Range) (*memoryBody, error) {
	offset, length, err := r.Resolve(int64(len(data)))
	if err != nil {
		return nil, err
	}
	return &memoryBody{rest: data[offset : offset+length]}, nil
}

// A memoryBody reads bytes in memory, which can be taken without a copy.
type memoryBody struct {
	rest []byte
	done func() // uses the memory for something else; nil if others have it
}

// Read implements io.Reader.
func (b *memoryBody) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *memoryBody) Close() error {
	if b.done != nil {
		b.done()
		b.keep()
	}
	b.rest = nil
	return nil
}

// keep leaves the memory to the collector when the body is closed.
func (b *memoryBody) keep() { b.done = nil }

// take returns the next n bytes, or the bytes that are left.
func (b *memoryBody) take(n int64) []byte {
	n = min(n, int64(len(b.rest)))
	data := b.rest[:n]
	b.rest = b.rest[n:]
	return data
}

// A storedBody reads a part of a chunk as it is stored.
type storedBody struct {
	from     io.ReaderAt
	at, left int64
}

// Read implements io.Reader.
func (b *storedBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.from.ReadAt(p[:min(int64(len(p)), b.left)], b.at)
	b.at, b.left = b.at+int64(n), b.left-int64(n)
	return n, err
}

// Close implements io.Closer.
func (b *storedBody) Close() error { return nil }
