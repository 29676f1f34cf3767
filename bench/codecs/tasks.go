package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/codec/sz3"
	"github.com/tgmconv/tgmconv/codec/zfp"
)

const values = 1 << 21

// inputs are fields of float64: with noise in the low bits, as measurements have, and without.
func inputs() map[string][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	noisy, smooth := make([]float64, values), make([]float64, values)
	for i := range noisy {
		x, y := float64(i&1023)/40, float64(i>>10)/40
		smooth[i] = 280 + 30*math.Sin(y)*math.Cos(x)
		noisy[i] = smooth[i] + 0.05*rng.NormFloat64()
	}
	packed := make([]float64, values)
	for i, v := range noisy {
		packed[i] = math.Round(v*64) / 64
	}
	return map[string][]float64{"noisy": noisy, "smooth": smooth, "rounded": packed}
}

func bytesOf(v []float64) []byte {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

func tasks() []task {
	in := inputs()
	var all []task
	for _, name := range []string{"noisy", "smooth", "rounded"} {
		raw := bytesOf(in[name])
		for _, codec := range []string{"blosclz", "lz4", "lz4hc", "zlib", "zstd"} {
			all = append(all, bloscTask(name, raw, codec, 5, blosc.Shuffle))
		}
		for _, p := range []zfp.Params{{Rate: 8}, {Rate: 16}, {Mode: zfp.FixedAccuracy, Tolerance: 1e-3}, {Mode: zfp.FixedPrecision, Precision: 32}} {
			all = append(all, zfpTask(name, in[name], raw, p))
		}
		for _, bound := range []float64{0.1, 1e-4} {
			// The library of the reference, 3.3.2, and a later one, which writes another format.
			all = append(all, sz3Task(name, in[name], raw, bound, "reference"), sz3Task(name, in[name], raw, bound, "pysz"))
		}
		all = append(all, bloscTask(name, raw, "lz4", 5, blosc.BitShuffle), bloscTask(name, raw, "zstd", 1, blosc.Shuffle))
	}
	return all
}

func bloscTask(input string, raw []byte, codec string, level int, filter blosc.Filter) task {
	c, err := blosc.ParseCodec(codec)
	p := blosc.Params{Codec: c, Level: level, TypeSize: 8, Filter: filter}
	var buf, back []byte
	name := fmt.Sprintf("blosc2 %s %d %s", codec, level, input)
	if filter == blosc.BitShuffle {
		name += " bits"
	}
	return task{
		name: name, codec: "blosc2", raw: raw,
		params: map[string]any{"codec": codec, "level": level, "typesize": 8, "filter": int(filter), "frame": true, "chunksize": len(raw)},
		encode: func(raw []byte) ([]byte, error) {
			if err != nil {
				return nil, err
			}
			buf, err = blosc.Encode(buf[:0], raw, p)
			return buf, err
		},
		decode: func(coded []byte) error {
			back, err = blosc.Decode(back, coded, len(raw))
			return err
		},
	}
}

func zfpTask(input string, values []float64, raw []byte, p zfp.Params) task {
	key := map[zfp.Mode]string{zfp.FixedRate: "rate", zfp.FixedPrecision: "precision", zfp.FixedAccuracy: "tolerance"}[p.Mode]
	value := map[zfp.Mode]any{zfp.FixedRate: p.Rate, zfp.FixedPrecision: p.Precision, zfp.FixedAccuracy: p.Tolerance}[p.Mode]
	var buf []byte
	back := make([]float64, len(values))
	return task{
		name: fmt.Sprintf("zfp %s %v %s", key, value, input), codec: "zfp", raw: raw,
		params: map[string]any{"mode": key, "value": value, "shape": []int{len(values)}, "dtype": "float64"},
		encode: func([]byte) (_ []byte, err error) {
			buf, err = zfp.Encode(buf[:0], values, p)
			return buf, err
		},
		decode: func(coded []byte) error { return zfp.Decode(back, coded, p) },
	}
}

func sz3Task(input string, values []float64, raw []byte, bound float64, library string) task {
	var buf []byte
	back := make([]float64, len(values))
	return task{
		name: fmt.Sprintf("sz3 abs %v %s %s", bound, input, library), codec: "sz3", raw: raw,
		params: map[string]any{"bound": bound, "n": len(values), "library": library},
		encode: func([]byte) (_ []byte, err error) {
			buf, err = sz3.Encode(buf[:0], values, sz3.Params{Mode: sz3.Abs, Bound: bound})
			return buf, err
		},
		decode: func(coded []byte) error { return sz3.Decode(back, coded) },
	}
}
