package compress

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestZstdSeries compares a series with pieces compressed alone, and with the default level.
func TestZstdSeries(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var alike [][]byte
	for i := range 20 {
		b := make([]byte, 10_000)
		for j := range b {
			b[j] = byte(20*math.Sin(float64(i*len(b)+j)/300) + 2*rng.NormFloat64())
		}
		alike = append(alike, b)
	}
	for _, level := range []int{1, 3, 9, 22} {
		var s ZstdSeries
		size, single, usual := 0, 0, 0
		for _, b := range alike {
			out, err := s.Encode([]byte("before"), b, level)
			if err != nil || !bytes.HasPrefix(out, []byte("before")) {
				t.Fatal(err)
			}
			back, err := DecodeZstd(nil, out[6:], len(b))
			if err != nil || !bytes.Equal(back, b) {
				t.Fatalf("level %d does not come back, error %v", level, err)
			}
			alone, _ := EncodeZstd(nil, b, level)
			fast, _ := EncodeZstd(nil, b, 0)
			size, single, usual = size+len(out)-6, single+len(alone), usual+len(fast)
		}
		if size > single+single/50 || level > 3 && size > usual+usual/100 {
			t.Errorf("level %d: %d bytes, %d alone, %d by default", level, size, single, usual)
		}
	}
}
