//go:build interop

package tgm

import (
	"fmt"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

// matrix returns files over types, pipelines and masks with the values they must decode to.
func matrix(t *testing.T) []ours {
	t.Helper()
	var cases []ours
	for d := Float16; d <= Bitmask; d++ {
		for _, n := range []int{0, 1, 33, 4100} {
			cases = append(cases, plainCases(t, d, n)...)
		}
	}
	for d := Float16; d <= Complex128; d++ {
		cases = append(cases, maskCases(t, d)...)
	}
	cases = append(cases, valueCases(t)...)
	cases = append(cases, lossyCases(t)...)
	return append(cases, packedCases(t)...)
}

func plainCases(t *testing.T, d DType, n int) (cases []ours) {
	data := sampleData(d, n)
	for _, filter := range []string{"none", "shuffle"} {
		for _, compression := range StageNames(CompressionStage) {
			for _, order := range []ByteOrder{LittleEndian, BigEndian} {
				stored := append([]byte(nil), data...)
				if order == BigEndian {
					swapBytes(stored, d.Component())
				}
				o, err := EncodeArray(Array{Shape: []uint64{uint64(n)}, DType: d, ByteOrder: order, Data: stored},
					Pipeline{Filter: filter, Compression: compression, Szip: SzipParams{BlockSize: 8, RSI: 16, Flags: 8}})
				if err != nil {
					continue // refused: other tests say why
				}
				c := ours{name: fmt.Sprintf("%s-%d-%s-%s-%s", d, n, order, filter, compression), obj: o, want: data}
				if n > 1000 && filter == "none" && d != Bitmask && (compression == "none" || compression == "szip") {
					c.ranges = [][2]uint64{{0, 1}, {100, 700}, {4000, 100}, {129, 128}}
				}
				cases = append(cases, c)
			}
		}
	}
	return cases
}

func maskCases(t *testing.T, d DType) (cases []ours) {
	const n = 4100
	data := withHoles(d, sampleData(d, n))
	for _, method := range StageNames(MaskStage) {
		for _, small := range []int{0, -1} {
			o, err := EncodeArray(Array{Shape: []uint64{n}, DType: d, Data: data}, Pipeline{
				Compression: "zstd", AllowNaN: true, AllowInf: true,
				Masks: MaskOptions{NaN: method, PosInf: method, NegInf: method, SmallThreshold: small},
			})
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, ours{name: fmt.Sprintf("%s-mask-%s-%d", d, method, small), obj: o, want: data})
		}
	}
	return cases
}

// valueCases pack float64 values ourselves. The expected values are computed from the parameters
// with the packing formula.
func valueCases(t *testing.T) (cases []ours) {
	const n = 4100
	data := sampleData(Float64, n)
	values, _ := float64sOf(data, LittleEndian)
	for bits := 1; bits <= 64; bits++ {
		for _, stages := range [][2]string{{"none", "none"}, {"none", "szip"}, {"none", "lz4"}, {"shuffle", "zstd"}, {"shuffle", "szip"}} {
			compression := stages[1]
			o, err := EncodeArray(Array{Shape: []uint64{n}, DType: Float64, Data: data},
				Pipeline{Encoding: "simple_packing", Bits: bits, DecimalScale: bits % 3, Filter: stages[0], Compression: compression})
			if err != nil {
				if compression != "szip" || bits <= 32 {
					t.Fatal(err)
				}
				continue
			}
			want := make([]float64, n)
			p, err := o.Descriptor().packing()
			if err != nil {
				t.Fatal(err)
			}
			step := math.Ldexp(1, p.BinaryScale) * powTenForTest(-p.DecimalScale)
			for i, v := range values {
				limit := math.Ldexp(1, bits) - 1
				q := min(math.Round((v-p.Reference)*powTenForTest(p.DecimalScale)*math.Ldexp(1, -p.BinaryScale)), limit)
				u := uint64(math.MaxUint64)
				if q < 1<<64 {
					u = uint64(q)
				}
				want[i] = p.Reference + float64(step*float64(u))
			}
			c := ours{name: fmt.Sprintf("values-%d-%s-%s", bits, stages[0], compression), obj: o, want: bytesOf(want)}
			if compression != "lz4" && stages[0] == "none" {
				c.ranges = [][2]uint64{{0, 1}, {101, 700}, {4000, 100}}
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// lossyCases compress float64 values by zfp and sz3. The expected values are our own decoded
// values.
func lossyCases(t *testing.T) (cases []ours) {
	for _, n := range []int{1, 33, 4100} {
		for _, order := range []ByteOrder{LittleEndian, BigEndian} {
			for name, p := range map[string]Pipeline{
				"zfp-rate":      {Compression: "zfp", Params: map[string]any{keyZFPMode: "fixed_rate", keyZFPRate: 16}},
				"zfp-precision": {Compression: "zfp", Params: map[string]any{keyZFPMode: "fixed_precision", keyZFPPrecision: 30}},
				"zfp-accuracy":  {Compression: "zfp", Params: map[string]any{keyZFPMode: "fixed_accuracy", keyZFPTolerance: 0.01}},
				"sz3-abs":       {Compression: "sz3", Params: map[string]any{keySZ3Mode: "abs", keySZ3Bound: 0.01}},
				"sz3-rel":       {Compression: "sz3", Params: map[string]any{keySZ3Mode: "rel", keySZ3Bound: 1e-4}},
				"sz3-lossless":  {Compression: "sz3", Params: map[string]any{keySZ3Mode: "abs", keySZ3Bound: 0}},
			} {
				data := sampleData(Float64, n)
				if order == BigEndian {
					swapBytes(data, 8)
				}
				o, err := EncodeArray(Array{Shape: []uint64{uint64(n)}, DType: Float64, ByteOrder: order, Data: data}, p)
				if err != nil {
					t.Fatal(err)
				}
				m, _ := message(t, WriterOptions{}, o)
				a, err := decodeAll(m, 0, true)
				if err != nil {
					t.Fatal(err)
				}
				cases = append(cases, ours{name: fmt.Sprintf("%s-%d-%s", name, n, order), obj: o, want: a.Data})
			}
		}
	}
	return cases
}

func powTenForTest(n int) float64 {
	x := 1.0
	for range max(n, -n) {
		x *= 10
	}
	if n < 0 {
		return 1 / x
	}
	return x
}

// packedCases store integers of a source as they are, in all three forms, with and without missing
// points.
func packedCases(t *testing.T) (cases []ours) {
	const n = 5000
	for bits := 0; bits <= 32; bits++ {
		params := packing.Params{Reference: 212.84, BinaryScale: -7, DecimalScale: bits % 2, Bits: bits}
		samples := make([]uint32, n)
		for i := range samples {
			samples[i] = uint32((uint64(1)<<bits - 1) * uint64(i%1237) / 1236)
		}
		for _, masked := range []bool{false, true} {
			var missing *Mask
			if masked {
				missing = bitmask.New(n)
				for i := 40; i < n; i += 1 + i%11 {
					missing.Set(i)
					samples[i] = 0
				}
			}
			for form, q := range sourceForms(t, samples, params) {
				for _, compression := range []string{"", "none", "zstd"} {
					q.Shape, q.Params, q.Missing = []uint64{50, 100}, params, missing
					o, err := EncodePacked(q, Pipeline{Compression: compression})
					if err != nil {
						t.Fatalf("%d bits as %s: %v", bits, form, err)
					}
					c := ours{name: fmt.Sprintf("packed-%d-%s-%t-%s", bits, form, masked, compression), obj: o, want: expected(samples, params, missing)}
					if compression != "zstd" {
						c.ranges = [][2]uint64{{0, 1}, {1001, 700}, {4900, 100}, {2048, 2048}}
					}
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// sourceForms gives the integers in each of the forms a source may have them in.
func sourceForms(t *testing.T, samples []uint32, p packing.Params) map[string]Packed {
	t.Helper()
	if p.Bits == 0 {
		return map[string]Packed{"constant": {}}
	}
	stream := aec.Params{BitsPerSample: p.Bits, BlockSize: 32, RSI: 13, Flags: aec.Preprocess}
	coded, offsets, err := aec.EncodeUint32(nil, samples, stream)
	if err != nil {
		t.Fatal(err)
	}
	// The flags are the flags of ECMWF's GRIB files.
	return map[string]Packed{
		"samples": {Samples: samples},
		"bits":    {Bits: packing.PackUint32(nil, samples, p.Bits)},
		"aec":     {AEC: &aec.Stream{Data: coded, BlockSize: 32, RSI: 13, Flags: 14}},
		"offsets": {AEC: &aec.Stream{Data: coded, BlockSize: 32, RSI: 13, Flags: 14, Offsets: offsets}},
	}
}

// expected computes the values of integers, NaN where they are missing.
func expected(samples []uint32, p packing.Params, missing *Mask) []byte {
	step := math.Ldexp(1, p.BinaryScale) * powTenForTest(-p.DecimalScale)
	var out []byte
	for i, q := range samples {
		v := p.Reference + float64(step*float64(q))
		b := math.Float64bits(v)
		if missing.Get(i) {
			b = maskKinds[kindNaN].bits64
		}
		out = append(out, byte(b), byte(b>>8), byte(b>>16), byte(b>>24), byte(b>>32), byte(b>>40), byte(b>>48), byte(b>>56))
	}
	return out
}
