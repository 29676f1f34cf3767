package tgm

import (
	"fmt"
	"io"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

const benchPoints = 721 * 1440

func BenchmarkEncodeArray(b *testing.B) {
	data := sampleData(Float64, benchPoints)
	for _, p := range []Pipeline{
		{}, {Compression: "zstd"}, {Compression: "lz4"}, {Filter: "shuffle", Compression: "zstd"},
		{Encoding: "simple_packing"}, {Encoding: "simple_packing", Compression: "szip"},
	} {
		b.Run(fmt.Sprintf("%s-%s-%s", p.Encoding, p.Filter, p.Compression), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				o, err := EncodeArray(Array{Shape: []uint64{721, 1440}, DType: Float64, Data: data}, p)
				if err != nil {
					b.Fatal(err)
				}
				o.Release()
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	data := sampleData(Float64, benchPoints)
	for _, p := range []Pipeline{
		{}, {Compression: "zstd"}, {Compression: "lz4"}, {Filter: "shuffle", Compression: "zstd"},
		{Encoding: "simple_packing"}, {Encoding: "simple_packing", Compression: "szip"},
	} {
		m, _ := message(b, WriterOptions{}, mustEncode(b, Float64, data, p))
		o, err := m.Object(0)
		if err != nil {
			b.Fatal(err)
		}
		room := make([]byte, len(data))
		b.Run(fmt.Sprintf("%s-%s-%s", p.Encoding, p.Filter, p.Compression), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := o.Decode(DecodeOptions{Dst: room}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncodePacked stores a global field of quantised values in the forms that GRIB messages
// have them in.
func BenchmarkEncodePacked(b *testing.B) {
	for _, bits := range []int{12, 16, 24} {
		values, _ := float64sOf(sampleData(Float64, benchPoints), LittleEndian)
		params, err := packing.Compute(values, bits, 0)
		if err != nil {
			b.Fatal(err)
		}
		packed, err := packing.Encode(nil, values, params)
		if err != nil {
			b.Fatal(err)
		}
		samples := make([]uint32, benchPoints)
		if err := packing.UnpackUint32(samples, packed, bits); err != nil {
			b.Fatal(err)
		}
		stream, _, err := aec.EncodeUint32(nil, samples, aec.Params{BitsPerSample: bits, BlockSize: 32, RSI: 128, Flags: aec.Preprocess})
		if err != nil {
			b.Fatal(err)
		}
		shape := []uint64{721, 1440}
		for name, q := range map[string]Packed{
			"bits":    {Shape: shape, Params: params, Bits: packed},
			"samples": {Shape: shape, Params: params, Samples: samples},
			"aec":     {Shape: shape, Params: params, AEC: &aec.Stream{Data: stream, BlockSize: 32, RSI: 128, Flags: 14}},
		} {
			for _, compression := range []string{"szip", "none"} {
				b.Run(fmt.Sprintf("%d-%s-%s", bits, name, compression), func(b *testing.B) {
					b.SetBytes(8 * benchPoints)
					b.ReportAllocs()
					for b.Loop() {
						o, err := EncodePacked(q, Pipeline{Compression: compression})
						if err != nil {
							b.Fatal(err)
						}
						o.Release()
					}
				})
			}
		}
	}
}

func BenchmarkMessageWriter(b *testing.B) {
	o := mustEncode(b, Float64, sampleData(Float64, benchPoints/4), Pipeline{})
	dir := b.TempDir()
	b.SetBytes(10 * o.Size())
	b.ReportAllocs()
	for b.Loop() {
		w := NewMessageWriter(io.Discard, WriterOptions{TempDir: dir})
		for range 10 {
			if err := w.Append(o, map[string]any{"name": "2t"}); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
