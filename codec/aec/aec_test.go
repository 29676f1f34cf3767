package aec

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for bits := 1; bits <= 32; bits++ {
		for _, flags := range []Flags{0, Preprocess, Preprocess | MSB, Preprocess | Signed, ThreeByte | Preprocess} {
			p := Params{BitsPerSample: bits, BlockSize: 8 << rng.IntN(4), RSI: 1 + rng.IntN(200), Flags: flags}
			x := make([]uint32, rng.IntN(5000))
			v := uint32(0)
			for i := range x {
				switch i / 500 % 3 {
				case 0:
					v = rng.Uint32()
				case 1:
					v += uint32(rng.IntN(5)) - 2
				}
				x[i] = v & p.sampleMask()
			}
			out, offsets, err := EncodeUint32(nil, x, p)
			if err != nil {
				t.Fatal(p, err)
			}
			if len(offsets) != p.Intervals(len(x)) {
				t.Fatal(p, len(offsets))
			}
			buf := make([]byte, len(x)*p.SampleBytes())
			if err := Decode(buf, out, p); err != nil {
				t.Fatal(p, len(x), err)
			}
			again, _, err := Encode(nil, buf, p)
			if err != nil || !bytes.Equal(again, out) {
				t.Fatal(p, err, "not equal")
			}
		}
	}
}
