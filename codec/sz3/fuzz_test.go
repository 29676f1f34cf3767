package sz3

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

// typed fails unless err is one of the errors that the package promises.
func typed(t *testing.T, err error) {
	t.Helper()
	var format *FormatError
	var u *UnsupportedError
	if err != nil && !errors.As(err, &format) && !errors.As(err, &u) {
		t.Fatalf("%T: %v", err, err)
	}
}

// FuzzDecode decodes any stream.
func FuzzDecode(f *testing.F) {
	for _, v := range vectors(f) {
		if len(v.Stream) < 1000 {
			f.Add(v.Stream, uint16(len(v.Source)/8))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, n uint16) {
		typed(t, Decode(make([]float64, n), src))
	})
}

// FuzzContent decodes the content of the zstd frame, which hides it from the fuzzer otherwise.
func FuzzContent(f *testing.F) {
	for _, v := range vectors(f) {
		payload, c, err := parse(v.Stream)
		if err != nil || c.algorithm == lossless {
			continue
		}
		content, err := unpack(payload, c.values)
		if err != nil {
			f.Fatal(err)
		}
		if len(content) < 2000 {
			f.Add(content, uint16(c.values), uint8(c.algorithm), c.flags, uint16(c.blockSize))
		}
	}
	f.Fuzz(func(t *testing.T, content []byte, n uint16, a, flags uint8, block uint16) {
		dst := make([]float64, int(n)+1)
		typed(t, decodeInterpolation(dst, content))
		typed(t, decodeLorenzoContent(dst, content, config{len(dst), lorenzo, flags &^ flagRegression, int(block) + 1}))
	})
}

// FuzzRoundTrip codes any values.
func FuzzRoundTrip(f *testing.F) {
	f.Add(appendDoubles(nil, field(300)), 0.1)
	f.Add(appendDoubles(nil, hostile()["special"][:300]), 1e-3)
	f.Fuzz(func(t *testing.T, raw []byte, bound float64) {
		if len(raw) < 8 || !(bound >= 0) || math.IsInf(bound, 0) {
			return
		}
		src := doubles(raw[:len(raw)/8*8])
		roundTrip(t, "fuzz", src, Params{Abs, bound})
		if bound == 0 || math.IsInf(1/bound, 0) {
			return
		}
		some := plans()
		p := some[int(binary.LittleEndian.Uint16(raw))%len(some)]
		if err := Decode(make([]float64, len(src)), encodeWith(t, src, bound, p)); err != nil {
			t.Fatal(err)
		}
	})
}
