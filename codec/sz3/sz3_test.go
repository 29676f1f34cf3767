package sz3

import (
	"compress/gzip"
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
	Name, Mode, Algorithm   string
	Bound                   float64
	Source, Stream, Decoded []byte
}

func vectors(tb testing.TB) []vector {
	tb.Helper()
	f, err := os.Open("testdata/vectors.json.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var all []vector
	z, err := gzip.NewReader(f)
	if err == nil {
		err = json.NewDecoder(z).Decode(&all)
	}
	if err != nil || len(all) == 0 {
		tb.Fatalf("%d vectors, error %v", len(all), err)
	}
	return all
}

func doubles(b []byte) []float64 {
	v := make([]float64, len(b)/8)
	loadDoubles(v, b)
	return v
}

// same reports whether all bits are equal.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func TestDecodeVectors(t *testing.T) {
	algorithms := map[string]int{}
	for _, v := range vectors(t) {
		algorithms[v.Algorithm]++
		want := doubles(v.Decoded)
		got := make([]float64, len(want))
		if err := Decode(got, v.Stream); err != nil || !same(got, want) {
			t.Errorf("%s: other values, error %v", v.Name, err)
		}
		if n, err := Values(v.Stream); err != nil || n != len(want) {
			t.Errorf("%s: %d values, expected %d: %v", v.Name, n, len(want), err)
		}
		var format *FormatError
		if err := Decode(make([]float64, len(want)+1), v.Stream); !errors.As(err, &format) {
			t.Errorf("%s decodes to %d values: %v", v.Name, len(want)+1, err)
		}
		for _, n := range []int{0, 10, 20, len(v.Stream) / 2, len(v.Stream) - 1} {
			if err := Decode(got, v.Stream[:n]); !errors.As(err, &format) {
				t.Errorf("%s cut to %d bytes: %v", v.Name, n, err)
			}
		}
	}
	if len(algorithms) != 3 {
		t.Errorf("algorithms %v", algorithms)
	}
}

// roundTrip fails unless all values come back within the bound. It returns the stream.
func roundTrip(t *testing.T, name string, src []float64, p Params) []byte {
	t.Helper()
	stream, err := Encode([]byte("prefix"), src, p)
	if err != nil || string(stream[:6]) != "prefix" {
		t.Fatalf("%s: %v", name, err)
	}
	stream = stream[6:]
	got := make([]float64, len(src))
	if err := Decode(got, stream); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	bound, err := p.absolute(src)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range src {
		if y := got[i]; !(math.Abs(y-x) <= bound) && math.Float64bits(x) != math.Float64bits(y) {
			t.Fatalf("%s: value %d is %v, expected %v within %v", name, i, y, x, bound)
		}
	}
	return stream
}

// TestEncodeVectors codes the reference's values, also where the reference breaks the bound.
// Choices depend on the zstd library, so the streams are compared by size only.
func TestEncodeVectors(t *testing.T) {
	ours, reference := 0, 0
	for _, v := range vectors(t) {
		mode, err := ParseMode(v.Mode)
		if err != nil || mode.String() != v.Mode {
			t.Fatal(mode, err)
		}
		stream := roundTrip(t, v.Name, doubles(v.Source), Params{mode, v.Bound})
		if !strings.HasPrefix(v.Name, "defect") {
			ours, reference = ours+len(stream), reference+len(v.Stream)
		}
	}
	if ours > reference {
		t.Errorf("%d bytes, the reference has %d", ours, reference)
	}
}

func field(n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]float64, n)
	for i := range v {
		v[i] = 280 + 30*math.Sin(float64(i)/400) + 0.05*rng.NormFloat64()
	}
	return v
}

// hostile are arrays that no predictor is made for.
func hostile() map[string][]float64 {
	rng := rand.New(rand.NewPCG(7, 7))
	random, special, huge, tiny := make([]float64, 3000), field(3000), make([]float64, 3000), make([]float64, 3000)
	for i := range random {
		random[i] = math.Float64frombits(rng.Uint64())
		huge[i] = math.MaxFloat64 * (2*rng.Float64() - 1)
		tiny[i] = math.SmallestNonzeroFloat64 * float64(rng.IntN(100))
		switch rng.IntN(20) {
		case 0:
			special[i] = math.NaN()
		case 1:
			special[i] = math.Inf(1 - 2*rng.IntN(2))
		case 2:
			special[i] = math.Copysign(0, -1)
		}
	}
	edge := make([]float64, 1000)
	for i := range edge {
		edge[i] = -math.Ldexp(1, 63)
	}
	return map[string][]float64{"random": random, "special": special, "huge": huge, "tiny": tiny, "2^63 bounds": edge}
}

func TestBoundHolds(t *testing.T) {
	for name, src := range hostile() {
		for _, bound := range []float64{5e-324, 1e-300, 1e-10, 1, 1e10, 1e300, math.MaxFloat64} {
			roundTrip(t, fmt.Sprintf("%s within %v", name, bound), src, Params{Abs, bound})
		}
	}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 34, 35, 64, 65, 100, 4096, 4097, 4098, 10_000, 100_000} {
		for _, bound := range []float64{10, 0.1, 1e-6} {
			roundTrip(t, fmt.Sprintf("%d values within %v", n, bound), field(n), Params{Abs, bound})
		}
	}
}

// plans are ways to code values that the library may use, and others that it reads.
func plans() (all []plan) {
	for _, k := range []kind{linear, cubic} {
		for _, l := range [][2]float64{{1.25, 2}, {1, 1}, {1.5, 2.5}, {2, 3}, {1.7, 100}, {0.5, 1}, {-1, 1}} {
			all = append(all, plan{algorithm: interpolation, kind: k, alpha: l[0], beta: l[1], radius: defaultRadius})
		}
	}
	for _, radius := range []int{1, 100, 8192, 1 << 20} {
		all = append(all, plan{algorithm: interpolation, kind: cubic, alpha: 1.25, beta: 2, radius: radius})
		for _, block := range []int{1, 5, 128, 100_000} {
			all = append(all, plan{algorithm: lorenzo, radius: radius, block: block})
		}
	}
	return all
}

// encodeWith codes values in one way. The configuration has the block size of the plan.
func encodeWith(tb testing.TB, src []float64, bound float64, p plan) []byte {
	tb.Helper()
	e := new(encoder)
	payload, err := e.payload(src, bound, p)
	if err != nil {
		tb.Fatal(err)
	}
	c := p.config(len(src))
	if p.algorithm == lorenzo {
		c.blockSize = p.block
	}
	return appendStream(nil, payload, c, bound, 2*p.radius)
}

func TestPlans(t *testing.T) {
	for _, p := range plans() {
		for _, n := range []int{1, 6, 100, 4099} {
			src := field(n)
			got := make([]float64, n)
			if err := Decode(got, encodeWith(t, src, 0.01, p)); err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			for i := range src {
				if math.Abs(got[i]-src[i]) > 0.01 {
					t.Fatalf("%+v: value %d of %d is %v, expected %v", p, i, n, got[i], src[i])
				}
			}
		}
	}
}

// TestSize fails if a smooth field does not become much smaller.
func TestSize(t *testing.T) {
	src := field(100_000)
	for mode, p := range map[Params]int{{Abs, 0.05}: 16, {Rel, 1e-3}: 16, {PSNR, 60}: 12} {
		if stream := roundTrip(t, "field", src, mode); len(stream)*p > 8*len(src) {
			t.Errorf("%v: %d bytes, expected less than %d", mode, len(stream), 8*len(src)/p)
		}
	}
}

func TestRefuses(t *testing.T) {
	var param *ParamError
	infinite := []float64{-math.MaxFloat64, math.MaxFloat64}
	for _, c := range []struct {
		src []float64
		p   Params
	}{{nil, Params{Abs, 1}}, {field(3), Params{Abs, -1}}, {field(3), Params{Abs, math.NaN()}}, {field(3), Params{Rel, math.Inf(1)}},
		{field(3), Params{3, 1}}, {infinite, Params{Rel, 0.1}}, {infinite, Params{PSNR, 60}}, {[]float64{math.NaN(), 1}, Params{Rel, 0.1}}} {
		if _, err := Encode(nil, c.src, c.p); !errors.As(err, &param) {
			t.Errorf("%v with %v: %v", c.src, c.p, err)
		}
	}
	if _, err := ParseMode("l2"); !errors.As(err, &param) {
		t.Errorf("l2: %v", err)
	}
}

// TestUnsupported refuses by name streams that make the library abort.
func TestUnsupported(t *testing.T) {
	stream := encodeWith(t, field(100), 0.1, defaultPlan())
	configuration := headerSize + int(binary.LittleEndian.Uint64(stream[8:]))
	for name, change := range map[string]func(b []byte){
		"version":    func(b []byte) { b[5]++ },
		"dimensions": func(b []byte) { b[configuration+1] = 2 },
		"algorithm":  func(b []byte) { b[configuration+12] = 3 },
		"data type":  func(b []byte) { b[configuration+23] = 0 },
	} {
		b := slices.Clone(stream)
		change(b)
		var u *UnsupportedError
		if err := Decode(make([]float64, 100), b); !errors.As(err, &u) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPower compares with products that are exact.
func TestPower(t *testing.T) {
	for n := range 23 {
		want := 1.0
		for range n {
			want *= 1.25
		}
		if got := power(1.25, n); got != want {
			t.Errorf("1.25^%d is %v, expected %v", n, got, want)
		}
	}
}

// TestHuffmanLimits codes symbols whose codes are longer than a look-up, and a single symbol.
func TestHuffmanLimits(t *testing.T) {
	var fibonacci []int32
	a, b := 1, 1
	for s := range 22 {
		for range a {
			fibonacci = append(fibonacci, int32(s*3000))
		}
		a, b = b, a+b
	}
	rng := rand.New(rand.NewPCG(3, 3))
	rng.Shuffle(len(fibonacci), func(i, j int) { fibonacci[i], fibonacci[j] = fibonacci[j], fibonacci[i] })
	for _, symbols := range [][]int32{{5}, {7, 7, 7}, {0, 65535}, fibonacci} {
		var h huffmanEncoder
		in := cursor{b: h.append(nil, symbols, false)}
		back := make([]int32, len(symbols))
		d, err := parseHuffman(&in, len(symbols), 1<<16)
		if err == nil {
			err = d.decode(back, &in)
		}
		if err != nil || !slices.Equal(back, symbols) || len(in.b) != 0 {
			t.Errorf("%d symbols do not come back: %v", len(symbols), err)
		}
	}
}

func Benchmark(b *testing.B) {
	src := field(1 << 20)
	for _, bound := range []float64{0.1, 1e-4} {
		var stream []byte
		var err error
		b.Run(fmt.Sprintf("%v/encode", bound), func(b *testing.B) {
			b.SetBytes(int64(8 * len(src)))
			for b.Loop() {
				if stream, err = Encode(stream[:0], src, Params{Abs, bound}); err != nil {
					b.Fatal(err)
				}
			}
		})
		dst := make([]float64, len(src))
		b.Run(fmt.Sprintf("%v/decode", bound), func(b *testing.B) {
			b.SetBytes(int64(8 * len(src)))
			for b.Loop() {
				if err := Decode(dst, stream); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
