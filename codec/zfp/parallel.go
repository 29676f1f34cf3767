package zfp

import (
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// Blocks of fixed rate have a fixed number of bits, so that each core can code some of them. The
// stream is the same for any number of cores. Where a block of fixed precision or accuracy
// begins is known only after the blocks before it, and one core codes all of them.

// leastBlocks is how many blocks are worth a goroutine.
const leastBlocks = 4096

// fixed reports whether all blocks have the same number of bits.
func (l limits) fixed() bool { return l.minBits == l.maxBits }

// encodeFixed fills dst with the words of blocks of fixed rate.
func encodeFixed(dst []byte, src []float64, l limits) error {
	unit := 64 >> min(bits.TrailingZeros(uint(l.maxBits)), 6) // blocks that fill words
	return parallel.Pieces(blocks(len(src)), unit, leastBlocks, func(first, end int) error {
		begin, stop := wordBytes(first, l.maxBits), wordBytes(end, l.maxBits)
		w := bitWriter{buf: dst[begin:begin:stop]}
		err := w.blocks(src[first*blockValues:min(end*blockValues, len(src))], first*blockValues, l)
		w.flush()
		return err
	})
}

// wordBytes returns the bytes of the words that hold n blocks.
func wordBytes(n, blockBits int) int { return int((int64(n)*int64(blockBits) + 63) / 64 * 8) }

// decodeFixed is decodeBlocks of blocks of fixed rate.
func decodeFixed(dst []float64, src []byte, at uint64, block int, l limits) (uint64, error) {
	n := blocks(len(dst))
	err := parallel.Pieces(n, 1, leastBlocks, func(first, end int) error {
		part := dst[first*blockValues : min(end*blockValues, len(dst))]
		_, err := decodeInOrder(part, src, at+uint64(first)*uint64(l.maxBits), block, first, l)
		return err
	})
	return at + uint64(n)*uint64(l.maxBits), err
}
