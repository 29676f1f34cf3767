package fromnetcdf

import (
	"context"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// blockBytes is about how many bytes of values a block has, unless a chunk of the file has more.
const blockBytes = 4 << 20

// Info implements importers.Values.
func (v *values) Info(form importers.Form) *array.Info {
	t := v.dtype()
	switch {
	case form == importers.AsSingle || form == importers.AsStored && !v.keeps():
		return nil
	case form != importers.AsValues:
		t = v.v.kind.dtype
	}
	info := importers.WholeInfo(v.shape, t)
	if block := v.block(t); block != nil {
		info.Block = block
	}
	return info
}

// block is the shape of the blocks in which elements are read that become elements of type t: runs of
// whole chunks along the last axes. It is nil if they are read all at once.
func (v *values) block(t tgm.DType) []uint64 {
	st := &v.v.v.Storage
	size := uint64(max(t.Size(), v.v.v.Type.Size))
	switch {
	case v.at.Record != nil, v.raw != nil, v.v.kind.inner != nil, st.Layout == netcdf.Virtual, st.Layout == netcdf.External,
		st.Layout == netcdf.Chunked && len(st.ChunkShape) != len(v.slab.count), uint64(v.slab.elements)*size <= blockBytes:
		return nil
	}
	return v.slab.tile(st, size)
}

// tile is the shape of parts of a slab with elements of a size, about blockBytes or whole chunks. Some chunks
// are read in rows.
func (s *slab) tile(st *netcdf.Storage, size uint64) []uint64 {
	if st.Layout == netcdf.Chunked && len(st.ChunkShape) == len(s.count) {
		if st.Rows {
			return nd.Rows(smaller(s.count, st.ChunkShape), size, blockBytes)
		}
		return nd.RowsOf(s.count, st.ChunkShape, size, blockBytes)
	}
	return nd.Rows(s.count, size, blockBytes)
}

// Read implements importers.Values.
func (v *values) Read(ctx context.Context, form importers.Form, r array.Region, scratch *importers.Scratch) (importers.Elements, error) {
	of := v
	if whole := importers.WholeInfo(v.shape, 0).Shape; !slices.Equal(r.Count, whole) {
		if len(r.Count) != len(v.slab.count) {
			return importers.Elements{}, fmt.Errorf("a region of %d axes, expected %d", len(r.Count), len(v.slab.count))
		}
		if v.holes == nil {
			v.holes = new(holes)
		}
		of = &values{
			v: v.v, slab: slab{r.Start, r.Count, int(r.Elements())}, fills: v.fills, packed: v.packed, source: v.source, at: v.at,
			holes: v.holes, piece: true,
		}
	}
	switch form {
	case importers.AsWritten:
		err := of.read(ctx, scratch, of.storedSize())
		return importers.Elements{Data: of.raw}, err
	case importers.AsStored:
		v.kept = true
		return of.stored(ctx, scratch)
	}
	return of.elements(ctx, scratch)
}

// smaller returns the smaller of each two lengths.
func smaller(a, b []uint64) []uint64 {
	c := make([]uint64, len(a))
	for i := range c {
		c[i] = min(a[i], b[i])
	}
	return c
}
