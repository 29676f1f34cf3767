package compress

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/pierrec/lz4/v4"
)

// lz4Prefix is the length before an lz4 block: uint32, little-endian, bytes before
// compression.
const lz4Prefix = 4

// lz4MaxExpansion is the most bytes that one byte of a block expands to: a length byte of a match
// adds at most 255.
const lz4MaxExpansion = 255

// EncodeLZ4 appends the length prefix and the block to dst. src is less than 4 GiB.
func EncodeLZ4(dst, src []byte) ([]byte, error) {
	if uint64(len(src)) > math.MaxUint32 {
		return dst, fmt.Errorf("compress: %d bytes are too many for lz4, expected less than 4 GiB", len(src))
	}
	start := len(dst)
	out := grow(dst, lz4Prefix+lz4.CompressBlockBound(len(src)))
	binary.LittleEndian.PutUint32(out[start:], uint32(len(src)))
	// With room for the worst case the block is always complete. Incompressible bytes are stored in it as
	// literals.
	n, err := lz4.CompressBlock(src, out[start+lz4Prefix:], nil)
	if err != nil {
		return dst, fmt.Errorf("compress: lz4: %w", err)
	}
	return out[:start+lz4Prefix+n], nil
}

// DecodeLZ4 returns the want bytes that src holds, in dst's memory if that is large enough.
func DecodeLZ4(dst, src []byte, want int) ([]byte, error) {
	if len(src) < lz4Prefix {
		return nil, fmt.Errorf("compress: lz4: %w: %d bytes are less than the length prefix", ErrCorrupt, len(src))
	}
	if stored := binary.LittleEndian.Uint32(src); uint64(stored) != uint64(want) {
		return nil, sizeError("lz4", stored, want)
	}
	block := src[lz4Prefix:]
	if want/lz4MaxExpansion > len(block) {
		return nil, sizeError("lz4", fmt.Sprintf("at most %d", lz4MaxExpansion*len(block)), want)
	}
	if want == 0 {
		// The library's decoder cannot be given an empty slice. Nothing is stored as no block, or
		// as one token of no literals.
		if len(block) > 1 || len(block) == 1 && block[0] != 0 {
			return nil, sizeError("lz4", "more", want)
		}
		return room(dst, 0), nil
	}
	out := room(dst, want)
	n, err := lz4.UncompressBlock(block, out)
	if err != nil {
		return nil, fmt.Errorf("compress: lz4: %w: %w", ErrCorrupt, err)
	}
	if n != want {
		return nil, sizeError("lz4", n, want)
	}
	return out, nil
}
