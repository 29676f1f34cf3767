package main

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"

	"github.com/tgmconv/tgmconv/tgm"
)

// field is the field of the reference's benchmarks: a wave of 30 around 280 with noise of
// SplitMix64.
func field(n int) []byte {
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	rows := (n + columns - 1) / columns
	state := uint64(42)
	noise := func() float64 {
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return float64((z^z>>31)>>11) / (1 << 53)
	}
	raw := make([]byte, 0, 8*n)
	for k := range n {
		y := math.Sin(2 * math.Pi * 4 * float64(k/columns) / float64(rows))
		x := math.Cos(2 * math.Pi * 4 * float64(k%columns) / float64(columns))
		wave, jitter := float64(30*float64(y*x)), float64(2*noise())
		jitter = float64(0.1 * float64(jitter-1))
		v := float64(280+wave) + jitter
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return raw
}

// task is one way to store the field, as both sides say it.
type task struct {
	name string
	bits int            // of packed integers, 0 for none
	peer map[string]any // of the descriptor
	ours tgm.Pipeline   // the same
}

// tasks are the rows of the reference's codec matrix, but szip of float64: both sides refuse it.
// The last ones are of its benchmark of threads.
func tasks() []task {
	codecs := []struct {
		name   string
		params map[string]any
	}{
		{"none", nil},
		{"zstd", map[string]any{"zstd_level": 3}},
		{"lz4", nil},
		{"blosc2", map[string]any{"blosc2_codec": "blosclz", "blosc2_clevel": 5}},
		{"szip", map[string]any{"szip_rsi": 128, "szip_block_size": 16, "szip_flags": 8}},
	}
	var list []task
	for _, bits := range []int{0, 16, 24, 32} {
		for _, c := range codecs {
			if bits == 0 && c.name == "szip" {
				continue
			}
			t := task{name: c.name, bits: bits, peer: map[string]any{"compression": c.name}, ours: tgm.Pipeline{Compression: c.name, Params: c.params}}
			maps.Copy(t.peer, c.params)
			if bits > 0 {
				t.name = fmt.Sprintf("sp%d+%s", bits, c.name)
				t.peer["encoding"], t.ours.Encoding, t.ours.Bits = "simple_packing", "simple_packing", bits
			}
			list = append(list, t)
		}
	}
	for _, rate := range []float64{16, 24, 32} {
		list = append(list, lossy(fmt.Sprintf("zfp rate %g", rate), "zfp", map[string]any{"zfp_mode": "fixed_rate", "zfp_rate": rate}))
	}
	list = append(list, lossy("sz3 abs 0.01", "sz3", map[string]any{"sz3_error_bound_mode": "abs", "sz3_error_bound": 0.01}))
	shuffled := task{name: "shuffle+zstd", peer: map[string]any{"filter": "shuffle", "shuffle_element_size": 8, "compression": "zstd", "zstd_level": 3}}
	shuffled.ours = tgm.Pipeline{Filter: "shuffle", Compression: "zstd"}
	lz4 := lossy("blosc2 lz4", "blosc2", map[string]any{"blosc2_codec": "lz4", "blosc2_clevel": 5})
	return append(list, shuffled, lz4)
}

func lossy(name, codec string, params map[string]any) task {
	peer := map[string]any{"compression": codec}
	maps.Copy(peer, params)
	return task{name: name, peer: peer, ours: tgm.Pipeline{Compression: codec, Params: params}}
}
