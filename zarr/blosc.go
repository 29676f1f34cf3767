package zarr

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// bloscBytes is the codec blosc: one buffer of Blosc 1.
type bloscBytes struct{ params blosc.Params }

func newBlosc(c Codec, in spec) (stage, spec, error) {
	size := in.element.width()
	p := blosc.Params{
		Codec: blosc.LZ4, Level: configInt(c, "clevel", 5),
		TypeSize: configInt(c, "typesize", size), BlockSize: max(configInt(c, "blocksize", 0), 0),
	}
	if name, ok := c.Configuration["cname"].(string); ok {
		codec, err := blosc.ParseCodec(name)
		if err != nil {
			return nil, spec{}, &UnsupportedError{What: fmt.Sprintf("codec blosc with cname %q", name)}
		}
		p.Codec = codec
	}
	mode := c.Configuration["shuffle"]
	if n, ok := wholeNumber(mode); ok { // format 2 has numbers
		mode = n
	}
	switch mode {
	case "shuffle", int64(1):
		p.Filter = blosc.Shuffle
	case "bitshuffle", int64(2):
		p.Filter = blosc.BitShuffle
	case int64(-1): // by the size of the elements
		p.Filter = blosc.Shuffle
		if size == 1 {
			p.Filter = blosc.BitShuffle
		}
	case "noshuffle", int64(0), nil:
	default:
		return nil, spec{}, fault.Errorf("zarr", "codec blosc: shuffle is %v, expected shuffle, bitshuffle or noshuffle", mode)
	}
	return bloscBytes{p}, in.compressed(), nil
}

func (bloscBytes) decode(dst, src []byte, limit int64) ([]byte, error) {
	size, err := blosc.ChunkSize(src)
	if err != nil {
		return nil, fmt.Errorf("codec blosc: %w", err)
	}
	if int64(size) > limit {
		return nil, fmt.Errorf("codec blosc: %d bytes, expected at most %d", size, limit)
	}
	out, err := blosc.DecodeChunk(dst, src, size)
	if err != nil {
		return nil, fmt.Errorf("codec blosc: %w", err)
	}
	return out, nil
}

// bloscRooms is memory for chunks while they are compressed, which may need as much as their elements.
var bloscRooms = sync.Pool{New: func() any { return new([]byte) }}

func (b bloscBytes) encode(src []byte) ([]byte, error) {
	room := bloscRooms.Get().(*[]byte)
	defer bloscRooms.Put(room)
	out, err := blosc.EncodeBlosc1((*room)[:0], src, b.params)
	if err != nil {
		return nil, fmt.Errorf("codec blosc: %w", err)
	}
	*room = out
	return bytes.Clone(out), nil
}
