//go:build interop

package blosc

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/bench/peer/pycodecs"
)

func startPeer(t *testing.T) *pycodecs.Peer {
	t.Helper()
	p, err := pycodecs.Start("../..")
	if errors.Is(err, pycodecs.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestCBlosc2 has C-Blosc2 read the output of this package, and reads C-Blosc2's.
func TestCBlosc2(t *testing.T) {
	peer := startPeer(t)
	rng := rand.New(rand.NewPCG(5, 5))
	sparse := make([]byte, 40_000)
	for range 20 {
		sparse[rng.IntN(len(sparse))] = byte(rng.Uint32())
	}
	zerosFirst := append(make([]byte, 8000), wave(8000)...)
	inputs := [][]byte{{7}, wave(31), wave(32), wave(5000), wave(100_000), make([]byte, 5000), sparse, zerosFirst, bytes.Repeat([]byte{9, 0}, 5000)}
	for codec := range codecNames {
		for _, filter := range []Filter{NoFilter, Shuffle, BitShuffle} {
			for _, level := range []int{0, 1, 5, 9} {
				for _, size := range []int{1, 4, 8, 16, 24} {
					p := Params{Codec: codec, Level: level, TypeSize: size, Filter: filter, ChunkSize: []int{0, 960, 4800}[rng.IntN(3)]}
					p.BlockSize = []int{0, 128, 1000}[rng.IntN(3)]
					raw := inputs[rng.IntN(len(inputs))]
					compareWithC(t, peer, raw[:len(raw)/size*size], p)
				}
			}
		}
	}
}

func compareWithC(t *testing.T, peer *pycodecs.Peer, raw []byte, p Params) {
	t.Helper()
	if len(raw) == 0 {
		return
	}
	do := func(op string, in []byte, more map[string]any) []byte {
		params := map[string]any{"codec": p.Codec.String(), "level": p.Level, "typesize": p.TypeSize, "filter": int(p.Filter)}
		for k, v := range more {
			params[k] = v
		}
		out, _, err := peer.Do(pycodecs.Request{Codec: "blosc2", Op: op, Params: params}, in)
		if err != nil {
			t.Fatalf("%+v, %d bytes: %v", p, len(raw), err)
		}
		return out
	}
	frame := map[string]any{"frame": true, "chunksize": len(raw)}
	if p.ChunkSize > 0 {
		frame["chunksize"] = p.ChunkSize
	}
	ours, err := Encode(nil, raw, p)
	if err != nil {
		t.Fatal(err)
	}
	if got := do("decode", ours, frame); !bytes.Equal(got, raw) {
		t.Errorf("%+v: C-Blosc2 reads other bytes than the %d of our frame", p, len(raw))
	}
	if got, err := Decode(nil, do("encode", raw, frame), len(raw)); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%+v: other bytes than the %d of C-Blosc2's frame: %v", p, len(raw), err)
	}
	if ours, err = EncodeBlosc1(nil, raw, p); err != nil {
		t.Fatal(err)
	}
	if got := do("decode", ours, map[string]any{"version": 1}); !bytes.Equal(got, raw) {
		t.Errorf("%+v: C-Blosc2 reads other bytes than the %d of our Blosc 1 buffer", p, len(raw))
	}
	if got, err := DecodeChunk(nil, do("encode", raw, nil), len(raw)); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%+v: other bytes than the %d of C-Blosc2's chunk: %v", p, len(raw), err)
	}
}
