package aec

import (
	"encoding/binary"
	"slices"
)

// bitWriter appends bits to a buffer. Its callers reserve room first. Every put stores eight bytes,
// and the next put overwrites the bytes that are not full: that needs no branch.
type bitWriter struct {
	buf   []byte // all of its capacity
	start int    // where the stream begins
	at    int    // where acc goes
	acc   uint64 // bits not yet in buf, from the most significant one down
	n     uint   // how many, 0 to 7
}

func newBitWriter(dst []byte) bitWriter {
	return bitWriter{buf: dst[:cap(dst)], start: len(dst), at: len(dst)}
}

// reserve makes room for n bits and for the bytes stored beyond them.
func (w *bitWriter) reserve(n uint64) {
	if need := n/8 + 32; need > uint64(len(w.buf)-w.at) {
		w.buf = slices.Grow(w.buf[:w.at], int(need))
		w.buf = w.buf[:cap(w.buf)]
	}
}

// position is the number of bits written.
func (w *bitWriter) position() uint64 { return uint64(w.at-w.start)*8 + uint64(w.n) }

// maxPut is how many bits one put can write.
const maxPut = 56

// put writes the n low bits of v; its other bits are clear, and n is at most maxPut.
func (w *bitWriter) put(v uint64, n uint) {
	w.at, w.acc, w.n = put(w.buf, w.at, w.acc, w.n, v, n)
}

// put is bitWriter.put with the writer's fields as arguments and results, which stay in registers
// in the kernels.
func put(buf []byte, at int, acc uint64, have uint, v uint64, n uint) (int, uint64, uint) {
	n += have
	acc |= v << ((64 - n) & 63)
	binary.BigEndian.PutUint64(buf[at:], acc)
	return at + int(n>>3), acc << (n & 56), n & 7
}

// unary writes m clear bits and a set bit.
func (w *bitWriter) unary(m uint64) {
	for ; m >= 32; m -= 32 {
		w.put(0, 32)
	}
	w.put(1, uint(m)+1)
}

// finish fills the last byte with zero bits and returns the buffer.
func (w *bitWriter) finish() []byte {
	w.reserve(0)
	w.buf[w.at] = byte(w.acc >> 56)
	return w.buf[:w.at+int(w.n+7)/8]
}

// pairBlock writes the second extension codes of a block.
func (w *bitWriter) pairBlock(block []uint32) {
	for i := 0; i < len(block)-1; i += 2 {
		s := uint64(block[i]) + uint64(block[i+1])
		w.unary(s*(s+1)/2 + uint64(block[i+1]))
	}
}
