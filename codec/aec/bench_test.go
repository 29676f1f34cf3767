package aec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// benchInput is a stream and its decoded samples. The same kinds of data are measured against
// libaec by bench/aec.
type benchInput struct {
	name       string
	params     Params
	coded, raw []byte
}

func benchInputs(b *testing.B) []benchInput {
	var all []benchInput
	for _, name := range []string{"2t", "q_150", "lsm"} {
		p, coded, n := ccsdsField(b, "../../fixtures/grib/"+name+".grib2")
		raw := make([]byte, n*p.SampleBytes())
		if err := Decode(raw, coded, p); err != nil {
			b.Fatal(err)
		}
		all = append(all, benchInput{name, p, coded, raw})
	}
	for _, bits := range []int{16, 24, 32} {
		p := Params{BitsPerSample: bits, BlockSize: 16, RSI: 128, Flags: Preprocess | MSB | ThreeByte}
		rng := rand.New(rand.NewPCG(1, 2))
		x := make([]uint32, 1<<20)
		for i := range x {
			v := 0.5 + 0.45*math.Sin(float64(i>>10)/40)*math.Cos(float64(i&1023)/40) + 0.0017*rng.Float64()
			x[i] = uint32(v * float64(p.sampleMask()))
		}
		coded, _, err := EncodeUint32(nil, x, p)
		if err != nil {
			b.Fatal(err)
		}
		raw := make([]byte, len(x)*p.SampleBytes())
		storeFunc(p)(raw, x)
		all = append(all, benchInput{map[int]string{16: "field16", 24: "field24", 32: "field32"}[bits], p, coded, raw})
	}
	return all
}

func benchmark(b *testing.B, do func(in benchInput) error) {
	for _, in := range benchInputs(b) {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.raw)))
			for b.Loop() {
				if err := do(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	benchmark(b, func(in benchInput) error { return Decode(in.raw, in.coded, in.params) })
}

func BenchmarkDecodeUint32(b *testing.B) {
	var x []uint32
	benchmark(b, func(in benchInput) error {
		if n := len(in.raw) / in.params.SampleBytes(); n != len(x) {
			x = make([]uint32, n)
		}
		return DecodeUint32(x, in.coded, in.params)
	})
}

func BenchmarkEncode(b *testing.B) {
	var buf []byte
	benchmark(b, func(in benchInput) (err error) {
		buf, _, err = Encode(buf[:0], in.raw, in.params)
		return err
	})
}

func BenchmarkScanOffsets(b *testing.B) {
	benchmark(b, func(in benchInput) error {
		_, err := ScanOffsets(in.coded, in.params, len(in.raw)/in.params.SampleBytes())
		return err
	})
}
