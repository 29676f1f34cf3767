package shuffle

import "golang.org/x/sys/cpu"

// The functions in sse2_amd64.s move n elements, a positive multiple of 16, or for bits of 128. For
// avx2_amd64.s it is a positive multiple of 32, or for bits of 256. stride and row are the bytes
// from one plane to the next.

//go:noescape
func decode8SSE2(dst, src *byte, n, stride int)

//go:noescape
func encode8SSE2(dst, src *byte, n, stride int)

//go:noescape
func decode4SSE2(dst, src *byte, n, stride int)

//go:noescape
func encode4SSE2(dst, src *byte, n, stride int)

//go:noescape
func decode2SSE2(dst, src *byte, n, stride int)

//go:noescape
func encode2SSE2(dst, src *byte, n, stride int)

//go:noescape
func decode8AVX2(dst, src *byte, n, stride int)

//go:noescape
func encode8AVX2(dst, src *byte, n, stride int)

//go:noescape
func joinBitsSSE2(plane, src *byte, n, row int)

//go:noescape
func splitBitsSSE2(dst, plane *byte, n, row int)

//go:noescape
func joinBitsAVX2(plane, src *byte, n, row int)

//go:noescape
func splitBitsAVX2(dst, plane *byte, n, row int)

// encodeFast moves the first elements of src, n in all, to planes and returns how many it moved.
func encodeFast(dst, src []byte, size, n int) int {
	whole := n &^ 15
	if whole == 0 || len(src) < n*size || len(dst) < n*size {
		return 0
	}
	switch size {
	case 2:
		encode2SSE2(&dst[0], &src[0], whole, n)
	case 4:
		encode4SSE2(&dst[0], &src[0], whole, n)
	case 8:
		done := doubled(whole, 32)
		if done > 0 {
			encode8AVX2(&dst[0], &src[0], done, n)
		}
		if done < whole {
			encode8SSE2(&dst[done], &src[8*done], whole-done, n)
		}
	default:
		return 0
	}
	return whole
}

// decodeFast undoes encodeFast.
func decodeFast(dst, src []byte, size, n int) int {
	whole := n &^ 15
	if whole == 0 || len(src) < n*size || len(dst) < n*size {
		return 0
	}
	switch size {
	case 2:
		decode2SSE2(&dst[0], &src[0], whole, n)
	case 4:
		decode4SSE2(&dst[0], &src[0], whole, n)
	case 8:
		done := doubled(whole, 32)
		if done > 0 {
			decode8AVX2(&dst[0], &src[0], done, n)
		}
		if done < whole {
			decode8SSE2(&dst[8*done], &src[done], whole-done, n)
		}
	default:
		return 0
	}
	return whole
}

// doubled returns how many of n elements AVX2 takes, if the processor has it: a multiple of unit, a
// power of two.
func doubled(n, unit int) int {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	return n &^ (unit - 1)
}

// splitBitsFast writes the bits of the first bytes of plane and returns how many bytes it took.
func splitBitsFast(dst, plane []byte, row int) int {
	whole := len(plane) &^ 127
	if whole == 0 || len(dst) < 7*row+whole/8 {
		return 0
	}
	done := doubled(whole, 256)
	if done > 0 {
		splitBitsAVX2(&dst[0], &plane[0], done, row)
	}
	if done < whole {
		splitBitsSSE2(&dst[done/8], &plane[done], whole-done, row)
	}
	return whole
}

// joinBitsFast undoes splitBitsFast.
func joinBitsFast(plane, src []byte, row int) int {
	whole := len(plane) &^ 127
	if whole == 0 || len(src) < 7*row+whole/8 {
		return 0
	}
	done := doubled(whole, 256)
	if done > 0 {
		joinBitsAVX2(&plane[0], &src[0], done, row)
	}
	if done < whole {
		joinBitsSSE2(&plane[done], &src[done/8], whole-done, row)
	}
	return whole
}
