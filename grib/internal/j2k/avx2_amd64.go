package j2k

import "golang.org/x/sys/cpu"

// vectors reports whether the kernels of avx2_amd64.s can be used.
var vectors = cpu.X86.HasAVX2

// liftRowAVX2 is liftRow. n is a positive multiple of 8.
//
//go:noescape
func liftRowAVX2(line, l, h *int32, n int)

// liftColumnsAVX2 is liftRow of as many columns as columns says, for n rows. The columns of
// line lie one after the other, the columns of l and h are stride bytes apart. The number n is
// positive.
//
//go:noescape
func liftColumnsAVX2(line, l, h *int32, stride, n int)

// putRowsAVX2 is putRows of four rows, stride bytes apart. n, the number of columns, is a positive
// multiple of 8.
//
//go:noescape
func putRowsAVX2(plane, values *int32, stride, n int)

// clampAVX2 is clamp. n is a positive multiple of 8.
//
//go:noescape
func clampAVX2(dst *uint32, src *int32, n int, shift, largest int32)
