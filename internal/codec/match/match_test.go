package match_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/internal/codec/match"
)

// TestCopy compares matches with copying byte by byte.
func TestCopy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for offset := 1; offset <= 40; offset++ {
		for length := range 80 {
			for _, room := range []int{0, match.Room - 1, match.Room, 100} {
				want := make([]byte, 45+length+room)
				for i := range want {
					want[i] = byte(r.Uint32())
				}
				got := bytes.Clone(want)
				for i := range length {
					want[45+i] = want[45+i-offset]
				}
				match.Copy(got, 45, offset, length)
				if end := 45 + length; !bytes.Equal(got[:end], want[:end]) {
					t.Fatalf("%d bytes from %d back with room for %d: % x, expected % x", length, offset, room, got[45:end], want[45:end])
				}
			}
		}
	}
}

// TestPatterns compares the tables with the periods that they stand for.
func TestPatterns(t *testing.T) {
	for n := 1; n < 16; n++ {
		if want := 16 - 16%n; int(match.Steps[n]) != want {
			t.Errorf("step %d is %d, expected %d", n, match.Steps[n], want)
		}
		for i, p := range match.Patterns[n] {
			if int(p) != i%n {
				t.Errorf("pattern %d has %d at %d, expected %d", n, p, i, i%n)
			}
		}
	}
}
