package bits

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// reference reads one number bit by bit.
func reference(src []byte, pos, width int) uint64 {
	v := new(big.Int)
	for i := range width {
		bit := src[(pos+i)>>3] >> (7 - (pos+i)&7) & 1
		v.Lsh(v, 1).Or(v, big.NewInt(int64(bit)))
	}
	return v.Uint64()
}

func TestUnpackAllWidths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	src := make([]byte, 301)
	for i := range src {
		src[i] = byte(rng.Uint32())
	}
	for width := range MaxWidth + 1 {
		for pos := range 17 {
			n := 100
			if width > 0 {
				n = (8*len(src) - pos) / width
			}
			if !Fits(src, pos, n, width) {
				t.Fatalf("width %d, position %d: %d numbers do not fit", width, pos, n)
			}
			if width > 0 && Fits(src, pos, n+1, width) {
				t.Fatalf("width %d, position %d: %d numbers fit", width, pos, n+1)
			}
			wide, narrow := make([]uint64, n), make([]uint32, n)
			Unpack(wide, src, pos, width)
			Unpack(narrow, src, pos, width)
			for i := range n {
				want := reference(src, pos+i*width, width)
				if wide[i] != want || narrow[i] != uint32(want) || Uint(src, pos+i*width, width) != want {
					t.Fatalf("width %d, position %d, number %d: %x, %x, expected %x", width, pos, i, wide[i], narrow[i], want)
				}
			}
		}
	}
}

func TestFitsHuge(t *testing.T) {
	const maxInt = int(^uint(0) >> 1)
	if Fits(make([]byte, 8), 0, maxInt, 64) || Fits(nil, 1, 0, 0) || Fits(nil, 0, -1, 3) {
		t.Error("impossible counts fit")
	}
}
