package zfp

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// vector is a payload of the reference. See testdata/README.md.
type vector struct {
	Name, Mode      string
	Value           float64
	Source, Decoded []byte
	Stream          []byte
}

func vectors(tb testing.TB) []vector {
	tb.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		tb.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(b, &all); err != nil || len(all) == 0 {
		tb.Fatalf("%d vectors, error %v", len(all), err)
	}
	return all
}

func (v vector) params(tb testing.TB) Params {
	tb.Helper()
	mode, err := ParseMode(v.Mode)
	if err != nil || mode.String() != v.Mode {
		tb.Fatal(mode, err)
	}
	return Params{Mode: mode, Rate: v.Value, Precision: int(v.Value), Tolerance: v.Value}
}

func doubles(b []byte) []float64 {
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// same reports whether all bits are equal.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		p, src, want := v.params(t), doubles(v.Source), doubles(v.Decoded)
		got := make([]float64, len(want))
		if err := Decode(got, v.Stream, p); err != nil || !same(got, want) {
			t.Errorf("%s decodes to %v, expected %v, error %v", v.Name, got, want, err)
		}
		coded, err := Encode([]byte("prefix"), src, p)
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if strings.HasPrefix(v.Name, "defect") {
			continue
		}
		if string(coded[:6]) != "prefix" || !bytes.Equal(coded[6:], v.Stream) {
			t.Errorf("%s: other bytes than the reference", v.Name)
		}
		checkLength(t, v.Name, v.Stream, p, len(want))
	}
}

// checkLength fails if a stream that is too short or too long decodes.
func checkLength(t *testing.T, name string, stream []byte, p Params, n int) {
	t.Helper()
	got := make([]float64, n)
	if err := Decode(got, append(slices.Clone(stream), make([]byte, 8)...), p); !errors.Is(err, ErrLength) {
		t.Errorf("%s with 8 more bytes: %v", name, err)
	}
	if len(stream) > 0 {
		if err := Decode(got, stream[:len(stream)-8], p); !errors.Is(err, ErrTruncated) {
			t.Errorf("%s without 8 bytes: %v", name, err)
		}
	}
}

// TestTiny stores a block that the C library garbles as zeros.
func TestTiny(t *testing.T) {
	src := []float64{math.Ldexp(1, -963), -1e-300, 5e-324, 0, 1, 1, 1, 1}
	stream, err := Encode(nil, src, Params{Mode: FixedPrecision})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(src))
	if err := Decode(got, stream, Params{Mode: FixedPrecision}); err != nil || !same(got, []float64{0, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("%v, %v", got, err)
	}
}

func field(n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]float64, n)
	for i := range v {
		v[i] = 280 + 30*math.Sin(float64(i)/40) + 0.05*rng.NormFloat64()
	}
	return v
}

func TestAccuracy(t *testing.T) {
	src := field(10_001)
	for _, tolerance := range []float64{10, 1, 0.3, 1e-3, 1e-9} {
		p := Params{Mode: FixedAccuracy, Tolerance: tolerance}
		stream, err := Encode(nil, src, p)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(src))
		if err := Decode(got, stream, p); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Abs(got[i]-src[i]) > tolerance {
				t.Fatalf("tolerance %v: value %d is %v, expected %v", tolerance, i, got[i], src[i])
			}
		}
	}
}

func TestDecodeRange(t *testing.T) {
	src := field(1003)
	rng := rand.New(rand.NewPCG(2, 2))
	for _, rate := range []float64{3, 3.25, 13.5, 16, 70} {
		p := Params{Mode: FixedRate, Rate: rate}
		stream, err := Encode(nil, src, p)
		if err != nil {
			t.Fatal(err)
		}
		whole := make([]float64, len(src))
		if err := Decode(whole, stream, p); err != nil {
			t.Fatal(err)
		}
		for range 300 {
			first := rng.IntN(len(src))
			n := rng.IntN(len(src) - first + 1)
			off, size, err := p.RangeBytes(first, n)
			if err != nil || float64(size) > float64(n+6)*rate/8+5 && rate > 3 {
				t.Fatalf("%d bytes for %d values of %v bits: %v", size, n, rate, err)
			}
			got := make([]float64, n)
			if err := DecodeRange(got, stream[off:off+size], p, first); err != nil || !same(got, whole[first:first+n]) {
				t.Fatalf("rate %v: %d values from value %d: %v", rate, n, first, err)
			}
			if size > 0 {
				if err := DecodeRange(got, stream[off:off+size-1], p, first); err == nil {
					t.Fatalf("rate %v: %d values from value %d without the last byte decode", rate, n, first)
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	var param *ParamError
	for _, p := range []Params{{Rate: -1}, {Rate: math.NaN()}, {Rate: math.Inf(1)}, {Rate: 1025}, {Mode: FixedPrecision, Precision: -1},
		{Mode: FixedAccuracy}, {Mode: FixedAccuracy, Tolerance: -1}, {Mode: FixedAccuracy, Tolerance: math.NaN()}, {Mode: 3}} {
		if _, err := Encode(nil, []float64{1}, p); !errors.As(err, &param) {
			t.Errorf("%+v: %v", p, err)
		}
		if err := Decode(make([]float64, 1), make([]byte, 8), p); !errors.As(err, &param) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if _, _, err := (Params{Mode: FixedAccuracy, Tolerance: 1}).RangeBytes(0, 1); !errors.As(err, &param) {
		t.Errorf("a range of fixed accuracy: %v", err)
	}
	if _, err := ParseMode("reversible"); !errors.As(err, &param) {
		t.Errorf("reversible: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for at := range 6 {
			src := make([]float64, 6)
			src[at] = bad
			var value *ValueError
			if _, err := Encode(nil, src, Params{Rate: 8}); !errors.As(err, &value) || value.Index != at {
				t.Errorf("%v at %d: %v", bad, at, err)
			}
		}
	}
	if err := (Params{Rate: 8}).CheckSize(1<<30, 1000); !errors.Is(err, ErrTruncated) {
		t.Errorf("2^30 values in 1000 bytes: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for i, v := range vectors(f) {
		if i%7 == 0 {
			p := v.params(f)
			f.Add(v.Stream, uint8(p.Mode), v.Value, uint16(len(v.Source)/8))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, mode uint8, value float64, n uint16) {
		p := Params{Mode: Mode(mode), Rate: value, Precision: int(min(max(value, -5), 100)), Tolerance: value}
		dst := make([]float64, n)
		err := Decode(dst, src, p)
		var param *ParamError
		var stream *StreamError
		if err != nil && !errors.As(err, &param) && !errors.As(err, &stream) {
			t.Fatalf("%T: %v", err, err)
		}
		if err != nil || p.Mode != FixedRate || n == 0 {
			return
		}
		first := int(n) / 3
		off, size, err := p.RangeBytes(first, int(n)-first)
		if err != nil {
			t.Fatal(err)
		}
		part := make([]float64, int(n)-first)
		if err := DecodeRange(part, src[off:off+size], p, first); err != nil || !same(part, dst[first:]) {
			t.Fatalf("a range of a stream that decodes: %v", err)
		}
	})
}

func Benchmark(b *testing.B) {
	src := field(1 << 20)
	for _, p := range []Params{{Rate: 8}, {Rate: 16}, {Mode: FixedAccuracy, Tolerance: 1e-3}, {Mode: FixedPrecision, Precision: 32}} {
		name := fmt.Sprintf("%v-%v", p.Mode, max(p.Rate, p.Tolerance, float64(p.Precision)))
		var stream []byte
		var err error
		b.Run(name+"/encode", func(b *testing.B) {
			b.SetBytes(int64(8 * len(src)))
			for b.Loop() {
				if stream, err = Encode(stream[:0], src, p); err != nil {
					b.Fatal(err)
				}
			}
		})
		dst := make([]float64, len(src))
		b.Run(name+"/decode", func(b *testing.B) {
			b.SetBytes(int64(8 * len(src)))
			for b.Loop() {
				if err := Decode(dst, stream, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
