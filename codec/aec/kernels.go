package aec

import "encoding/binary"

// Kernels that read the low bits of whole blocks. Their plain form is bitReader.bits in a loop. The
// caller makes sure that 8 bytes can be loaded from wherever a number begins; Go checks it again.

// bitWidth stands for a number of bits by the length of an array. Every instance of a kernel
// then has its width as a constant, and its shifts cost nothing to set up.
type bitWidth interface {
	[1]none | [2]none | [3]none | [4]none | [5]none | [6]none | [7]none | [8]none |
		[9]none | [10]none | [11]none | [12]none | [13]none | [14]none | [15]none | [16]none |
		[17]none | [18]none | [19]none | [20]none | [21]none | [22]none | [23]none | [24]none |
		[25]none | [26]none | [27]none | [28]none | [29]none | [30]none | [31]none | [32]none
}

// splitPosition is a bitWidth, or 0.
type splitPosition interface{ [0]none | bitWidth }

type none struct{}

// splitKernel sets out[i] to codes[i]<<k + the i-th k-bit number from bit pos of src on.
type splitKernel func(out []uint32, codes *codeBuffer, src []byte, pos uint64)

// splitKernels has the kernel for each k of a split block; k = 0 needs none.
var splitKernels = [...]splitKernel{nil,
	split[[1]none], split[[2]none], split[[3]none], split[[4]none], split[[5]none], split[[6]none], split[[7]none],
	split[[8]none], split[[9]none], split[[10]none], split[[11]none], split[[12]none], split[[13]none], split[[14]none],
	split[[15]none], split[[16]none], split[[17]none], split[[18]none], split[[19]none], split[[20]none], split[[21]none],
	split[[22]none], split[[23]none], split[[24]none], split[[25]none], split[[26]none], split[[27]none], split[[28]none],
	split[[29]none], split[[30]none], split[[31]none], split[[32]none],
}

func split[K bitWidth](out []uint32, codes *codeBuffer, src []byte, pos uint64) {
	var width K
	k := uint64(len(width))
	m := uint64(1)<<k - 1
	i := 0
	// 57 bits or more are left of 8 bytes after the shift by pos&7.
	switch {
	case k <= 7:
		for ; i < len(out)-7; i += 8 {
			v := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> (64 - 8*k)
			pos += 8 * k
			c, o := codes[i&(maxFastBlock-1):][:8:8], out[i:][:8:8]
			o[0] = uint32(c[0])<<k | uint32(v>>(7*k)&m)
			o[1] = uint32(c[1])<<k | uint32(v>>(6*k)&m)
			o[2] = uint32(c[2])<<k | uint32(v>>(5*k)&m)
			o[3] = uint32(c[3])<<k | uint32(v>>(4*k)&m)
			o[4] = uint32(c[4])<<k | uint32(v>>(3*k)&m)
			o[5] = uint32(c[5])<<k | uint32(v>>(2*k)&m)
			o[6] = uint32(c[6])<<k | uint32(v>>k&m)
			o[7] = uint32(c[7])<<k | uint32(v&m)
		}
	case k <= 14:
		for ; i < len(out)-3; i += 4 {
			v := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> (64 - 4*k)
			pos += 4 * k
			c, o := codes[i&(maxFastBlock-1):][:4:4], out[i:][:4:4]
			o[0] = uint32(c[0])<<k | uint32(v>>(3*k)&m)
			o[1] = uint32(c[1])<<k | uint32(v>>(2*k)&m)
			o[2] = uint32(c[2])<<k | uint32(v>>k&m)
			o[3] = uint32(c[3])<<k | uint32(v&m)
		}
	case k <= 28:
		for ; i < len(out)-1; i += 2 {
			v := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> (64 - 2*k)
			pos += 2 * k
			c, o := codes[i&(maxFastBlock-1):][:2:2], out[i:][:2:2]
			o[0] = uint32(c[0])<<k | uint32(v>>k&m)
			o[1] = uint32(c[1])<<k | uint32(v&m)
		}
	}
	for ; i < len(out); i++ {
		v := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7)
		out[i] = uint32(codes[i&(maxFastBlock-1)])<<k | uint32(v>>(64-k))
		pos += k
	}
}
