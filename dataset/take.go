package dataset

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// Extent is the shape of the selection.
func (t *Taking) Extent() []uint64 {
	shape := slices.Clone(t.Shape)
	for axis, at := range t.At {
		if at != nil {
			shape[axis] = uint64(len(at))
		}
	}
	return shape
}

// take is the part of a variable at some positions along each dimension, nil for all. Whole chunks
// are the objects themselves.
func (d *Dataset) take(v *Variable, at [][]uint64) *Variable {
	if !slices.ContainsFunc(at, func(positions []uint64) bool { return positions != nil }) {
		return v
	}
	c := *v
	c.Shape = (&Taking{v.Shape, at}).Extent()
	if v.Computed() {
		c.Chunk = c.Shape
		c.takeComputed(v, at)
		return &c
	}
	axes := make([][]takenChunk, len(at))
	c.Chunk = slices.Clone(v.Chunk)
	holes := slices.Contains(v.refs, -1)
	for axis, positions := range at {
		axes[axis], c.Chunk[axis] = v.takenChunks(axis, positions, holes)
	}
	c.refs, c.short = nil, false
	counts := make([]int, len(axes))
	for axis := range axes {
		counts[axis] = len(axes[axis])
		c.short = c.short || c.Shape[axis]%max(1, c.Chunk[axis]) != 0
	}
	for index := range nd.Positions(counts) {
		pieces := make([]takenChunk, len(index))
		for axis, i := range index {
			pieces[axis] = axes[axis][i]
		}
		c.refs = append(c.refs, d.refOfTaken(v, pieces))
	}
	return &c
}

// takeComputed makes c of the computed values of v at some positions.
func (c *Variable) takeComputed(v *Variable, at [][]uint64) {
	part := array.Take(v.ComputedArray(), at)
	size := v.DType.Size()
	region := func(start, count []uint64) ([]byte, error) {
		data := make([]byte, nd.Volume(count)*uint64(size))
		if len(data) == 0 {
			return data, nil
		}
		return data, part.Read(context.Background(), array.Region{Start: start, Count: count}, data)
	}
	c.data = func() ([]byte, error) { return region(make([]uint64, len(c.Shape)), c.Shape) }
	if v.region != nil {
		c.region = region
	}
	if v.origin != "" {
		h := fnv.New64a()
		fmt.Fprint(h, at)
		c.origin = v.origin + " at " + strconv.FormatUint(h.Sum64(), 16)
	}
}

// A takenChunk lists the pieces of former chunks that make a chunk along one axis, in order. Only along
// the first axis is there more than one piece.
type takenChunk []takenPiece

type takenPiece struct {
	chunk uint64
	at    []uint64 // in it; nil for all
}

// takenChunks divides positions along an axis into chunks, and returns the length of these.
func (v *Variable) takenChunks(axis int, positions []uint64, holes bool) (chunks []takenChunk, length uint64) {
	n, shape := v.Chunk[axis], v.Shape[axis]
	number := nd.Grid(v.Shape[axis:axis+1], v.Chunk[axis:axis+1])[0]
	if positions == nil {
		for i := range number {
			chunks = append(chunks, takenChunk{{chunk: i}})
		}
		return chunks, n
	}
	length = uint64(len(positions))
	switch {
	case n > shape: // it has room for more
		length = n
	case number > 1 && (axis > 0 || holes):
		length = 1
	case number > 1:
		length = n
	}
	for group := range slices.Chunk(positions, int(min(length, uint64(len(positions))))) {
		var chunk takenChunk
		for _, p := range group {
			i, within := p/n, p%n
			if k := len(chunk); k == 0 || chunk[k-1].chunk != i {
				chunk = append(chunk, takenPiece{i, nil})
			}
			last := &chunk[len(chunk)-1]
			last.at = append(last.at, within)
		}
		for k := range chunk {
			if isAll(chunk[k].at, min(n, shape-chunk[k].chunk*n)) {
				chunk[k].at = nil
			}
		}
		chunks = append(chunks, chunk)
	}
	return chunks, length
}

// isAll reports whether positions are all of n, in order.
func isAll(positions []uint64, n uint64) bool {
	return uint64(len(positions)) == n && (n == 0 || positions[0] == 0 && positions[n-1] == n-1 && slices.IsSorted(positions))
}

// refOfTaken returns the ref of a chunk that is made of pieces along each axis.
func (d *Dataset) refOfTaken(v *Variable, pieces []takenChunk) int32 {
	grid := v.Grid()
	index, at := make([]uint64, len(pieces)), make([][]uint64, len(pieces))
	first := takenChunk{{}}
	if len(pieces) > 0 {
		first = pieces[0]
		for axis := range pieces {
			index[axis], at[axis] = pieces[axis][0].chunk, pieces[axis][0].at
		}
	}
	var parts []Part
	for _, piece := range first {
		index[0] = piece.chunk
		ref := v.refs[nd.Number(index, grid)]
		if ref < 0 {
			return -1
		}
		_, shape := nd.Box(index, v.Shape, v.Chunk)
		taking := &Taking{Shape: shape, At: slices.Clone(at)}
		taking.At[0] = piece.at
		parts = append(parts, Part{Ref: int(ref), Rows: taking.Extent()[0], Take: taking})
	}
	if all := parts[0].Take.At; len(parts) == 1 && !slices.ContainsFunc(all, func(p []uint64) bool { return p != nil }) {
		return int32(parts[0].Ref)
	}
	return d.addParts(parts)
}
