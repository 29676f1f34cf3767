package aec

import "golang.org/x/sys/cpu"

// vectors reports whether the kernels of avx2_amd64.s can be used.
var vectors = cpu.X86.HasAVX2

// mapSumsAVX2 is mapBlock with the sums that a.k asks for. It replaces the n samples of a block by
// their mapped differences, given the sample x before them in offset binary, and sets a.sums. The
// number n is a positive multiple of 8. The sums are exact when no difference has any of the bits
// of a.high.
//
//go:noescape
func mapSumsAVX2(block *uint32, n int, x uint32, a *assessment) (exact bool)

// unarySumAVX2 is unarySum of the n samples of a block whose sum is below 2³². The number n is
// a positive multiple of 8.
//
//go:noescape
func unarySumAVX2(block *uint32, n int, k uint) (sum uint32)

// unmapAVX2 is unmap for the first groups of eight of n differences where both directions have
// room. It returns how many differences it has replaced by samples, and leaves the others. n is a
// positive multiple of 8, x at most mask.
//
//go:noescape
func unmapAVX2(block *uint32, n int, x, mask uint32) (done int)
