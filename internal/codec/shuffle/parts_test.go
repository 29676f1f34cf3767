package shuffle

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestThreads expects the same bytes on any number of cores, in place or not.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	random := rand.NewChaCha8([32]byte{5})
	for _, size := range []int{2, 3, 4, 8, 16, 300} {
		src := make([]byte, (5*partBytes/size+17)*size)
		if _, err := random.Read(src); err != nil {
			t.Fatal(err)
		}
		want := make([]byte, len(src))
		encodeBytes(want, src, size, 0, len(src)/size)
		for _, cores := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(cores)
			got, back, here := make([]byte, len(src)), make([]byte, len(src)), bytes.Clone(src)
			for _, err := range []error{Encode(got, src, size), Decode(back, got, size), EncodeInPlace(here, size)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, want) || !bytes.Equal(back, src) || !bytes.Equal(here, want) {
				t.Errorf("elements of %d bytes on %d cores: other bytes", size, cores)
			}
			if err := DecodeInPlace(here, size); err != nil || !bytes.Equal(here, src) {
				t.Errorf("elements of %d bytes on %d cores: other bytes in place: %v", size, cores, err)
			}
		}
	}
}
