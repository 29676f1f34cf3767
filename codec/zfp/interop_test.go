//go:build interop

package zfp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/bench/peer/pycodecs"
)

// TestCLibrary compares streams and decoded values with the C library, through zfpy. For rates
// below 3 zfpy writes past its buffer.
func TestCLibrary(t *testing.T) {
	peer, err := pycodecs.Start("../..")
	if errors.Is(err, pycodecs.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := peer.Close(); err != nil {
			t.Error(err)
		}
	}()
	rng := rand.New(rand.NewPCG(9, 9))
	for range 400 {
		src := make([]float64, 1+rng.IntN(300))
		spread := rng.IntN(500)
		for i := range src {
			src[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(1+spread)-spread/2))
		}
		p := Params{Mode: Mode(rng.IntN(3)), Rate: 3 + 0.25*float64(rng.IntN(300)), Precision: 1 + rng.IntN(64),
			Tolerance: math.Pow(10, float64(rng.IntN(600)-300))}
		compareWithC(t, peer, src, p)
	}
}

func compareWithC(t *testing.T, peer *pycodecs.Peer, src []float64, p Params) {
	t.Helper()
	key := map[Mode]string{FixedRate: "rate", FixedPrecision: "precision", FixedAccuracy: "tolerance"}[p.Mode]
	value := map[Mode]any{FixedRate: p.Rate, FixedPrecision: p.Precision, FixedAccuracy: p.Tolerance}[p.Mode]
	params := map[string]any{"mode": key, "value": value, "shape": []int{len(src)}, "dtype": "float64"}
	var raw []byte
	for _, v := range src {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	ours, err := Encode(nil, src, p)
	if err != nil {
		t.Fatal(err)
	}
	theirs, _, err := peer.Do(pycodecs.Request{Codec: "zfp", Op: "encode", Params: params}, raw)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(ours, theirs) {
		t.Errorf("%+v: other stream of %d values", p, len(src))
	}
	back, _, err := peer.Do(pycodecs.Request{Codec: "zfp", Op: "decode", Params: params}, theirs)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(src))
	if err := Decode(got, theirs, p); err != nil || !same(got, doubles(back)) {
		t.Errorf("%+v: other values of %d, error %v", p, len(src), err)
	}
}
