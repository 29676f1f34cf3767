//go:build interop

package aec

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/bench/peer/libaec"
)

func startLibaec(t testing.TB) func(libaec.Request) libaec.Answer {
	t.Helper()
	peer, err := libaec.Start("../..", t.TempDir())
	if errors.Is(err, libaec.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := peer.Close(); err != nil {
			t.Errorf("aec_peer: %v", err)
		}
	})
	return func(r libaec.Request) libaec.Answer {
		t.Helper()
		a, err := peer.Do(r)
		if err != nil {
			t.Fatalf("%+v: %v", r.Op, err)
		}
		return a
	}
}

func request(op libaec.Op, p Params, in []byte, outSize int) libaec.Request {
	return libaec.Request{Op: op, BitsPerSample: p.BitsPerSample, BlockSize: p.BlockSize, RSI: p.RSI, Flags: int(p.Flags), In: in, OutSize: outSize}
}

// matrixParams yields every width with every block size and flag set, and an interval that varies.
func matrixParams(rng *rand.Rand, yield func(Params)) {
	for bits := 1; bits <= 32; bits++ {
		for flags := Flags(0); flags <= 127; flags++ {
			sizes := []int{8, 16, 32, 64}
			if flags&NotEnforce != 0 {
				sizes = []int{2, 4, 6, 8, 10, 24, 64, 66, 100, 250}
				sizes = []int{sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]}
			}
			for _, bs := range sizes {
				p := Params{BitsPerSample: bits, BlockSize: bs, RSI: 1 + rng.IntN(300), Flags: flags}
				switch rng.IntN(12) {
				case 0:
					p.RSI = 1
				case 1:
					p.RSI = 4096
				case 2:
					p.RSI = 64
				case 3:
					p.RSI = 128
				}
				if p.Validate() == nil {
					yield(p)
				}
			}
		}
	}
}

// TestMatrixAgainstLibaec compares encoder, interval offsets, decoder, scan and range decoding with libaec.
func TestMatrixAgainstLibaec(t *testing.T) {
	do := startLibaec(t)
	rng := rand.New(rand.NewPCG(121, 3))
	cases, samples, wrongOffsets := 0, 0, 0
	kinds := sampleKinds()
	matrixParams(rng, func(p Params) {
		for _, kind := range kinds {
			n := matrixLength(rng, p)
			x := kind.make(rng, n, p)
			cases++
			samples += n
			name := fmt.Sprintf("%+v %s n=%d", p, kind.name, n)
			wrongOffsets += compareWithLibaec(t, do, name, p, x, rng)
			if t.Failed() {
				t.FailNow()
			}
		}
	})
	t.Logf("%d cases, %d samples; libaec's encoder misses interval offsets in %d cases", cases, samples, wrongOffsets)
}

// matrixLength chooses a sample count: none, few, partial blocks, partial and whole intervals.
func matrixLength(rng *rand.Rand, p Params) int {
	interval := p.RSI * p.BlockSize
	switch rng.IntN(8) {
	case 0:
		return rng.IntN(3)
	case 1:
		return p.BlockSize * (1 + rng.IntN(4))
	case 2:
		return min(interval, 20000)
	case 3:
		return min(2*interval, 20000)
	case 4:
		return min(interval+rng.IntN(interval), 20000)
	}
	return rng.IntN(5000)
}

func compareWithLibaec(t *testing.T, do func(libaec.Request) libaec.Answer, name string, p Params, x []uint32, rng *rand.Rand) (wrongOffsets int) {
	t.Helper()
	raw := make([]byte, len(x)*p.SampleBytes())
	storeFunc(p)(raw, x)
	want := do(request(libaec.Encode, p, raw, 8*len(raw)+8*p.BlockSize+1<<16))
	if want.Status != 0 {
		t.Fatalf("%s: libaec's encoder returned %d", name, want.Status)
	}
	coded, offsets, err := Encode(nil, raw, p)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(coded, want.Out) {
		t.Fatalf("%s: encoded %d bytes, libaec %d, first difference at byte %d", name, len(coded), len(want.Out), firstDifference(coded, want.Out))
	}
	if len(offsets) != p.Intervals(len(x)) {
		t.Fatalf("%s: %d offsets", name, len(offsets))
	}
	if !slices.Equal(offsets, want.Offsets[:min(len(offsets), len(want.Offsets))]) {
		wrongOffsets = 1
	}
	if p.Flags&PadRSI != 0 {
		return wrongOffsets // libaec does not pad what it writes, so its decoder does not read it back
	}
	dec := do(request(libaec.Decode, p, coded, len(raw)))
	if dec.Status != 0 || len(dec.Out) != len(raw) {
		// The table of libaec's decoder ends before what its encoder writes for long blocks.
		t.Logf("%s: libaec cannot decode what it encoded (%d)", name, dec.Status)
	}
	got := make([]byte, len(raw))
	if err := Decode(got, coded, p); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if dec.Status == 0 && !bytes.Equal(got, dec.Out) {
		t.Fatalf("%s: decoded differently at byte %d of %d (libaec %d)", name, firstDifference(got, dec.Out), len(got), len(dec.Out))
	}
	if n := len(offsets); dec.Status == 0 && n > 0 && !slices.Equal(offsets, dec.Offsets[:n]) {
		t.Fatalf("%s: offsets %v, libaec's decoder %v", name, offsets, dec.Offsets)
	}
	scanned, err := ScanOffsets(coded, p, len(x))
	if err != nil || !slices.Equal(scanned, offsets) {
		t.Fatalf("%s: scanned %v %v, want %v", name, scanned, err, offsets)
	}
	if len(x) == 0 {
		return wrongOffsets
	}
	first := rng.IntN(len(x))
	count := 1 + rng.IntN(len(x)-first)
	size := p.SampleBytes()
	part := make([]byte, count*size)
	if err := DecodeRange(part, coded, p, offsets, first, count); err != nil {
		t.Fatalf("%s: range %d+%d: %v", name, first, count, err)
	}
	if !bytes.Equal(part, got[first*size:(first+count)*size]) {
		t.Fatalf("%s: range %d+%d differs", name, first, count)
	}
	r := request(libaec.Range, p, coded, len(part))
	r.First, r.Offsets = first*size, offsets
	if a := do(r); a.Status == 0 && !bytes.Equal(a.Out, part) {
		t.Fatalf("%s: range %d+%d differs from libaec's", name, first, count)
	}
	return wrongOffsets
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
