package inflate

import "golang.org/x/sys/cpu"

// adlerSums adds up the groups of sixteen bytes in b, with SSE2, which every amd64 processor has: all bytes,
// the sums before each group, and the bytes of all groups times 16 … 1. b has at most adlerMost bytes.
//
//go:noescape
func adlerSums(b []byte) (sum, before, weighted uint64)

// adlerSumsAVX2 is adlerSums of groups of 32 bytes.
//
//go:noescape
func adlerSumsAVX2(b []byte) (sum, before, weighted uint64)

func adlerBatch(s1, s2 uint64, b []byte) (uint64, uint64) {
	group, sums := 16, adlerSums
	if cpu.X86.HasAVX2 {
		group, sums = 32, adlerSumsAVX2
	}
	return adlerGroups(s1, s2, b, group, sums)
}

// adlerGroups adds the groups of b with sums, and the remaining bytes in words.
func adlerGroups(s1, s2 uint64, b []byte, group int, sums func(b []byte) (sum, before, weighted uint64)) (uint64, uint64) {
	n := len(b) &^ (group - 1)
	sum, before, weighted := sums(b[:n])
	s2 += uint64(n)*s1 + uint64(group)*before + weighted
	return adlerWords(s1+sum, s2, b[n:])
}
