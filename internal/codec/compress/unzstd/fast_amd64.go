package unzstd

import "golang.org/x/sys/cpu"

// fastMargin is how many bytes fast_amd64.s may read after literals and write after a sequence.
const fastMargin = 32

// unpack unpacks sequences but for the last one. It ends where a sequence would end after outEnd of dst, or
// its literals after litEnd, and stops before one that means the offset before the last less one. It returns
// false when an offset is too large. s must have a sequence, and at be at first at least.
//
//go:noescape
func unpack(r *run, outEnd, litEnd int) bool

// fast unpacks sequences as long as both ends are far. It returns false when they are damaged.
func (r *run) fast() bool {
	outEnd, litEnd := min(r.limit, len(r.dst)-fastMargin), min(r.litSize, len(r.literals)-fastMargin)
	if !cpu.X86.HasBMI2 || !cpu.X86.HasSSSE3 || outEnd <= r.out || litEnd < r.litAt || r.left < 2 || r.at < r.first {
		return true
	}
	return unpack(r, outEnd, litEnd)
}
