package slab

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// TestBoxes reads random boxes of random arrays.
func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		rank, size := r.IntN(5), []int{1, 2, 3, 4, 8, 12}[r.IntN(6)]
		shape, count := make([]uint64, rank), make([]uint64, rank)
		n, box, from := size, size, int64(0)
		for i := range shape {
			shape[i] = 1 + r.Uint64N(6)
			n *= int(shape[i])
		}
		strides := nd.Strides(shape, int64(size))
		for i := range shape {
			first := r.Uint64N(shape[i])
			count[i] = 1 + r.Uint64N(shape[i]-first)
			box *= int(count[i])
			from += int64(first) * strides[i]
		}
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(r.Uint32())
		}
		want, read := make([]byte, box), make([]byte, box)
		nd.CopyStrided(want, nd.Strides(count, int64(size)), src[from:], strides, count, size)
		region := Region{Source: wire.Source{R: bytes.NewReader(src), Size: int64(n)}, What: "test",
			Offset: from, Strides: strides, Count: count, Size: size}
		if err := region.Read(context.Background(), read, nil); err != nil || !bytes.Equal(read, want) {
			t.Fatalf("read of %v of %v: other elements (%v)", count, shape, err)
		}
	}
}

// TestLargeBoxes reads boxes that are split among goroutines and boxes with wide gaps.
func TestLargeBoxes(t *testing.T) {
	shape := []uint64{3, 500, 4096}
	src := make([]byte, 3*500*4096*2)
	r := rand.New(rand.NewPCG(3, 1))
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	strides := nd.Strides(shape, int64(2))
	for _, count := range [][]uint64{{3, 500, 4096}, {1, 500, 4096}, {3, 500, 10}, {3, 3, 1}, {1, 400, 3000}} {
		n := 2
		for _, c := range count {
			n *= int(c)
		}
		want, got := make([]byte, n), make([]byte, n)
		nd.CopyStrided(want, nd.Strides(count, int64(2)), src, strides, count, 2)
		region := Region{Source: wire.Source{R: bytes.NewReader(src), Size: int64(len(src))}, What: "test", Strides: strides, Count: count, Size: 2}
		flip := func(b []byte) {
			for i := range b {
				b[i] = ^b[i]
			}
		}
		if err := region.Read(context.Background(), got, flip); err != nil {
			t.Fatal(err)
		}
		flip(want)
		if !bytes.Equal(got, want) {
			t.Errorf("box %v: other elements", count)
		}
	}
}
