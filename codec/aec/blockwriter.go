package aec

// Kernels that write whole blocks. Their plain form is bitWriter.put in a loop. Their output is
// never longer than the samples themselves, for which bitWriter.reserve made room.

// A codeKernel writes head, which has n bits, and after it a block split at a constant position.
type codeKernel func(w *bitWriter, block []uint32, head uint64, n uint)

// codeKernels has the kernel for each splitting position.
var codeKernels = [...]codeKernel{
	codeBlock[[0]none], codeBlock[[1]none], codeBlock[[2]none], codeBlock[[3]none],
	codeBlock[[4]none], codeBlock[[5]none], codeBlock[[6]none], codeBlock[[7]none],
	codeBlock[[8]none], codeBlock[[9]none], codeBlock[[10]none], codeBlock[[11]none],
	codeBlock[[12]none], codeBlock[[13]none], codeBlock[[14]none], codeBlock[[15]none],
	codeBlock[[16]none], codeBlock[[17]none], codeBlock[[18]none], codeBlock[[19]none],
	codeBlock[[20]none], codeBlock[[21]none], codeBlock[[22]none], codeBlock[[23]none],
	codeBlock[[24]none], codeBlock[[25]none], codeBlock[[26]none], codeBlock[[27]none],
	codeBlock[[28]none], codeBlock[[29]none], codeBlock[[30]none], codeBlock[[31]none],
	codeBlock[[32]none],
}

func codeBlock[K splitPosition](w *bitWriter, block []uint32, head uint64, headBits uint) {
	var position K
	k := uint(len(position))
	buf, at, acc, n := w.buf, w.at, w.acc, w.n
	rest := block
	for ; len(rest) >= 8; rest = rest[8:] {
		g := rest[:8:8]
		// The codes are built from the last up, in two halves that do not wait for each other. The
		// codes are b, and u is their length.
		b, u := quadCodes(g[4], g[5], g[6], g[7], k)
		a, t := quadCodes(g[0], g[1], g[2], g[3], k)
		if t+u+uint64(headBits) > maxPut {
			w.at, w.acc, w.n = at, acc, n
			w.put(head, headBits)
			w.unaries(g, k)
			at, acc, n = w.at, w.acc, w.n
		} else {
			v := head<<((t+u)&63) | a<<(u&63) | b
			at, acc, n = put(buf, at, acc, n, v, uint(t+u)+headBits)
		}
		head, headBits = 0, 0
	}
	w.at, w.acc, w.n = at, acc, n
	w.put(head, headBits)
	w.unaries(rest, k)
	if k > 0 {
		lowBits[K](w, block)
	}
}

// unaries writes v>>k in unary for all v of a block.
func (w *bitWriter) unaries(block []uint32, k uint) {
	for _, v := range block {
		w.unary(uint64(v >> (k & 31)))
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

// A lowBitsKernel writes a constant number of low bits of all samples of a block.
type lowBitsKernel func(w *bitWriter, block []uint32)

// lowBitsKernels has the kernel for each number of bits, from 1 on.
var lowBitsKernels = [...]lowBitsKernel{nil,
	lowBits[[1]none], lowBits[[2]none], lowBits[[3]none], lowBits[[4]none], lowBits[[5]none],
	lowBits[[6]none], lowBits[[7]none], lowBits[[8]none], lowBits[[9]none], lowBits[[10]none],
	lowBits[[11]none], lowBits[[12]none], lowBits[[13]none], lowBits[[14]none], lowBits[[15]none],
	lowBits[[16]none], lowBits[[17]none], lowBits[[18]none], lowBits[[19]none], lowBits[[20]none],
	lowBits[[21]none], lowBits[[22]none], lowBits[[23]none], lowBits[[24]none], lowBits[[25]none],
	lowBits[[26]none], lowBits[[27]none], lowBits[[28]none], lowBits[[29]none], lowBits[[30]none],
	lowBits[[31]none], lowBits[[32]none],
}

func lowBits[K splitPosition](w *bitWriter, block []uint32) {
	var width K
	k := uint(len(width))
	m := uint64(1)<<k - 1
	buf, at, acc, n := w.buf, w.at, w.acc, w.n
	switch {
	case k <= 7:
		for ; len(block) >= 8; block = block[8:] {
			b := block[:8:8]
			hi := (uint64(b[0])&m<<k|uint64(b[1])&m)<<(2*k) | uint64(b[2])&m<<k | uint64(b[3])&m
			lo := (uint64(b[4])&m<<k|uint64(b[5])&m)<<(2*k) | uint64(b[6])&m<<k | uint64(b[7])&m
			at, acc, n = put(buf, at, acc, n, hi<<(4*k)|lo, 8*k)
		}
	case k <= 14:
		for ; len(block) >= 4; block = block[4:] {
			b := block[:4:4]
			hi := uint64(b[0])&m<<k | uint64(b[1])&m
			lo := uint64(b[2])&m<<k | uint64(b[3])&m
			at, acc, n = put(buf, at, acc, n, hi<<(2*k)|lo, 4*k)
		}
	case k <= 28:
		for ; len(block) >= 2; block = block[2:] {
			at, acc, n = put(buf, at, acc, n, uint64(block[0])&m<<k|uint64(block[1])&m, 2*k)
		}
	}
	for _, v := range block {
		at, acc, n = put(buf, at, acc, n, uint64(v)&m, k)
	}
	w.at, w.acc, w.n = at, acc, n
}
