package array

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// An Array is an N-dimensional array that is read in parts. Its methods may be called by several
// goroutines.
//
// Implementations that have only elements embed [Plain]. A combinator does not: it answers for
// the array that it is made of.
type Array interface {
	// Info describes the array, at no cost. It must not be changed.
	Info() *Info
	// Read reads the elements of a region to dst, which has exactly their bytes. The region lies
	// within the array; callers that are not sure of this use the function [Read].
	Read(ctx context.Context, r Region, dst []byte) error
	// Packing returns the parameters of the integers that the source keeps in place of the values of a
	// region. It is nil if the source keeps none, or not the same for all of them.
	Packing(ctx context.Context, r Region) (*Packing, error)
	// Coded reads all elements as the integers that the source keeps in place of the values. They are in
	// the memory of buffer if it has room. It returns nil if there are none, or points are missing.
	Coded(ctx context.Context, buffer []uint32) (*Coded, error)
	// Single is the array of the elements of type Float64 as Float32, if reading these takes less
	// work than rounding. Otherwise it is nil. Callers use [Single].
	Single() Array
	// Pick reads single elements to dst, by their numbers in C order, which ascend and may repeat. It
	// reports false, and has read nothing, if reading the blocks that hold the elements takes no more
	// work. Callers use [Pick].
	Pick(ctx context.Context, at []uint64, dst []byte) (bool, error)
}

// Plain is embedded by implementations of [Array] that have only elements.
type Plain struct{}

// Packing implements [Array].
func (Plain) Packing(context.Context, Region) (*Packing, error) { return nil, nil }

// Coded implements [Array].
func (Plain) Coded(context.Context, []uint32) (*Coded, error) { return nil, nil }

// Single implements [Array].
func (Plain) Single() Array { return nil }

// Pick implements [Array].
func (Plain) Pick(context.Context, []uint64, []byte) (bool, error) { return false, nil }

// Packing are the parameters of simple packing, as GRIB and Tensogram have it: a value is
// Reference + integer·2^BinaryScale·10^-DecimalScale.
type Packing struct {
	Reference                 float64
	BinaryScale, DecimalScale int
	Bits                      int // of an integer; 0 if all values are Reference
}

// Coded are the integers that stand for all elements of an array of type Float64.
type Coded struct {
	Integers []uint32
	Bits     int // of an integer
	// Values sets dst to the elements that integers stand for, bit for bit.
	Values func(dst []float64, integers []uint32)
}

// Info describes an array without reading it.
type Info struct {
	Shape []uint64 // the slowest axis first; empty for a single number
	DType DType
	// Block is the shape of the parts that take the least work to read. No part of a block can be
	// read with less. It is the shape of an array that is decoded as a whole.
	Block []uint64
	// Fits, if it is not nil, returns an error if no region of that many bytes can be read. It is
	// called before memory is taken for a region: files may claim arrays of any size.
	Fits func(bytes uint64) error
}

// WholeBlock is the block of an array that is decoded as a whole.
func WholeBlock(shape []uint64) []uint64 {
	block := make([]uint64, len(shape))
	for i, n := range shape {
		block[i] = max(1, n)
	}
	return block
}

// Whole is the region of all elements.
func (i *Info) Whole() Region { return Region{make([]uint64, len(i.Shape)), i.Shape} }

// Box is the shape of regions of whole blocks. They have at most size bytes, or are one block.
func (i *Info) Box(size uint64) []uint64 {
	return nd.RowsOf(i.Shape, i.Block, uint64(max(1, i.DType.Size())), size)
}

// Rows is the shape of regions of whole blocks whose elements follow each other in C order. They have
// at most size bytes, or are the smallest such regions.
func (i *Info) Rows(size uint64) []uint64 {
	tile := slices.Clone(i.Block)
	for axis := range tile {
		if tile[axis] = min(tile[axis], max(1, i.Shape[axis])); tile[axis] > 1 {
			copy(tile[axis+1:], i.Shape[axis+1:])
			break
		}
	}
	return nd.RowsOf(i.Shape, tile, uint64(max(1, i.DType.Size())), size)
}

// A Region is a box of elements: Count of them from Start on, along each axis.
type Region struct{ Start, Count []uint64 }

// Elements is the number of elements, math.MaxUint64 if that is too large to be counted.
func (r Region) Elements() uint64 {
	n := uint64(1)
	for _, c := range r.Count {
		if c > 0 && n > math.MaxUint64/c {
			return math.MaxUint64
		}
		n *= c
	}
	return n
}

// within returns an error unless the region lies within a shape.
func (r Region) within(shape []uint64) error {
	ok := len(r.Start) == len(shape) && len(r.Count) == len(shape)
	for i := 0; ok && i < len(shape); i++ {
		ok = r.Start[i] <= shape[i] && r.Count[i] <= shape[i]-r.Start[i]
	}
	if !ok {
		return fmt.Errorf("elements %v from %v on, of an array of shape %v", r.Count, r.Start, shape)
	}
	return nil
}

// Regions yields the regions of an array that is divided into parts of one shape, in C order.
// Regions at the edges may be smaller.
func Regions(shape, part []uint64) iter.Seq[Region] {
	return func(yield func(Region) bool) {
		for start, count := range nd.Tiles(shape, part) {
			if !yield(Region{start, count}) {
				return
			}
		}
	}
}

// A Tile is the overlap of a region with one of the parts that an array is divided into.
type Tile struct {
	Index  []uint64 // of the part, along each axis
	Within Region   // of the part
	At     []uint64 // of the overlap in the region
}

// Tiles yields the overlaps of a region, which is not empty, with parts of one shape, in C order.
func (r Region) Tiles(part []uint64) iter.Seq[Tile] {
	first, last := make([]uint64, len(part)), make([]uint64, len(part))
	for i, n := range part {
		first[i], last[i] = r.Start[i]/n, (r.Start[i]+r.Count[i]-1)/n
	}
	return func(yield func(Tile) bool) {
		for index := range nd.Between(first, last) {
			t := Tile{index, Region{make([]uint64, len(part)), make([]uint64, len(part))}, make([]uint64, len(part))}
			for i, n := range part {
				begin := index[i] * n
				from := max(r.Start[i], begin)
				t.Within.Start[i], t.At[i] = from-begin, from-r.Start[i]
				t.Within.Count[i] = min(r.Start[i]+r.Count[i], begin+n) - from
			}
			if !yield(t) {
				return
			}
		}
	}
}

// Read reads any region of an array, in the memory of buffer if it has room.
func Read(ctx context.Context, a Array, r Region, buffer []byte) ([]byte, error) {
	info := a.Info()
	if err := r.within(info.Shape); err != nil {
		return nil, err
	}
	size, n := uint64(info.DType.Size()), r.Elements()
	if size == 0 || n > math.MaxInt/size {
		return nil, fmt.Errorf("%d elements of type %s", n, info.DType)
	}
	if n *= size; uint64(cap(buffer)) < n {
		if info.Fits != nil {
			if err := info.Fits(n); err != nil {
				return nil, err
			}
		}
		buffer = make([]byte, n)
	}
	if n == 0 {
		return buffer[:0], ctx.Err()
	}
	return buffer[:n], a.Read(ctx, r, buffer[:n])
}

// Into reads a region of an array to the position at of dst, which holds an array of shape of.
// Elements that follow each other in dst are read there.
func Into(ctx context.Context, a Array, r Region, dst []byte, of, at []uint64) error {
	if slices.Contains(r.Count, 0) {
		return nil
	}
	size := uint64(a.Info().DType.Size())
	if nd.IsRun(r.Count, nd.Strides(of, uint64(1)), 1) {
		first := nd.Number(at, of) * size
		return a.Read(ctx, r, dst[first:first+r.Elements()*size])
	}
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	data, err := Read(ctx, a, r, *buffer)
	if err == nil {
		*buffer = data
		nd.Copy(nd.At(dst, of, at), nd.At(data, r.Count, nil), r.Count, int(size))
	}
	return err
}

// scratch is memory of combinators.
var scratch = sync.Pool{New: func() any { return new([]byte) }}
