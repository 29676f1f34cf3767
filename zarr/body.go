package zarr

import "io"

// section opens the part of a value that r selects.
func section(source io.ReaderAt, size int64, r Range) (io.ReadCloser, error) {
	offset, length, err := r.Resolve(size)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(io.NewSectionReader(source, offset, length)), nil
}

// memoryValue is memorySection as a reader.
func memoryValue(data []byte, r Range) (io.ReadCloser, error) {
	body, err := memorySection(data, r)
	if err != nil {
		return nil, err
	}
	return body, nil
}

// memorySection opens the part of a value in memory that r selects.
func memorySection(data []byte, r Range) (*memoryBody, error) {
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

// take returns the next n bytes, or those that are left.
func (b *memoryBody) take(n int64) []byte {
	n = min(n, int64(len(b.rest)))
	data := b.rest[:n]
	b.rest = b.rest[n:]
	return data
}
