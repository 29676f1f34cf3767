package checksum

import (
	"math/rand/v2"
	"testing"
)

// TestLookup3 uses the values that the author of the hash published.
func TestLookup3(t *testing.T) {
	for text, want := range map[string]uint32{"": 0xdeadbeef, "Four score and seven years ago": 0x17770551} {
		if got := Lookup3([]byte(text)); got != want {
			t.Errorf("%q: %#08x, expected %#08x", text, got, want)
		}
	}
}

// TestFletcher32 compares with sums reduced after every word.
func TestFletcher32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 3, 719, 720, 721, 5000, 70001} {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32()) | 0xf0
		}
		var s1, s2 uint64
		for i := 0; i < n; i += 2 {
			w := uint64(b[i]) << 8
			if i+1 < n {
				w |= uint64(b[i+1])
			}
			s1 = (s1 + w) % 65535
			s2 = (s2 + s1) % 65535
		}
		got := Fletcher32(b)
		if uint64(got&0xffff)%65535 != s1 || uint64(got>>16)%65535 != s2 {
			t.Errorf("%d bytes: %#08x, expected sums %#x and %#x", n, got, s1, s2)
		}
	}
}
