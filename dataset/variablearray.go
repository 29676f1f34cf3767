package dataset

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// Array is the array of a variable, of the elements as its objects have them. Where no object is, it
// has the element hole; nil makes that an error.
func (v *Variable) Array(ctx context.Context, arrays Arrays, hole []byte) array.Array {
	if v.Computed() {
		return v.ComputedArray()
	}
	t := &tiles{of: v, arrays: arrays, hole: hole, info: array.Info{Shape: v.Shape, DType: v.DType, Block: v.Chunk}}
	t.info.Block = t.block(ctx)
	return t
}

// ComputedArray is the array of a variable whose values are computed.
func (v *Variable) ComputedArray() array.Array { return array.Computed(v.Shape, v.DType, v.Region) }

// block is the block of the first object, which stands for all of them.
func (t *tiles) block(ctx context.Context) []uint64 {
	for i, ref := range t.of.Refs() {
		if ref < 0 {
			continue
		}
		index := nd.Place(make([]uint64, len(t.of.Shape)), uint64(i), nd.Grid(t.of.Shape, t.of.Chunk))
		if a, err := t.tile(ctx, index); err == nil {
			return a.Info().Block
		}
		break // is met again when it is read
	}
	return t.of.Chunk
}

// tiles are the arrays of a variable's objects, one for each chunk.
type tiles struct {
	array.Plain
	of     *Variable
	arrays Arrays
	hole   []byte
	info   array.Info
}

func (t *tiles) Info() *array.Info { return &t.info }

func (t *tiles) Read(ctx context.Context, r array.Region, dst []byte) error {
	for tile := range r.Tiles(t.of.Chunk) {
		a, err := t.tile(ctx, tile.Index)
		if err == nil {
			err = array.Into(ctx, a, tile.Within, dst, r.Count, tile.At)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tile is the array of a chunk, with the axes of the variable.
func (t *tiles) tile(ctx context.Context, index []uint64) (array.Array, error) {
	_, shape := nd.Box(index, t.of.Shape, t.of.Chunk)
	ref, ok := t.of.Ref(index)
	if !ok && t.hole == nil {
		return nil, errHole
	}
	if !ok {
		return array.Const(shape, t.info.DType, t.hole), nil
	}
	a, err := t.arrays.Array(ctx, ref)
	if err != nil {
		return nil, err
	}
	return array.Reshape(a, shape)
}

var errHole = errors.New("a part of it is missing in the inputs, and integers have no value for missing points")
