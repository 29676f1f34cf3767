package inflate

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestAdlerKernels compares both kernels with words of eight bytes, for the largest sums, too.
func TestAdlerKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{0, 8, 16, 24, 32, 40, 1000, adlerMost} {
		for _, fixed := range []bool{true, false} {
			b := make([]byte, n)
			for i := range b {
				if b[i] = 255; !fixed {
					b[i] = byte(rng.Uint32())
				}
			}
			s1, s2 := adlerWords(adlerMod-1, adlerMod-1, b)
			if a, b := adlerGroups(adlerMod-1, adlerMod-1, b, 16, adlerSums); a != s1 || b != s2 {
				t.Errorf("SSE2, %d bytes: %d and %d, expected %d and %d", n, a, b, s1, s2)
			}
			if !cpu.X86.HasAVX2 {
				continue
			}
			if a, b := adlerGroups(adlerMod-1, adlerMod-1, b, 32, adlerSumsAVX2); a != s1 || b != s2 {
				t.Errorf("AVX2, %d bytes: %d and %d, expected %d and %d", n, a, b, s1, s2)
			}
		}
	}
}
