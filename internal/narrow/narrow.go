// Package narrow rounds float64 to float32, and writes both. Fields of millions of values go through it on their way
// to clients that ask for float32.
package narrow

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Float32s sets each element of dst to the float32 nearest to the element of src, which has as many.
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

// Put writes values to dst as little-endian numbers, of float32 if single, else of float64.
func Put(dst []byte, values []float64, single bool) {
	if len(values) > 0 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		// Any bits are valid for bytes, and the view is exactly as long as the values.
		src := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*len(values))
		if single {
			Bytes(dst[:4*len(values)], src)
		} else {
			copy(dst[:len(src)], src)
		}
		return
	}
	if single {
		for i, v := range values {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
		}
		return
	}
	for i, v := range values {
		binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(v))
	}
}
