package aec

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNarrow expects narrowed streams that were widened before to come back, byte for byte.
func TestNarrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for bits := 1; bits <= 32; bits++ {
		for _, flags := range []Flags{Preprocess, 0, Preprocess | Signed, Preprocess | NotEnforce} {
			for _, kind := range sampleKinds() {
				for range 4 {
					block := []int{8, 16, 32, 64}[rng.IntN(4)]
					p := Params{BitsPerSample: bits, BlockSize: block, RSI: 1 + rng.IntN(130), Flags: flags}
					n := rng.IntN(block * 300)
					coded, _, err := EncodeUint32(nil, kind.make(rng, n, p), p)
					if err != nil {
						t.Fatal(err)
					}
					to := p
					to.BitsPerSample = bits + rng.IntN(33-bits)
					wide, _, err := Widen(nil, coded, p, to.BitsPerSample, n)
					if err != nil {
						t.Fatal(err)
					}
					again, err := Narrow([]byte("before"), wide, to, bits, n)
					if err != nil || !bytes.Equal(again, append([]byte("before"), coded...)) {
						t.Errorf("%s %+v from %d bits, %d samples: %v, or other bytes", kind.name, p, to.BitsPerSample, n, err)
					}
				}
			}
		}
	}
}

func TestNarrowErrors(t *testing.T) {
	p := Params{BitsPerSample: 16, BlockSize: 8, RSI: 4, Flags: Preprocess}
	samples := make([]uint32, 100)
	samples[70] = 5000
	coded, _, err := EncodeUint32(nil, samples, p)
	if err != nil {
		t.Fatal(err)
	}
	var param *ParamError
	for _, width := range []int{0, 17, 33} {
		if out, err := Narrow([]byte{7}, coded, p, width, 100); !errors.As(err, &param) || !bytes.Equal(out, []byte{7}) {
			t.Errorf("width %d: %v", width, err)
		}
	}
	var sample *SampleError
	if _, err := Narrow(nil, coded, p, 12, 100); !errors.As(err, &sample) || sample.Index != 70 || sample.Value != 5000 {
		t.Errorf("a sample of 13 bits: %v", err)
	}
	var stream *StreamError
	if _, err := Narrow(nil, coded[:2], p, 14, 100); !errors.As(err, &stream) {
		t.Errorf("a stream that is cut off: %v", err)
	}
}

// FuzzNarrow narrows arbitrary streams: the output decodes to the same samples.
func FuzzNarrow(f *testing.F) {
	coded, _, err := EncodeUint32(nil, []uint32{1, 2, 3, 4, 5, 6, 7, 800, 900, 1000}, Params{BitsPerSample: 16, BlockSize: 8, RSI: 4, Flags: Preprocess})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(coded, 16, 10, 10, 8)
	f.Fuzz(func(t *testing.T, src []byte, bits, width, n, block int) {
		p := Params{BitsPerSample: bits, BlockSize: block, RSI: 4, Flags: Preprocess}
		n = max(n, -n) % 5000
		narrow, err := Narrow(nil, src, p, width, n)
		if err != nil {
			return
		}
		want, got := make([]uint32, n), make([]uint32, n)
		if err := DecodeUint32(want, src, p); err != nil {
			t.Fatal(err)
		}
		p.BitsPerSample = width
		if err := DecodeUint32(got, narrow, p); err != nil || !slices.Equal(got, want) {
			t.Fatalf("other samples: %v", err)
		}
	})
}
