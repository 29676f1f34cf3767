package zarr

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// A Coder encodes and decodes the chunks of an array. It may be used by several goroutines.
type Coder struct {
	chain *chain
	size  int64
}

// NewCoder returns a coder of the chunks of an array, with the codecs of its document. It decodes the
// chunks that [Array] reads with [Array.ReadRegion].
func NewCoder(a *ArrayMetadata) (*Coder, error) {
	e, err := a.Element()
	if err != nil {
		return nil, err
	}
	if e.anyLength() {
		return nil, &UnsupportedError{What: fmt.Sprintf("a coder of the data type %q", string(a.DataType))}
	}
	c, err := a.chain(e, nil)
	if err != nil {
		return nil, err
	}
	return &Coder{c, c.specs[0].size}, nil
}

// chain makes the chain of an array's chunks.
func (a *ArrayMetadata) chain(e *Element, decoders map[string]Decoder) (*chain, error) {
	fill, err := a.fillOf(e)
	if err != nil {
		return nil, err
	}
	in, err := spec{own: e, fill: fill, decoders: decoders}.array(e, a.ChunkShape)
	if err != nil {
		return nil, fault.Errorf("zarr", "%w", err)
	}
	return newChain(a.Codecs, in)
}

// Size returns the number of bytes of the elements of a chunk.
func (c *Coder) Size() int64 { return c.size }

// Plain reports whether the stored bytes are the little-endian elements themselves.
func (c *Coder) Plain() bool { return c.chain.plain() }

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
func (c *Coder) Decode(stored []byte) ([]byte, error) { return c.DecodeClipped(stored, c.size) }

// DecodeClipped is Decode of a chunk that was stored without the part beyond the edge of its array.
// Its elements have size bytes.
func (c *Coder) DecodeClipped(stored []byte, size int64) ([]byte, error) {
	data, _, err := c.chain.decode(nil, stored, size)
	return data, err
}
