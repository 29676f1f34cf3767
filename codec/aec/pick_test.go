package aec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
)

// TestPick compares samples that are picked with the same samples of the whole stream.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range []aec.Params{
		{BitsPerSample: 16, BlockSize: 32, RSI: 128, Flags: aec.Preprocess},
		{BitsPerSample: 16, BlockSize: 16, RSI: 5, Flags: aec.Preprocess},
		{BitsPerSample: 12, BlockSize: 8, RSI: 1, Flags: aec.Preprocess | aec.Signed},
		{BitsPerSample: 24, BlockSize: 64, RSI: 3},
		{BitsPerSample: 3, BlockSize: 8, RSI: 64, Flags: aec.Preprocess | aec.Restricted},
		{BitsPerSample: 16, BlockSize: 4098, RSI: 2, Flags: aec.Preprocess | aec.NotEnforce},
	} {
		const n = 20011
		samples, stream, offsets := smooth(t, r, p, n)
		for _, count := range []int{1, 2, 30, 1000, n} {
			at := make([]uint64, count)
			for i := range at {
				at[i] = r.Uint64N(n)
			}
			at[0] = n - 1
			slices.Sort(at)
			for _, known := range [][]uint64{offsets, nil} {
				got := make([]uint32, count)
				if err := aec.Pick(got, stream, p, known, n, at, 0); err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
				for i, k := range at {
					if got[i] != samples[k] {
						t.Fatalf("%+v: sample %d is %d, expected %d", p, k, got[i], samples[k])
					}
				}
			}
		}
		// A part of the stream from its second interval on.
		interval := uint64(p.BlockSize * p.RSI)
		if len(offsets) < 3 {
			continue
		}
		got := make([]uint32, 2)
		if err := aec.Pick(got, stream[offsets[1]/8:], p, offsets[1:], int(2*interval), []uint64{interval, 2*interval + 1}, interval); err != nil {
			t.Fatal(err)
		}
		if got[0] != samples[interval] || got[1] != samples[2*interval+1] {
			t.Errorf("%+v: samples of a part are %v", p, got)
		}
	}
}

// smooth encodes samples with runs of equal values, and returns their decoded form.
func smooth(t *testing.T, r *rand.Rand, p aec.Params, n int) (samples []uint32, stream []byte, offsets []uint64) {
	t.Helper()
	size, at := p.SampleBytes(), uint32(0)
	data := make([]byte, n*size)
	for i := range n {
		if i/700%3 != 0 {
			at = (at + r.Uint32N(5)) & (1<<p.BitsPerSample - 1)
		}
		for b := range size {
			data[i*size+b] = byte(at >> (8 * b))
		}
		if p.Flags&aec.Signed != 0 {
			at &= 1<<(p.BitsPerSample-1) - 1
		}
	}
	stream, offsets, err := aec.Encode(nil, data, p)
	if err != nil {
		t.Fatal(err)
	}
	samples = make([]uint32, n)
	if err := aec.DecodeUint32(samples, stream, p); err != nil {
		t.Fatal(err)
	}
	return samples, stream, offsets
}

func TestPickErrors(t *testing.T) {
	p := aec.Params{BitsPerSample: 16, BlockSize: 16, RSI: 8, Flags: aec.Preprocess}
	_, stream, offsets := smooth(t, rand.New(rand.NewPCG(1, 2)), p, 1000)
	dst := make([]uint32, 2)
	for name, err := range map[string]error{
		"beyond the end":   aec.Pick(dst, stream, p, offsets, 1000, []uint64{1, 1000}, 0),
		"before the base":  aec.Pick(dst, stream, p, offsets, 1000, []uint64{1, 100}, 2),
		"descending":       aec.Pick(dst, stream, p, offsets, 1000, []uint64{500, 1}, 0),
		"too few offsets":  aec.Pick(dst, stream, p, offsets[:1], 1000, []uint64{1, 999}, 0),
		"offset outside":   aec.Pick(dst, stream, p, []uint64{0, 1 << 40}, 1000, []uint64{1, 200}, 0),
		"truncated stream": aec.Pick(dst, stream[:20], p, nil, 1000, []uint64{1, 999}, 0),
		"destination":      aec.Pick(dst[:1], stream, p, nil, 1000, []uint64{1, 999}, 0),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkPick(b *testing.B) {
	p := aec.Params{BitsPerSample: 16, BlockSize: 32, RSI: 128, Flags: aec.Preprocess}
	const n = 1038240
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 2*n)
	v := uint16(30000)
	for i := range n {
		v += uint16(r.Uint32N(600)) - 300
		data[2*i], data[2*i+1] = byte(v), byte(v>>8)
	}
	stream, offsets, err := aec.Encode(nil, data, p)
	if err != nil {
		b.Fatal(err)
	}
	for _, count := range []int{1, 10, 100, 1000} {
		at := make([]uint64, count)
		for i := range at {
			at[i] = r.Uint64N(n)
		}
		slices.Sort(at)
		dst := make([]uint32, count)
		for name, known := range map[string][]uint64{"offsets": offsets, "scan": nil} {
			b.Run(fmt.Sprint(name, "-", count), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := aec.Pick(dst, stream, p, known, n, at, 0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("whole", func(b *testing.B) {
		all := make([]uint32, n)
		for b.Loop() {
			if err := aec.DecodeUint32(all, stream, p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestDecodeUint32Range compares parts with the whole stream.
func TestDecodeUint32Range(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range []aec.Params{
		{BitsPerSample: 16, BlockSize: 32, RSI: 128, Flags: aec.Preprocess},
		{BitsPerSample: 12, BlockSize: 8, RSI: 1, Flags: aec.Preprocess | aec.Signed},
		{BitsPerSample: 24, BlockSize: 64, RSI: 3},
		{BitsPerSample: 16, BlockSize: 4098, RSI: 2, Flags: aec.Preprocess | aec.NotEnforce},
	} {
		const n = 20011
		samples, stream, offsets := smooth(t, r, p, n)
		for range 200 {
			first := r.IntN(n)
			got := make([]uint32, r.IntN(n-first+1))
			if err := aec.DecodeUint32Range(got, stream, p, offsets, first); err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			if !slices.Equal(got, samples[first:first+len(got)]) {
				t.Fatalf("%+v: other samples from %d on", p, first)
			}
		}
		if err := aec.DecodeUint32Range(make([]uint32, 1), stream, p, offsets, 2*n); err == nil {
			t.Errorf("%+v: no error beyond the stream", p)
		}
	}
}
