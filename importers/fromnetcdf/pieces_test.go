package fromnetcdf

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestRows divides variables into regions that follow each other in C order.
func TestRows(t *testing.T) {
	for _, test := range []struct {
		shape       []int
		chunk, want []uint64
	}{
		{[]int{240, 512, 512}, []uint64{1, 32, 32}, []uint64{4, 512, 512}},
		{[]int{240, 512, 512}, []uint64{3, 32, 32}, []uint64{3, 512, 512}},
		{[]int{240, 512, 512}, []uint64{240, 8, 8}, []uint64{240, 512, 512}}, // all chunks hold all times
		{[]int{2, 100, 512, 512}, []uint64{1, 1, 512, 512}, []uint64{1, 4, 512, 512}},
		{[]int{1, 1, 64 << 20}, []uint64{1, 1, 1 << 20}, []uint64{1, 1, 1 << 20}},
		{[]int{64 << 20}, nil, []uint64{1 << 20}},
		{[]int{5, 3, 4 << 20}, nil, []uint64{1, 1, 1 << 20}},
		{[]int{3, 0, 1}, nil, []uint64{3, 1, 1}},
	} {
		v := &netcdf.Var{Type: &netcdf.Type{Class: netcdf.Float, Size: 4}}
		v.Storage.Layout = netcdf.Contiguous
		if test.chunk != nil {
			v.Storage.Layout, v.Storage.ChunkShape = netcdf.Chunked, test.chunk
		}
		of := &variable{v: v}
		of.kind.dtype = tgm.Float32
		info := importers.WholeInfo(test.shape, tgm.Float32)
		s := slab{start: make([]uint64, len(test.shape)), count: info.Shape, elements: int(info.Whole().Elements())}
		vals := &values{v: of, slab: s, shape: test.shape, at: new(importers.Part)}
		if got := vals.Info(importers.AsValues).Rows(1); !slices.Equal(got, test.want) {
			t.Errorf("%v in chunks of %v: %v, want %v", test.shape, test.chunk, got, test.want)
		}
	}
}
