package fromnetcdf

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
)

// TestCut divides variables and counts their elements in C order.
func TestCut(t *testing.T) {
	for _, test := range []struct {
		shape, chunk []uint64
		cut          *cut
	}{
		{[]uint64{240, 512, 512}, []uint64{1, 32, 32}, &cut{0, 4}},
		{[]uint64{240, 512, 512}, []uint64{3, 32, 32}, &cut{0, 3}},
		{[]uint64{240, 512, 512}, []uint64{240, 8, 8}, nil}, // all chunks hold all times
		{[]uint64{2, 100, 512, 512}, []uint64{1, 1, 512, 512}, &cut{1, 4}},
		{[]uint64{1, 1, 64 << 20}, []uint64{1, 1, 1 << 20}, &cut{2, 1 << 20}},
		{[]uint64{64 << 20}, nil, &cut{0, 1 << 20}},
		{[]uint64{5, 3, 4 << 20}, nil, &cut{2, 1 << 20}},
		{[]uint64{3, 0, 1}, nil, nil},
	} {
		v := &netcdf.Var{Type: &netcdf.Type{Class: netcdf.Float, Size: 4}}
		v.Storage.Layout = netcdf.Contiguous
		if test.chunk != nil {
			v.Storage.Layout, v.Storage.ChunkShape = netcdf.Chunked, test.chunk
		}
		s := slab{start: make([]uint64, len(test.shape)), count: test.shape, elements: 1}
		for _, n := range test.shape {
			s.elements *= int(n)
		}
		got := cutting(v, s, 4)
		if (got == nil) != (test.cut == nil) || got != nil && *got != *test.cut {
			t.Errorf("%v in chunks of %v: %+v, want %+v", test.shape, test.chunk, got, test.cut)
			continue
		}
		if got == nil {
			continue
		}
		next := uint64(0)
		for p := range got.slabs(s) {
			first := uint64(0)
			for i, n := range test.shape {
				first = first*n + p.start[i]
			}
			if first != next || !slices.Equal(p.count[got.axis+1:], test.shape[got.axis+1:]) {
				t.Fatalf("%v: the piece %+v begins at element %d, want %d", test.shape, p, first, next)
			}
			next += uint64(p.elements)
		}
		if next != uint64(s.elements) {
			t.Errorf("%v: %d elements, want %d", test.shape, next, s.elements)
		}
	}
}
