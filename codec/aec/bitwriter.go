package aec

import (
	"encoding/binary"
	"slices"
)

// bitWriter appends bits to a buffer. Its callers reserve room first. Every put stores eight bytes,
// of which the next one overwrites those that are not full: that needs no branch.
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

// reserve makes room for n bits and for what is stored beyond them.
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

// put writes the n low bits of v, which has no others; n is at most maxPut.
func (w *bitWriter) put(v uint64, n uint) {
	n += w.n
	acc := w.acc | v<<((64-n)&63)
	binary.BigEndian.PutUint64(w.buf[w.at:], acc)
	w.at += int(n >> 3)
	w.acc = acc << (n & 56)
	w.n = n & 7
}

// unary writes m zero bits and a one bit.
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

// unaryBlock writes v>>k in unary for all v of a block.
func (w *bitWriter) unaryBlock(block []uint32, k uint) {
	k &= 31
	for ; len(block) >= 8; block = block[8:] {
		g := block[:8:8]
		// The codes are built from the last one up, in two halves that do not wait for each other:
		// v and n are the codes and how long they are.
		v, n := quadCodes(g[4], g[5], g[6], g[7], k)
		u, m := quadCodes(g[0], g[1], g[2], g[3], k)
		if n+m <= maxPut {
			w.put(u<<(n&63)|v, uint(n+m))
			continue
		}
		for _, v := range g {
			w.unary(uint64(v >> k))
		}
	}
	for _, v := range block {
		w.unary(uint64(v >> k))
	}
}

// quadCodes returns the unary codes of four numbers without their k low bits, and their length. The
// codes are right when they are at most maxPut long.
func quadCodes(a, b, c, d uint32, k uint) (v, n uint64) {
	n = uint64(d>>k) + 1
	v = 1 | 1<<(n&63)
	n += uint64(c>>k) + 1
	v |= 1 << (n & 63)
	n += uint64(b>>k) + 1
	v |= 1 << (n & 63)
	return v, n + uint64(a>>k) + 1
}

// pairBlock writes the second extension codes of a block.
func (w *bitWriter) pairBlock(block []uint32) {
	for i := 0; i < len(block)-1; i += 2 {
		s := uint64(block[i]) + uint64(block[i+1])
		w.unary(s*(s+1)/2 + uint64(block[i+1]))
	}
}

// lowBitsKernel writes the k low bits of all samples of a block.
type lowBitsKernel func(w *bitWriter, block []uint32)

var lowBitsKernels = [...]lowBitsKernel{nil,
	lowBits[[1]none], lowBits[[2]none], lowBits[[3]none], lowBits[[4]none], lowBits[[5]none], lowBits[[6]none],
	lowBits[[7]none], lowBits[[8]none], lowBits[[9]none], lowBits[[10]none], lowBits[[11]none], lowBits[[12]none],
	lowBits[[13]none], lowBits[[14]none], lowBits[[15]none], lowBits[[16]none], lowBits[[17]none], lowBits[[18]none],
	lowBits[[19]none], lowBits[[20]none], lowBits[[21]none], lowBits[[22]none], lowBits[[23]none], lowBits[[24]none],
	lowBits[[25]none], lowBits[[26]none], lowBits[[27]none], lowBits[[28]none], lowBits[[29]none], lowBits[[30]none],
	lowBits[[31]none], lowBits[[32]none],
}

func lowBits[K bitWidth](w *bitWriter, block []uint32) {
	var width K
	k := uint(len(width))
	m := uint64(1)<<k - 1
	switch {
	case k <= 7:
		for ; len(block) >= 8; block = block[8:] {
			b := block[:8:8]
			hi := (uint64(b[0])&m<<k|uint64(b[1])&m)<<(2*k) | uint64(b[2])&m<<k | uint64(b[3])&m
			lo := (uint64(b[4])&m<<k|uint64(b[5])&m)<<(2*k) | uint64(b[6])&m<<k | uint64(b[7])&m
			w.put(hi<<(4*k)|lo, 8*k)
		}
	case k <= 14:
		for ; len(block) >= 4; block = block[4:] {
			b := block[:4:4]
			hi := uint64(b[0])&m<<k | uint64(b[1])&m
			lo := uint64(b[2])&m<<k | uint64(b[3])&m
			w.put(hi<<(2*k)|lo, 4*k)
		}
	case k <= 28:
		for ; len(block) >= 2; block = block[2:] {
			w.put(uint64(block[0])&m<<k|uint64(block[1])&m, 2*k)
		}
	}
	for _, v := range block {
		w.put(uint64(v)&m, k)
	}
}
