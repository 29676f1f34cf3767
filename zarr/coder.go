package zarr

import "github.com/tgmconv/tgmconv/internal/fault"

// A Coder encodes and decodes the chunks of an array. It may be used by several goroutines.
type Coder struct {
	chain *chain
	size  int64
}

// NewCoder returns a coder of the chunks of an array, with the codecs of its document. It supports
// those that [Array] reads.
func NewCoder(a *ArrayMetadata) (*Coder, error) {
	size, err := a.chunkBytes()
	if err != nil {
		return nil, err
	}
	fill, err := a.DataType.FillBytes(a.FillValue)
	if err != nil {
		return nil, err
	}
	c, err := newChain(a.Codecs, a.DataType, a.ChunkShape, fill)
	if err != nil {
		return nil, err
	}
	return &Coder{c, size}, nil
}

// Size returns the number of bytes of the elements of a chunk.
func (c *Coder) Size() int64 { return c.size }

// Plain reports whether the stored bytes are the little-endian elements themselves.
func (c *Coder) Plain() bool {
	return c.chain.shard == nil && len(c.chain.bytesToBytes) == 0 && (!c.chain.bigEndian || c.chain.component == 1)
}

// Encode makes the stored bytes of a chunk: little-endian elements in C order, of the whole chunk
// shape, also where the chunk extends beyond the edge of the array. Data is not changed; the result
// may share its memory.
func (c *Coder) Encode(data []byte) ([]byte, error) {
	if int64(len(data)) != c.size {
		return nil, fault.Errorf("zarr", "a chunk of %d bytes, expected %d", len(data), c.size)
	}
	return c.chain.encode(data)
}

// Decode returns the elements of a chunk from its stored bytes, in the order that Encode takes. The
// result may share the memory of stored.
func (c *Coder) Decode(stored []byte) ([]byte, error) { return c.chain.decode(stored, c.size) }

// DecodeClipped is Decode of a chunk that was stored without the part beyond the edge of its array, so
// that its elements have size bytes.
func (c *Coder) DecodeClipped(stored []byte, size int64) ([]byte, error) {
	return c.chain.decode(stored, size)
}
