package shuffle

import (
	"bytes"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// The functions of this file need no second array. They see the array as blocks of elements: a
// block is shuffled by itself, which leaves a row of size pieces, piece j holding byte j of its
// elements. Then the pieces of all blocks are put in the order of planes, which is the
// transposition of a matrix of pieces and is done one cycle of the permutation after the other. The
// elements after the last whole block go to the end of each plane.

// blockBytes is about the size of a block: its pieces are long enough to be moved at the speed of
// memory.
const blockBytes = 64 << 10

// maxInPlace is the largest element size for which that is so. Larger elements, which no number
// has, are shuffled through a copy.
const maxInPlace = 256

// EncodeInPlace shuffles the elements of size bytes that b holds. size must divide the length.
func EncodeInPlace(b []byte, size int) error {
	n, err := check(b, b, size)
	if err != nil || size == 1 {
		return err
	}
	if size > maxInPlace {
		encodeTo(b, bytes.Clone(b), size)
		return nil
	}
	l := newBlocks(b, size, n)
	l.eachBlock(func(block, scratch []byte) {
		encodeTo(scratch, block, size)
		copy(block, scratch)
	})
	tail := make([]byte, (n-l.whole)*size)
	encodeTo(tail, b[l.whole*size:], size)
	l.permute(func(to int) int { return to%l.count*size + to/l.count })
	l.openPlanes(n)
	for rest, j := n-l.whole, 0; j < size; j++ {
		copy(b[j*n+l.whole:(j+1)*n], tail[j*rest:])
	}
	return nil
}

// DecodeInPlace undoes EncodeInPlace.
func DecodeInPlace(b []byte, size int) error {
	n, err := check(b, b, size)
	if err != nil || size == 1 {
		return err
	}
	if size > maxInPlace {
		decodeTo(b, bytes.Clone(b), size)
		return nil
	}
	l := newBlocks(b, size, n)
	rest := n - l.whole
	tail := make([]byte, rest*size)
	for j := range size {
		copy(tail[j*rest:(j+1)*rest], b[j*n+l.whole:])
		copy(b[j*l.whole:(j+1)*l.whole], b[j*n:])
	}
	l.permute(func(to int) int { return to%size*l.count + to/size })
	l.eachBlock(func(block, scratch []byte) {
		copy(scratch, block)
		decodeTo(block, scratch, size)
	})
	decodeTo(b[l.whole*size:], tail, size)
	return nil
}

// blocks is an array seen as blocks.
type blocks struct {
	b       []byte
	size    int // of an element
	per     int // elements of a block, bytes of a piece
	count   int // of blocks
	whole   int // elements in them
	scratch []byte
}

func newBlocks(b []byte, size, n int) *blocks {
	per := blockBytes / size
	return &blocks{b: b, size: size, per: per, count: n / per, whole: n / per * per, scratch: make([]byte, min(per, n)*size)}
}

// eachBlock calls do for every block, several at the same time, with scratch memory as large as it.
func (l *blocks) eachBlock(do func(block, scratch []byte)) {
	bytes := l.per * l.size
	parallel.Do(l.count, 1, partBytes/bytes, func(first, end int) {
		scratch := make([]byte, bytes)
		for k := first; k < end; k++ {
			do(l.b[k*bytes:(k+1)*bytes], scratch)
		}
	})
}

// permute moves the piece at from(to) to the place to, for all places.
func (l *blocks) permute(from func(to int) int) {
	n := l.count * l.size
	moved := make([]bool, n)
	piece := func(i int) []byte { return l.b[i*l.per : (i+1)*l.per] }
	for first := range n {
		if moved[first] {
			continue
		}
		copy(l.scratch, piece(first))
		to := first
		for {
			moved[to] = true
			next := from(to)
			if next == first {
				break
			}
			copy(piece(to), piece(next))
			to = next
		}
		copy(piece(to), l.scratch)
	}
}

// openPlanes moves the planes apart, so that each has room for a byte of n elements.
func (l *blocks) openPlanes(n int) {
	for j := l.size - 1; j > 0; j-- {
		copy(l.b[j*n:j*n+l.whole], l.b[j*l.whole:])
	}
}
