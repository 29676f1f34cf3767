package tet

import (
	"encoding/binary"
	"slices"
)

// A Block is a part of a selection in memory. The element (i, j, …) of it begins at byte
// i*Axes[0].Stride + j*Axes[1].Stride + … of Data, and belongs to Cell + i*Axes[0].Cell + … .
type Block struct {
	Data []byte
	Axes []BlockAxis // the outermost first; none for a single element
	Cell int64
}

// Cells returns the least and the largest cell that elements of the block belong to.
func (b Block) Cells() (first, last int64) {
	last = b.Cell
	for _, a := range b.Axes {
		last += (a.N - 1) * a.Cell
	}
	return b.Cell, last
}

// A BlockAxis is a dimension of a block.
type BlockAxis struct {
	N      int64 // positions
	Stride int64 // bytes from one to the next
	Cell   int64 // cells from one to the next
}

// A region is a block in a chunk: not in memory yet, at byte src of the decoded chunk.
type region struct {
	axes []BlockAxis
	src  int64
	cell int64
}

// block is the region of the chunk for its strips. Cells count cellStrides[i] along axis i.
func (p *Plan) block(strips []strip, cellStrides []int64) region {
	g := p.d.grid
	r := region{axes: make([]BlockAxis, 0, len(strips))}
	stride := g.elem
	for i := len(strips) - 1; i >= 0; i-- {
		s := strips[i]
		r.src += s.first * stride
		r.cell += s.out * cellStrides[i]
		if s.n > 1 {
			r.axes = append(r.axes, BlockAxis{s.n, stride * p.ranges[i].Step, cellStrides[i]})
		}
		stride *= g.extent(i, s.chunk)
	}
	slices.Reverse(r.axes)
	r.axes = mergeAxes(r.axes)
	return r
}

// mergeAxes makes one axis of two where the outer continues the inner.
func mergeAxes(axes []BlockAxis) []BlockAxis {
	if len(axes) == 0 {
		return axes
	}
	merged := axes[:1]
	for _, a := range axes[1:] {
		last := &merged[len(merged)-1]
		if last.Stride == a.N*a.Stride && last.Cell == a.N*a.Cell {
			*last = BlockAxis{last.N * a.N, a.Stride, a.Cell}
		} else {
			merged = append(merged, a)
		}
	}
	return merged
}

// spanOf is the number of bytes from the first byte of a block to its last.
func spanOf(axes []BlockAxis, elem int64) int64 {
	n := elem
	for _, a := range axes {
		n += (a.N - 1) * a.Stride
	}
	return n
}

// bytes is the number of bytes of the elements.
func (r region) bytes(elem int64) int64 {
	for _, a := range r.axes {
		elem *= a.N
	}
	return elem
}

// isRun reports whether the elements lie one after the other, in the chunk and among byte cells.
func (r region) isRun(elem int64) bool {
	return len(r.axes) == 0 || len(r.axes) == 1 && r.axes[0].Stride == elem && r.axes[0].Cell == elem
}

// joined reports whether the elements of a block are to be fetched together with the bytes between
// them.
func joined(axes []BlockAxis, elem int64, f fetcher) bool {
	for i, a := range axes {
		run := spanOf(axes[i+1:], elem)
		if a.N > 1 && !f.joins(run, a.Stride-run) {
			return false
		}
	}
	return true
}

// A fetcher gives the bytes of a decoded chunk. Offsets never go back.
type fetcher interface {
	// fetch returns n bytes from off on, valid until the next call.
	fetch(off, n int64) ([]byte, error)
	// most is the largest n that fetch should be asked for.
	most() int64
	// joins reports whether a gap between runs of bytes should be fetched with them.
	joins(run, gap int64) bool
}

// walk fetches a region piece by piece and visits the pieces in order.
func (r region) walk(f fetcher, elem int64, visit func(Block) error) error {
	window := f.most()
	if len(r.axes) == 0 {
		data, err := f.fetch(r.src, elem)
		if err != nil {
			return err
		}
		return visit(Block{data, nil, r.cell})
	}
	outer, inner := r.axes[0], spanOf(r.axes[1:], elem)
	together := int64(1)
	if inner <= window && joined(r.axes, elem, f) {
		together = min(outer.N, 1+(window-inner)/outer.Stride)
	}
	for i := int64(0); i < outer.N; i += together {
		src, cell := r.src+i*outer.Stride, r.cell+i*outer.Cell
		n := min(together, outer.N-i)
		if n == 1 && outer.N > 1 {
			if err := (region{r.axes[1:], src, cell}).walk(f, elem, visit); err != nil {
				return err
			}
			continue
		}
		axes := append([]BlockAxis{{n, outer.Stride, outer.Cell}}, r.axes[1:]...)
		data, err := f.fetch(src, spanOf(axes, elem))
		if err != nil {
			return err
		}
		if err := visit(Block{data, axes, cell}); err != nil {
			return err
		}
	}
	return nil
}

// copyTo copies the elements of a block to dst, where cells are bytes.
func (b Block) copyTo(dst []byte, elem int64) {
	copyAxes(dst, b.Data, b.Axes, b.Cell, 0, elem)
}

func copyAxes(dst, src []byte, axes []BlockAxis, to, from, elem int64) {
	switch len(axes) {
	case 0:
		copy(dst[to:to+elem], src[from:])
	case 1:
		copyRow(dst[to:], src[from:], axes[0], elem)
	default:
		for i := range axes[0].N {
			copyAxes(dst, src, axes[1:], to+i*axes[0].Cell, from+i*axes[0].Stride, elem)
		}
	}
}

// copyRow copies elements at even distances.
func copyRow(dst, src []byte, a BlockAxis, elem int64) {
	if a.Stride == elem && a.Cell == elem {
		copy(dst[:a.N*elem], src)
		return
	}
	from, to := int64(0), int64(0)
	for range a.N {
		switch elem {
		case 1:
			dst[to] = src[from]
		case 2:
			binary.NativeEndian.PutUint16(dst[to:], binary.NativeEndian.Uint16(src[from:]))
		case 4:
			binary.NativeEndian.PutUint32(dst[to:], binary.NativeEndian.Uint32(src[from:]))
		case 8:
			binary.NativeEndian.PutUint64(dst[to:], binary.NativeEndian.Uint64(src[from:]))
		}
		from, to = from+a.Stride, to+a.Cell
	}
}
