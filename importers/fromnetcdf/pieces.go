package fromnetcdf

import (
	"context"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// pieceBytes is about how many bytes of values are in memory at a time.
const pieceBytes = 4 << 20

// Pieces implements importers.Pieces: large variables are read some rows of chunks at a time.
func (v *values) Pieces(ctx context.Context, stored bool, scratch *importers.Scratch) (tgm.DType, iter.Seq2[importers.Elements, error], error) {
	dtype := v.dtype()
	if stored {
		if !v.keeps() {
			return tgm.InvalidDType, nil, importers.ErrNotPieces
		}
		dtype = v.v.kind.dtype
	}
	cut := cutting(v.v.v, v.slab, max(dtype.Size(), v.v.v.Type.Size))
	if v.raw != nil || v.at.Record != nil || v.v.kind.inner != nil || cut == nil || v.slab.elements*dtype.Size() < tgm.PiecesBytes {
		return tgm.InvalidDType, nil, importers.ErrNotPieces
	}
	if stored {
		v.kept = true
	}
	return dtype, func(yield func(importers.Elements, error) bool) {
		v.holes = new(holes)
		for s := range cut.slabs(v.slab) {
			piece := &values{v: v.v, slab: s, fills: v.fills, packed: v.packed, source: v.source, at: v.at, holes: v.holes, piece: true}
			var e importers.Elements
			var err error
			if stored {
				_, e, err = piece.Stored(ctx, scratch)
			} else {
				e, err = piece.Elements(ctx, scratch)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}, nil
}

// A cut divides a variable into pieces that follow each other in C order: each index of the axes
// before axis, and step indices of axis.
type cut struct {
	axis int
	step uint64
}

// cutting returns how a variable is divided so that no chunk is read for two pieces, or nil when
// that would save nothing. size is what an element takes in memory.
func cutting(v *netcdf.Var, s slab, size int) *cut {
	switch st := &v.Storage; {
	case st.Layout == netcdf.Virtual || st.Layout == netcdf.External:
		return nil
	case st.Layout == netcdf.Chunked && len(st.ChunkShape) != len(s.count):
		return nil
	}
	c, rows := smallCut(v, s, size)
	if c == nil || rows > uint64(s.elements)*uint64(size)/4 {
		return nil
	}
	return c
}

// smallCut returns how a variable is divided into pieces of about pieceBytes, or larger ones where
// its chunks are, and the bytes of the smallest possible piece; nil if there are no axes or no
// elements.
func smallCut(v *netcdf.Var, s slab, size int) (*cut, uint64) {
	chunk := func(axis int) uint64 { return 1 }
	if st := &v.Storage; st.Layout == netcdf.Chunked && len(st.ChunkShape) == len(s.count) {
		chunk = func(axis int) uint64 { return max(1, st.ChunkShape[axis]) }
	}
	row := uint64(s.elements) * uint64(size) // bytes of one index of the axis
	if row == 0 {
		return nil, 0
	}
	for axis, n := range s.count {
		row /= n
		step := chunk(axis)
		rows := min(step, n) * row
		if rows > pieceBytes && step == 1 && axis+1 < len(s.count) {
			continue // one index of this axis is large enough to be divided
		}
		if rows < pieceBytes {
			step *= max(1, pieceBytes/rows)
		}
		return &cut{axis, step}, rows
	}
	return nil, 0
}

// slabs yields the pieces of s, which begins at 0 on every axis.
func (c *cut) slabs(s slab) iter.Seq[slab] {
	return func(yield func(slab) bool) {
		at := make([]uint64, len(s.count))
		for {
			p := slab{start: slices.Clone(at), count: slices.Clone(s.count), elements: 1}
			for i := range c.axis {
				p.count[i] = 1
			}
			p.count[c.axis] = min(c.step, s.count[c.axis]-at[c.axis])
			for _, n := range p.count {
				p.elements *= int(n)
			}
			if !yield(p) || !c.next(at, s.count) {
				return
			}
		}
	}
}

// next moves to the beginning of the next piece and reports whether there is one.
func (c *cut) next(at, count []uint64) bool {
	if at[c.axis] += c.step; at[c.axis] < count[c.axis] {
		return true
	}
	at[c.axis] = 0
	for axis := c.axis - 1; axis >= 0; axis-- {
		if at[axis]++; at[axis] < count[axis] {
			return true
		}
		at[axis] = 0
	}
	return false
}
