package packing

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// lengths cover empty arrays, the tails of all kernels, and several turns of each.
var lengths = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 257, 1000}

func randomValues(n int, rng *rand.Rand) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = rng.NormFloat64()*30 - 7
	}
	return values
}

// TestKernelsAgreeWithBits demands for every width the output of the bitwise forms.
func TestKernelsAgreeWithBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for bits := 1; bits <= MaxBits; bits++ {
		for _, n := range lengths {
			values := randomValues(n, rng)
			p, err := Compute(values, bits, bits%5-2)
			if err != nil {
				t.Fatal(err)
			}
			need, _ := Size(n, bits)
			want := make([]byte, need)
			encodeBits(want, values, p)
			got, err := Encode([]byte{0xAA}, values, p)
			if err != nil {
				t.Fatal(err)
			}
			if got[0] != 0xAA || !bytes.Equal(got[1:], want) {
				t.Fatalf("%d values of %d bits pack to % x, bitwise % x", n, bits, got[1:], want)
			}
			slow, fast := make([]float64, n), make([]float64, n)
			decodeBits(slow, want, p)
			if err := Decode(fast, append(want, 0x55), p); err != nil {
				t.Fatal(err)
			}
			for i := range fast {
				if fast[i] != slow[i] {
					t.Fatalf("%d values of %d bits: value %d is %v, bitwise %v", n, bits, i, fast[i], slow[i])
				}
			}
		}
	}
}

// TestEncodeInPlace writes integers of every width over the values they are made of.
func TestEncodeInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for bits := range MaxBits + 1 {
		for _, n := range []int{0, 1, 3, 7, 8, 9, 31, 1000} {
			values := randomValues(n, rng)
			p, err := Compute(values, bits, 0)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Encode(nil, values, p)
			if err != nil {
				t.Fatal(err)
			}
			var memory []byte
			if n > 0 {
				memory = unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*n)
			}
			got, err := Encode(memory[:0], values, p)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d values of %d bits differ in place (%v)", n, bits, err)
			}
			if len(got) > 0 && &got[0] != &memory[0] {
				t.Fatalf("%d values of %d bits are not in place", n, bits)
			}
		}
	}
}

func TestIntegersRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for bits := 0; bits <= 32; bits++ {
		for _, n := range lengths {
			src := make([]uint32, n)
			w := bitWriter{dst: make([]byte, (n*bits+7)/8)}
			whole := w.dst
			for i := range src {
				src[i] = rng.Uint32() >> (32 - bits)
				w.write(uint64(src[i]), bits)
			}
			w.flush()
			packed := PackUint32([]byte{1}, src, bits)
			if packed[0] != 1 || !bytes.Equal(packed[1:], whole) {
				t.Fatalf("%d integers of %d bits pack to % x, bitwise % x", n, bits, packed[1:], whole)
			}
			got := make([]uint32, n)
			if err := UnpackUint32(got, packed[1:], bits); err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if got[i] != src[i] {
					t.Fatalf("%d integers of %d bits: integer %d is %d, expected %d", n, bits, i, got[i], src[i])
				}
			}
			if len(whole) > 0 {
				if err := UnpackUint32(got, whole[:len(whole)-1], bits); err == nil {
					t.Fatalf("%d integers of %d bits were read from too few bytes", n, bits)
				}
			}
		}
	}
}

func TestPackIgnoresHighBits(t *testing.T) {
	src := make([]uint32, 37)
	for i := range src {
		src[i] = 0xFFFFFFFF
	}
	for bits := 1; bits < 32; bits++ {
		cut := make([]uint32, len(src))
		for i := range cut {
			cut[i] = 1<<bits - 1
		}
		if !bytes.Equal(PackUint32(nil, src, bits), PackUint32(nil, cut, bits)) {
			t.Errorf("%d bits: high bits change what is packed", bits)
		}
	}
}

func TestRounding(t *testing.T) {
	p := Params{Bits: 16}
	below := math.Nextafter(0.5, 0)
	for _, c := range []struct {
		v    float64
		want uint64
	}{{0.5, 1}, {1.5, 2}, {2.5, 3}, {below, 0}, {1 - below, 1}, {-3, 0}, {65534.5, 65535}, {65535.4, 65535}, {1e9, 65535}, {math.NaN(), 0}, {math.Inf(1), 65535}} {
		q := quantiser{0, 1, maxInteger(p.Bits)}
		if got := q.of(c.v); got != c.want {
			t.Errorf("%v is quantised to %d, expected %d", c.v, got, c.want)
		}
		if got := quantise(c.v, 0, 1, maxInteger(p.Bits)); got != c.want {
			t.Errorf("%v is quantised to %d bitwise, expected %d", c.v, got, c.want)
		}
	}
}

func TestCompute(t *testing.T) {
	for _, c := range []struct {
		name     string
		values   []float64
		bits, d  int
		want     Params
		position int // of the value that is refused, -1 if none
	}{
		{"empty", nil, 16, 0, Params{Bits: 16}, -1},
		{"no bits", []float64{3, 4}, 0, 0, Params{Reference: 3}, -1},
		{"constant", []float64{2.5, 2.5}, 16, 1, Params{Reference: 2.5, DecimalScale: 1, Bits: 16}, -1},
		{"exact", []float64{0, 255}, 8, 0, Params{Bits: 8}, -1},
		{"finer", []float64{-1, 1}, 16, 0, Params{Reference: -1, BinaryScale: -14, Bits: 16}, -1},
		{"decimal", []float64{0, 25.5}, 8, 1, Params{DecimalScale: 1, Bits: 8}, -1},
		{"nan", []float64{1, 2, 3, 4, 5, math.NaN()}, 8, 0, Params{}, 5},
		{"infinite", []float64{1, math.Inf(-1)}, 8, 0, Params{}, 1},
	} {
		got, err := Compute(c.values, c.bits, c.d)
		var refused *ValueError
		if c.position >= 0 {
			if !errors.As(err, &refused) || refused.Index != c.position {
				t.Errorf("%s: %v, expected value %d to be refused", c.name, err, c.position)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; expected %+v", c.name, got, err, c.want)
		}
	}
	if _, err := Compute([]float64{-1e308, 1e308}, 16, 0); err == nil {
		t.Error("a range that no binary scale factor spans was accepted")
	}
}

func TestHugeValuesUseEveryBit(t *testing.T) {
	values := []float64{0, 1, math.Ldexp(1, 60)}
	p, err := Compute(values, 64, 0)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := Encode(nil, values, p)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 3)
	if err := Decode(got, packed, p); err != nil || got[1] != 1 || got[2] != values[2] {
		t.Errorf("decoded %v, %v; expected %v", got, err, values)
	}
}

func TestParamsOutOfRange(t *testing.T) {
	for _, p := range []Params{{Bits: -1}, {Bits: 65}, {BinaryScale: 1101}, {BinaryScale: -1101}, {Reference: math.NaN()}, {Reference: math.Inf(1)}, {DecimalScale: -309}} {
		if err := Decode(make([]float64, 1), make([]byte, 16), p); err == nil {
			t.Errorf("%+v was accepted", p)
		}
		if _, err := Encode(nil, []float64{1}, p); err == nil {
			t.Errorf("%+v was accepted for encoding", p)
		}
	}
	if err := Decode(make([]float64, 9), make([]byte, 8), Params{Bits: 8}); err == nil {
		t.Error("nine values were read from eight bytes")
	}
	if _, ok := Size(math.MaxInt, 64); ok {
		t.Error("a size that overflows was returned")
	}
}

// FuzzDecode demands that decoding never panics and that kernels and bitwise form agree.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 24, 212.8, -9, 0)
	f.Add([]byte{0xFF}, 8, 1, 0.0, 0, 2)
	f.Fuzz(func(t *testing.T, src []byte, n, bits int, reference float64, e, d int) {
		if n < 0 || n > 1<<12 {
			return
		}
		p := Params{reference, e, d, bits}
		dst := make([]float64, n)
		if Decode(dst, src, p) != nil {
			return
		}
		slow := make([]float64, n)
		decodeBits(slow, src, p)
		for i := range dst {
			if math.Float64bits(dst[i]) != math.Float64bits(slow[i]) && !math.IsNaN(dst[i]) {
				t.Fatalf("value %d is %v, bitwise %v", i, dst[i], slow[i])
			}
		}
	})
}

// TestExtremeScales packs values whose steps need a binary scale factor beyond 256.
func TestExtremeScales(t *testing.T) {
	for _, unit := range []float64{1e-200, 1e-90, 1e90, 1e300} {
		values := []float64{unit, 2 * unit, 3 * unit, 7 * unit}
		p, err := Compute(values, 16, 0)
		if err != nil {
			t.Errorf("%g: %v", unit, err)
			continue
		}
		packed, err := Encode(nil, values, p)
		if err != nil {
			t.Fatal(err)
		}
		back := make([]float64, len(values))
		if err := Decode(back, packed, p); err != nil {
			t.Fatal(err)
		}
		for i, v := range back {
			if math.Abs(v-values[i]) > 1e-4*unit {
				t.Errorf("%g: value %d is %g, expected %g", unit, i, v, values[i])
			}
		}
	}
	if p, err := Compute([]float64{0, 1e-310}, 16, 0); err == nil {
		t.Errorf("values too close to each other were packed with %+v", p)
	}
}
