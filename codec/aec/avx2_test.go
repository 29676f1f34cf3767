package aec

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// encodeGeneric is EncodeUint32 without vector kernels.
func encodeGeneric(t *testing.T, x []uint32, p Params) []byte {
	t.Helper()
	if len(x) == 0 {
		return []byte{0}
	}
	e := newEncoder(nil, len(x), p)
	e.vectors = false
	load := func(piece []uint32, first int) error { copy(piece, x[first:]); return nil }
	if err := e.samples(0, len(x), len(x), 32, load); err != nil {
		t.Fatal(err)
	}
	return e.w.finish()
}

// TestVectorsAgree encodes every kind of samples with and without vector kernels.
func TestVectorsAgree(t *testing.T) {
	if !vectors {
		t.Skip("no vector kernels")
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for _, kind := range sampleKinds() {
		for _, bits := range []int{1, 2, 4, 5, 8, 11, 12, 16, 17, 24, 28, 31, 32} {
			for _, block := range []int{8, 16, 24, 32, 64, 1 << 16} {
				for _, flags := range []Flags{Preprocess, Preprocess | Signed} {
					p := Params{BitsPerSample: bits, BlockSize: block, RSI: 5, Flags: flags | NotEnforce}
					x := kind.make(rng, 20*64+3, p)
					got, _, err := EncodeUint32(nil, x, p)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, encodeGeneric(t, x, p)) {
						t.Fatalf("%s, %+v: vector kernels and plain form differ", kind.name, p)
					}
				}
			}
		}
	}
}

// TestMapSumsAVX2 compares the kernel with its plain form at every splitting position.
func TestMapSumsAVX2(t *testing.T) {
	if !vectors {
		t.Skip("no vector kernels")
	}
	rng := rand.New(rand.NewPCG(6, 6))
	exact := 0
	for i := range 20000 {
		p := Params{BitsPerSample: 1 + rng.IntN(32), BlockSize: 8 * (1 + rng.IntN(8))}
		kinds := sampleKinds()
		x := kinds[i%len(kinds)].make(rng, p.BlockSize+1, p)
		bias := uint32(rng.IntN(2)) << (p.BitsPerSample - 1)
		a := assessment{bias: bias, mask: p.sampleMask(), high: ^(^uint32(0) / uint32(p.BlockSize)), k: uint32(rng.IntN(31))}
		got, want := slices.Clone(x[1:]), slices.Clone(x[1:])
		isExact := mapSumsAVX2(&got[0], len(got), x[0]^bias, &a)
		total := mapBlock(want, uint64(x[0]^bias), uint64(bias), uint64(a.mask))
		if !slices.Equal(got, want) {
			t.Fatalf("%d bits, bias %#x: %v becomes %v, want %v", p.BitsPerSample, bias, x, got, want)
		}
		if isExact != !slices.ContainsFunc(want, func(v uint32) bool { return v&a.high != 0 }) {
			t.Fatalf("exact is %v with %#x: %#x", isExact, a.high, want)
		}
		if !isExact {
			continue
		}
		exact++
		before, at, after := unarySums(want, uint(a.k), total)
		if wantSums := (sums{total, before, at, after}); a.sums != wantSums {
			t.Fatalf("sums of %v at %d: %+v, want %+v", want, a.k, a.sums, wantSums)
		}
		for k := range uint(32) {
			if got, want := uint64(unarySumAVX2(&want[0], len(want), k)), unarySum(want, k); got != want {
				t.Fatalf("sum at %d is %d, want %d", k, got, want)
			}
		}
	}
	if exact < 1000 {
		t.Fatalf("only %d blocks had exact sums", exact)
	}
}

// TestUnmapAVX2 compares the kernel with its plain form. It has differences that leave one
// direction without room and such that no encoder makes.
func TestUnmapAVX2(t *testing.T) {
	if !vectors {
		t.Skip("no vector kernels")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	whole, stopped := 0, 0
	for range 20000 {
		mask := ^uint32(0) >> rng.IntN(32)
		x := rng.Uint32() & mask
		if rng.IntN(4) == 0 { // in the middle, where there is room
			x = mask / 2
		}
		most := mask >> rng.IntN(32)
		block := make([]uint32, 8*(1+rng.IntN(8)))
		for i := range block {
			block[i] = rng.Uint32() & most
		}
		if rng.IntN(8) == 0 {
			block[rng.IntN(len(block))] = rng.Uint32() // may be above mask
		}
		got, want := slices.Clone(block), slices.Clone(block)
		n := unmapAVX2(&got[0], len(got), x, mask)
		if n%8 != 0 || n < 0 || n > len(got) || !slices.Equal(got[n:], block[n:]) {
			t.Fatalf("%d of %d differences done; the others are %v, were %v", n, len(got), got[n:], block[n:])
		}
		last := unmapAnywhere(want[:n], uint64(x), uint64(mask))
		if !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("from %d with mask %#x, %v becomes %v, want %v", x, mask, block[:n], got[:n], want[:n])
		}
		if n == len(got) {
			whole++
			continue
		}
		stopped++
		noRoom := false // the next group has a difference without room, or above mask
		for i, y := range block[n : n+8] {
			before := uint32(last)
			if i > 0 {
				before = want[n+i-1]
			}
			if y>>1+y&1 > min(before, mask-before) {
				noRoom = true
				break
			}
			unmapAnywhere(want[n+i:n+i+1], uint64(before), uint64(mask))
		}
		if !noRoom {
			t.Fatalf("from %d with mask %#x, %v: stopped at %d, where there is room", x, mask, block, n)
		}
	}
	if whole < 1000 || stopped < 1000 {
		t.Fatalf("%d blocks done as wholes, %d not", whole, stopped)
	}
}
