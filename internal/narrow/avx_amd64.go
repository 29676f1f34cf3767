package narrow

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vectors reports whether the kernel of avx_amd64.s can be used.
var vectors = cpu.X86.HasAVX

// narrowAVX rounds n numbers, a positive multiple of 8, in turn. Neither pointer has to be aligned.
//
//go:noescape
func narrowAVX(dst, src unsafe.Pointer, n int)

// float32s is Float32s for as many numbers as the kernel takes; it returns how many.
func float32s(dst []float32, src []float64) int {
	n := len(dst) &^ 7
	if !vectors || n == 0 {
		return 0
	}
	narrowAVX(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[:n][0]), n)
	return n
}

// inBytes is Bytes for as many numbers as the kernel takes; it returns how many.
func inBytes(dst, src []byte) int {
	n := min(len(dst)/4, len(src)/8) &^ 7
	if !vectors || n == 0 {
		return 0
	}
	narrowAVX(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), n)
	return n
}
