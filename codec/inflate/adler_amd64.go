package inflate

// adlerSums adds up the groups of sixteen bytes in b, with SSE2, which every amd64 processor has: all
// bytes, what was added up before each group, and the bytes of all groups times 16 … 1. b has at most
// 5552 bytes.
//
//go:noescape
func adlerSums(b []byte) (sum, before, weighted uint64)

func adlerBatch(s1, s2 uint64, b []byte) (uint64, uint64) {
	n := len(b) &^ 15
	sum, before, weighted := adlerSums(b[:n])
	s2 += uint64(n)*s1 + 16*before + weighted
	return adlerWords(s1+sum, s2, b[n:])
}
