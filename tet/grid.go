package tet

import (
	"fmt"
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// A grid is the division of a dataset into chunks. Everything in it is known not to overflow.
type grid struct {
	elem   int64 // bytes of an element
	shape  []int64
	chunk  []int64
	counts []int64 // chunks along each axis
	chunks int64
	bytes  int64 // of all elements
}

// maxBytes bounds datasets, so that sums of two offsets in one do not overflow.
const maxBytes = 1 << 62

// newGrid checks the directory entry of a dataset.
func newGrid(r Record) (*grid, error) {
	if !r.DType.Valid() {
		return nil, fmt.Errorf("dtype %d is not supported, expected 1 to %d", uint32(r.DType), uint32(Uint64))
	}
	if len(r.Shape) < 1 || len(r.Shape) > MaxRank || len(r.ChunkShape) != len(r.Shape) {
		return nil, fmt.Errorf("shape %v and chunk shape %v, expected 1 to %d dimensions each", r.Shape, r.ChunkShape, MaxRank)
	}
	g := &grid{elem: r.DType.Size(), chunks: 1, bytes: r.DType.Size()}
	for i, n := range r.Shape {
		c := r.ChunkShape[i]
		if n == 0 || c == 0 {
			return nil, fmt.Errorf("shape %v and chunk shape %v, expected extents of at least 1", r.Shape, r.ChunkShape)
		}
		hi, bytes := bits.Mul64(uint64(g.bytes), n)
		if hi != 0 || bytes > maxBytes {
			return nil, fmt.Errorf("shape %v of %v takes more than 2^62 bytes", r.Shape, r.DType)
		}
		g.bytes = int64(bytes)
		c = min(c, n) // a chunk beyond the dataset is clipped
		count := int64((n-1)/c + 1)
		g.chunks *= count // not more than bytes
		g.shape, g.chunk, g.counts = append(g.shape, int64(n)), append(g.chunk, int64(c)), append(g.counts, count)
	}
	return g, nil
}

// number returns the position of a chunk in the order of the grid, the last axis fastest.
func (g *grid) number(coords []int64) int64 { return nd.Number(coords, g.counts) }

// coords is the inverse of number.
func (g *grid) coords(number int64) []int64 {
	return nd.Place(make([]int64, len(g.counts)), number, g.counts)
}

// next steps to the next chunk in the order of the grid; after the last comes the first.
func (g *grid) next(coords []int64) { nd.Next(coords, g.counts) }

// extent is the length of a chunk along an axis: shorter at the edge.
func (g *grid) extent(axis int, coord int64) int64 {
	return min(g.chunk[axis], g.shape[axis]-coord*g.chunk[axis])
}

// tileShape is the shape of the chunk with these coordinates.
func (g *grid) tileShape(coords []int64) []int64 {
	shape := make([]int64, len(coords))
	for i, c := range coords {
		shape[i] = g.extent(i, c)
	}
	return shape
}

// tileStart is the position of the first element of the chunk.
func (g *grid) tileStart(coords []int64) []int64 {
	start := make([]int64, len(coords))
	for i, c := range coords {
		start[i] = c * g.chunk[i]
	}
	return start
}

// tileBytes is the length of a chunk once decoded.
func (g *grid) tileBytes(coords []int64) int64 {
	n := g.elem
	for i, c := range coords {
		n *= g.extent(i, c)
	}
	return n
}

// locate checks the row of a chunk of this dataset and returns the chunk's number.
func (g *grid) locate(e *Entry) (int64, error) {
	number, n := int64(0), g.elem
	for i, count := range g.counts {
		c := e.ChunkIndex[i]
		if c >= uint64(count) {
			return 0, fmt.Errorf("coordinates %v, the chunk grid is %v", e.ChunkIndex[:len(g.counts)], g.counts)
		}
		number = number*count + int64(c)
		n *= g.extent(i, int64(c))
	}
	if e.RawByteLen != uint64(n) {
		return 0, fmt.Errorf("raw_byte_len %d, the tile has %d bytes", e.RawByteLen, n)
	}
	return number, nil
}
