package tet

import (
	"fmt"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// A Plan is a selection with the chunks that hold its elements.
type Plan struct {
	d      *Dataset
	ranges []Range
	shape  []int64
	strips [][]strip // of each axis
	chunks int64
	bytes  int64
}

// A strip is the part of a selection in one chunk along one axis.
type strip struct {
	chunk int64 // coordinate in the chunk grid
	first int64 // position in the chunk
	n     int64 // positions, a step apart
	out   int64 // position of the first in the result
}

// Plan finds the chunks that hold elements of a selection. It reads nothing.
func (d *Dataset) Plan(sel Selection) (*Plan, error) {
	ranges, err := d.ranges(sel)
	if err != nil {
		return nil, err
	}
	p := &Plan{d: d, ranges: ranges, chunks: 1, bytes: d.grid.elem}
	for axis, r := range ranges {
		strips := stripsOf(r, d.grid.chunk[axis])
		p.strips = append(p.strips, strips)
		p.shape = append(p.shape, r.Len())
		p.chunks *= int64(len(strips)) // not more than the dataset has
		p.bytes *= r.Len()
	}
	return p, nil
}

// stripsOf divides a range at the bounds of chunks.
func stripsOf(r Range, chunk int64) []strip {
	var strips []strip
	for at, out := r.Start, int64(0); at < r.Stop; {
		c := at / chunk
		n := (min((c+1)*chunk, r.Stop)-at-1)/r.Step + 1
		strips = append(strips, strip{c, at - c*chunk, n, out})
		at, out = at+n*r.Step, out+n
	}
	return strips
}

// Dataset returns the dataset that is read.
func (p *Plan) Dataset() *Dataset { return p.d }

// Shape returns the shape of the result. Axes with a single selected position are kept.
func (p *Plan) Shape() []int64 { return slices.Clone(p.shape) }

// Ranges returns the selected range along each axis.
func (p *Plan) Ranges() []Range { return slices.Clone(p.ranges) }

// Bytes returns the length of the result.
func (p *Plan) Bytes() int64 { return p.bytes }

// NumChunks returns the number of chunks that hold elements of the selection.
func (p *Plan) NumChunks() int64 { return p.chunks }

// StoredBytes returns the length of the payloads of these chunks. Raw chunks may be read only in
// part.
func (p *Plan) StoredBytes() int64 {
	n := int64(0)
	for c := range p.Chunks() {
		n += c.Stored
	}
	return n
}

// Chunks yields the chunks that hold elements of the selection, in the order of the grid.
func (p *Plan) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for strips := range p.tiles() {
			coords := make([]int64, len(strips))
			for i, s := range strips {
				coords[i] = s.chunk
			}
			if !yield(p.d.chunk(coords)) {
				return
			}
		}
	}
}

// tiles returns a strip of each axis for every chunk. The slice is valid until the next.
func (p *Plan) tiles() iter.Seq[[]strip] {
	return func(yield func([]strip) bool) {
		counts := make([]int, len(p.strips))
		for axis, strips := range p.strips {
			counts[axis] = len(strips)
		}
		strips := make([]strip, len(counts))
		for at := range nd.Positions(counts) {
			for axis, n := range at {
				strips[axis] = p.strips[axis][n]
			}
			if !yield(strips) {
				return
			}
		}
	}
}

// Slice returns the result without a copy, as the bytes of the mapped file. It succeeds if the file
// is mapped and the selected elements are stored raw and in the file in the order of the result,
// one after the other.
func (p *Plan) Slice() ([]byte, bool) {
	if p.d.file.layout.mem == nil {
		return nil, false
	}
	start, at := int64(-1), int64(0)
	strides := nd.Strides(p.shape, p.d.grid.elem)
	for strips := range p.tiles() {
		b := p.block(strips, strides)
		s := p.d.slots[p.number(strips)]
		if start < 0 {
			start = s.offset + b.src - b.cell
		}
		if s.codec != Raw || s.offset+b.src != start+b.cell || b.cell != at || !b.isRun(p.d.grid.elem) {
			return nil, false
		}
		at += b.bytes(p.d.grid.elem)
	}
	return p.d.file.layout.mem[start : start+at : start+at], true
}

// number is the number of the chunk that strips are of.
func (p *Plan) number(strips []strip) int64 {
	n := int64(0)
	for i, s := range strips {
		n = n*p.d.grid.counts[i] + s.chunk
	}
	return n
}

// Check returns an error if the result does not fit into the memory budget. It also does if the
// result is larger than the stored chunks can hold.
func (p *Plan) Check(b Budget) error {
	if budget := p.d.Budget(b); p.bytes > budget {
		return &BudgetError{p.d.Name, p.bytes, budget}
	}
	for c := range p.Chunks() {
		if c.Codec == Zstd && c.Raw/zstdMaxBlock > c.Stored/zstdMinBlock {
			return formatErrorf(p.d.chunkRegion(c), c.Offset, "%d stored bytes, which cannot hold %d", c.Stored, c.Raw)
		}
	}
	return nil
}

func (d *Dataset) chunkRegion(c Chunk) string {
	return fmt.Sprintf("chunk %v of %q", c.Coords, d.Name)
}
