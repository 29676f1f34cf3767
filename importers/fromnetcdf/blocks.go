package fromnetcdf

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
)

// blockBytes is about how many bytes of values a block has, unless a chunk of the file has more.
const blockBytes = 4 << 20

// BlockShape implements importers.Blocks: runs of whole chunks along the last axes.
func (v *values) BlockShape() []uint64 {
	st := &v.v.v.Storage
	chunked := st.Layout == netcdf.Chunked
	size := uint64(max(v.dtype().Size(), v.v.v.Type.Size))
	switch {
	case v.at.Record != nil, v.raw != nil, v.v.kind.inner != nil, st.Layout == netcdf.Virtual, st.Layout == netcdf.External,
		chunked && len(st.ChunkShape) != len(v.slab.count), uint64(v.slab.elements)*size <= blockBytes:
		return nil
	}
	shape, bytes := make([]uint64, len(v.slab.count)), size
	for i, n := range v.slab.count {
		shape[i] = 1
		if chunked {
			shape[i] = max(1, min(n, st.ChunkShape[i]))
		}
		bytes *= shape[i]
	}
	for i := len(shape) - 1; i >= 0; i-- {
		n := v.slab.count[i]
		times := min((n+shape[i]-1)/shape[i], max(1, blockBytes/bytes))
		bytes /= shape[i]
		shape[i] = min(n, shape[i]*times)
		bytes *= shape[i]
	}
	return shape
}

// Block implements importers.Blocks.
func (v *values) Block(ctx context.Context, start, count []uint64, scratch *importers.Scratch) (importers.Elements, error) {
	s := slab{start: start, count: count, elements: 1}
	if len(start) != len(v.slab.count) || len(count) != len(start) {
		return importers.Elements{}, fmt.Errorf("a block of %d axes, expected %d", len(count), len(v.slab.count))
	}
	for i, n := range v.slab.count {
		if count[i] == 0 || start[i] >= n || count[i] > n-start[i] {
			return importers.Elements{}, fmt.Errorf("a block of %d elements from %d on along axis %d, which has %d", count[i], start[i], i, n)
		}
		s.elements *= int(count[i])
	}
	block := &values{v: v.v, slab: s, fills: v.fills, packed: v.packed, source: v.source, at: v.at}
	return block.Elements(ctx, scratch)
}
