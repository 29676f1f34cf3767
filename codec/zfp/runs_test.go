package zfp

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// FuzzPlanes compares the tables with the coder that goes bit by bit.
func FuzzPlanes(f *testing.F) {
	f.Add(uint64(1)<<62, uint64(3), uint64(1)<<40, uint64(77), uint8(64), uint16(300))
	f.Add(uint64(0), uint64(0), uint64(0), uint64(5), uint8(64), uint16(63))
	f.Fuzz(func(t *testing.T, a, b, c, d uint64, planes uint8, budget uint16) {
		comparePlanes(t, [blockValues]uint64{a, b, c, d}, planes, budget)
	})
}

// TestPlanes compares the tables with the coder for blocks of many sizes. Most end in the middle
// of a plane.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		var u [blockValues]uint64
		for i := range u {
			u[i] = rng.Uint64() >> rng.IntN(64) & (rng.Uint64() | -(rng.Uint64() & 1))
		}
		comparePlanes(t, u, uint8(rng.Uint32()), uint16(rng.Uint32()))
	}
}

func comparePlanes(t *testing.T, u [blockValues]uint64, planes uint8, budget uint16) {
	t.Helper()
	makeTables()
	last := allPlanes - int(planes%(allPlanes+1))
	var slow, fast bitWriter
	n, left := 0, int(budget%400)
	for k := allPlanes - 1; k >= last && left > 0; k-- {
		x := u[0]>>k&1 | u[1]>>k&1<<1 | u[2]>>k&1<<2 | u[3]>>k&1<<3
		n, left = slow.plane(x, n, left)
	}
	if got := fast.planes(&u, allPlanes-last, int(budget%400)); got != left {
		t.Fatalf("%d bits left, expected %d", got, left)
	}
	want := slow.flush()
	if got := fast.flush(); !bytes.Equal(got, want) {
		t.Fatalf("% x, expected % x", got, want)
	}
	var back, plain [blockValues]uint64
	end := decodePlanes(&back, want, 0, allPlanes-last, int(budget%400))
	r := wideReader{src: want}
	n, left = 0, int(budget%400)
	for k := allPlanes - 1; k >= last && left > 0; k-- {
		p := planeReader{window(want, r.at), left}
		x, after := p.plane(n)
		r.at += uint64(left - p.budget)
		left, n = p.budget, after
		for i := range plain {
			plain[i] |= x >> i & 1 << k
		}
	}
	if back != plain || end != r.at {
		t.Fatalf("%x up to bit %d, expected %x up to bit %d", back, end, plain, r.at)
	}
}

type wideReader struct {
	src []byte
	at  uint64
}
