package blosc

import (
	"encoding/binary"

	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

// pipeline returns the filters to undo in a block of n bytes, in that order. Filters without effect
// are left out.
func (c *chunk) pipeline(n int) []Filter {
	var undo []Filter
	for i := len(c.filters) - 1; i >= 0; i-- {
		switch f := c.filters[i]; f {
		case Shuffle:
			if c.typeSize > 1 && n >= c.typeSize {
				undo = append(undo, f)
			}
		case BitShuffle:
			if c.bitShuffled(n) > 0 {
				undo = append(undo, f)
			}
		case Delta:
			undo = append(undo, f)
		}
	}
	return undo
}

// bitShuffled returns how many bytes of a block of n bytes the bit shuffle moves: whole groups of
// eight elements. Blosc 1 leaves the whole block alone unless it consists of such groups.
func (c *chunk) bitShuffled(n int) int {
	elements := n / c.typeSize
	if c.header == headerSize1 && elements%8 != 0 {
		return 0
	}
	return elements / 8 * 8 * c.typeSize
}

// unfilter undoes filters on src and stores the result in dst. Without filters src is dst;
// otherwise src is d.one.
func (d *chunkDecoder) unfilter(dst, src []byte, undo []Filter) error {
	for i, f := range undo {
		out := dst
		if i < len(undo)-1 {
			d.two = room(d.two, len(dst))
			out = d.two
			if i%2 == 1 {
				out = d.one[:len(dst)]
			}
		}
		if err := d.undo(f, out, src); err != nil {
			return err
		}
		src = out
	}
	return nil
}

func (d *chunkDecoder) undo(f Filter, dst, src []byte) error {
	switch f {
	case Shuffle:
		n := len(src) / d.typeSize * d.typeSize
		copy(dst[n:], src[n:])
		return shuffle.Decode(dst[:n], src[:n], d.typeSize)
	case BitShuffle:
		n := d.bitShuffled(len(src))
		copy(dst[n:], src[n:])
		return shuffle.DecodeBits(dst[:n], src[:n], d.typeSize)
	default:
		copy(dst, src)
		undelta(dst, d.first, d.typeSize)
		return nil
	}
}

// undelta undoes the delta filter. The block first is the first block of the chunk without
// filters, or nil when b is that block.
func undelta(b, first []byte, typeSize int) {
	width := 1
	switch {
	case typeSize == 2 || typeSize == 4 || typeSize == 8:
		width = typeSize
	case typeSize%8 == 0:
		width = 8
	}
	n := len(b) / width * width
	if first == nil {
		for i := width; i < n; i++ {
			b[i] ^= b[i-width]
		}
		return
	}
	i := 0
	for ; i+8 <= n; i += 8 {
		v := binary.LittleEndian.Uint64(b[i:]) ^ binary.LittleEndian.Uint64(first[i:])
		binary.LittleEndian.PutUint64(b[i:], v)
	}
	for ; i < n; i++ {
		b[i] ^= first[i]
	}
}

// filter applies f to src, one block, and stores the result in dst.
func filter(dst, src []byte, f Filter, c *chunk) error {
	n := 0
	var err error
	switch f {
	case Shuffle:
		n = len(src) / c.typeSize * c.typeSize
		err = shuffle.Encode(dst[:n], src[:n], c.typeSize)
	case BitShuffle:
		n = c.bitShuffled(len(src))
		err = shuffle.EncodeBits(dst[:n], src[:n], c.typeSize)
	}
	copy(dst[n:], src[n:])
	return err
}
