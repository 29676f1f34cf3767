package aec

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// decodedAs decodes a stream that must have given offsets.
func decodedAs(t *testing.T, name string, coded []byte, p Params, samples int, offsets []uint64) []uint32 {
	t.Helper()
	x := make([]uint32, samples)
	if err := DecodeUint32(x, coded, p); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if samples == 0 {
		return x
	}
	if scanned, err := ScanOffsets(coded, p, samples); err != nil || !slices.Equal(scanned, offsets) {
		t.Fatalf("%s: scanned %v, %v; written %v", name, scanned, err, offsets)
	}
	return x
}

// TestWiden compares widened streams with their source, and with decoding and encoding it. It takes
// all widths, flags and kinds of samples.
func TestWiden(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for bits := 1; bits <= 32; bits++ {
		for _, flags := range []Flags{Preprocess, 0, Preprocess | Signed, Preprocess | Restricted, Preprocess | NotEnforce} {
			if flags&Restricted != 0 && bits > 4 && bits <= 8 {
				continue
			}
			block := []int{8, 16, 32, 64}[rng.IntN(4)]
			if flags&NotEnforce != 0 {
				block = 2 + 2*rng.IntN(200)
			}
			p := Params{BitsPerSample: bits, BlockSize: block, RSI: 1 + rng.IntN(130), Flags: flags}
			for _, kind := range sampleKinds() {
				n := rng.IntN(block * 100)
				coded, _, err := EncodeUint32(nil, kind.make(rng, n, p), p)
				if err != nil {
					t.Fatal(err)
				}
				to := p
				to.BitsPerSample = bits + rng.IntN(33-bits)
				testWiden(t, kind.name, coded, p, to, n)
			}
		}
	}
}

func testWiden(t *testing.T, kind string, coded []byte, p, to Params, n int) {
	t.Helper()
	if to.Validate() != nil { // wider with restricted ids
		return
	}
	want := make([]uint32, n)
	if err := DecodeUint32(want, coded, p); err != nil {
		t.Fatal(err)
	}
	wide, offsets, err := Widen([]byte("before"), coded, p, to.BitsPerSample, n)
	if err != nil || !bytes.HasPrefix(wide, []byte("before")) {
		t.Fatalf("%s %v to %d: %v", kind, p, to.BitsPerSample, err)
	}
	wide = wide[len("before"):]
	if got := decodedAs(t, kind, wide, to, n, offsets); !slices.Equal(got, want) {
		t.Fatalf("%s %v to %d bits, %d samples: other samples", kind, p, to.BitsPerSample, n)
	}
	plain, _, err := EncodeUint32(nil, want, to)
	if err != nil {
		t.Fatal(err)
	}
	// The shortest code of a block is copied. It cannot be longer than the shortest code of the
	// wider block by more than the rounding of the last byte. In turn it is seldom shorter.
	if len(wide) > len(plain)+1 {
		t.Errorf("%s %v to %d bits, %d samples: %d bytes, encoded again %d", kind, p, to.BitsPerSample, n, len(wide), len(plain))
	}
}

// TestWidenCopies makes sure that a smooth field is copied and does not only go through the plain
// form. It has codes that no encoder would choose: they must still be there.
func TestWidenCopies(t *testing.T) {
	p := Params{BitsPerSample: 12, BlockSize: 8, RSI: 1, Flags: Preprocess}
	var w bitWriter
	w.reserve(1000)
	w.put(13, 4) // split at 12
	w.put(2000, 12)
	for range 7 {
		w.put(1, 1) // nothing above the low bits
	}
	for range 7 {
		w.put(2, 12)
	}
	coded := w.finish()
	wide, offsets, err := Widen(nil, coded, p, 16, 8)
	if err != nil {
		t.Fatal(err)
	}
	if want := (4 + 16 + 7 + 7*12 + 7) / 8; len(wide) != want {
		t.Errorf("%d bytes, expected %d", len(wide), want)
	}
	p.BitsPerSample = 16
	if got := decodedAs(t, "split at 12", wide, p, 8, offsets); !slices.Equal(got, []uint32{2000, 2001, 2002, 2003, 2004, 2005, 2006, 2007}) {
		t.Errorf("samples %v", got)
	}
}

func TestWidenErrors(t *testing.T) {
	p := Params{BitsPerSample: 12, BlockSize: 8, RSI: 4, Flags: Preprocess}
	coded, _, err := EncodeUint32(nil, make([]uint32, 100), p)
	if err != nil {
		t.Fatal(err)
	}
	var param *ParamError
	for _, width := range []int{0, 11, 33} {
		if out, _, err := Widen([]byte{7}, coded, p, width, 100); !errors.As(err, &param) || !bytes.Equal(out, []byte{7}) {
			t.Errorf("width %d: %x, %v", width, out, err)
		}
	}
	if _, _, err := Widen(nil, coded, p, 16, -1); !errors.As(err, &param) {
		t.Error(err)
	}
	var stream *StreamError
	for _, flags := range []Flags{Preprocess, Preprocess | Signed} {
		p.Flags = flags
		if out, _, err := Widen([]byte{7}, coded[:1], p, 16, math.MaxInt>>1); !errors.As(err, &stream) || !bytes.Equal(out, []byte{7}) {
			t.Errorf("%x, %v", out, err)
		}
	}
}

// FuzzWiden widens anything. A stream that decodes must widen to the same samples, and any other
// must give the same error.
func FuzzWiden(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, src []byte, bits, block, rsi uint16, flags uint8, samples uint16) {
		p := fuzzParams(bits, block, rsi, flags)
		to := p
		to.BitsPerSample = p.BitsPerSample + int(samples)%7
		to.Flags &^= PadRSI
		n := int(samples)
		wide, offsets, err := Widen(nil, src, p, to.BitsPerSample, n)
		typed(t, err)
		if p.validateDecode() != nil || to.Validate() != nil {
			return
		}
		want := make([]uint32, n)
		wantErr := DecodeUint32(want, src, p)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("widening: %v, decoding: %v", err, wantErr)
		}
		if err == nil && !slices.Equal(decodedAs(t, "widened", wide, to, n, offsets), want) {
			t.Fatal("other samples")
		}
	})
}

func BenchmarkWiden(b *testing.B) {
	var buf []byte
	benchmark(b, func(in benchInput) (err error) {
		buf, _, err = Widen(buf[:0], in.coded, in.params, (in.params.BitsPerSample+7)&^7, len(in.raw)/in.params.SampleBytes())
		return err
	})
}

// BenchmarkRecode measures the work that Widen saves.
func BenchmarkRecode(b *testing.B) {
	var buf []byte
	benchmark(b, func(in benchInput) error {
		d, err := newDecoder(in.coded, in.params)
		if err != nil {
			return err
		}
		to := in.params
		to.BitsPerSample = (to.BitsPerSample + 7) &^ 7
		buf, _, err = recode(buf[:0], d, to, len(in.raw)/in.params.SampleBytes())
		return err
	})
}
