package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tgmconv/tgmconv/codec/blosc"
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
		params: map[string]any{"codec": codec, "level": level, "typesize": 8, "filter": int(filter)},
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
