// Package narrow rounds float64 to float32. Fields of millions of values go through it on their way
// to clients that ask for float32.
package narrow

import (
	"encoding/binary"
	"math"
)

// Float32s sets each element of dst to the float32 nearest to that of src, which has as many.
func Float32s(dst []float32, src []float64) {
	src = src[:len(dst)]
	n := float32s(dst, src)
	dst, src = dst[n:], src[n:]
	for i, v := range src {
		dst[i] = float32(v)
	}
}

// Bytes does the same with little-endian numbers. dst has half the length of src, and may be the
// first half of its memory.
func Bytes(dst, src []byte) {
	n := inBytes(dst, src)
	dst, src = dst[4*n:], src[8*n:]
	for ; len(src) >= 8; dst, src = dst[4:], src[8:] {
		v := math.Float64frombits(binary.LittleEndian.Uint64(src))
		binary.LittleEndian.PutUint32(dst, math.Float32bits(float32(v)))
	}
}
