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

// Packing implements [array.Array].
func (t *tiles) Packing(ctx context.Context, r array.Region) (first *array.Packing, err error) {
	for tile := range r.Tiles(t.of.Chunk) {
		a, err := t.tile(ctx, tile.Index)
		if err != nil {
			return nil, err
		}
		p, err := a.Packing(ctx, tile.Within)
		if p == nil || err != nil || first != nil && *p != *first {
			return nil, err
		}
		first = p
	}
	return first, nil
}

// Pick implements [array.Array]: of each object the elements that are wanted are read at once.
func (t *tiles) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	grid, place := nd.Grid(t.of.Shape, t.of.Chunk), make([]uint64, len(t.of.Shape))
	within := make(map[uint64][]int) // which elements lie in a chunk
	var order []uint64
	for i, n := range at {
		nd.Place(place, n, t.of.Shape)
		for axis, length := range t.of.Chunk {
			place[axis] /= max(1, length)
		}
		chunk := nd.Number(place, grid)
		if within[chunk] == nil {
			order = append(order, chunk)
		}
		within[chunk] = append(within[chunk], i)
	}
	for _, chunk := range order {
		if err := t.pickTile(ctx, nd.Place(make([]uint64, len(grid)), chunk, grid), at, within[chunk], dst); err != nil {
			return true, err
		}
	}
	return true, nil
}

// pickTile reads the picked elements that lie in one chunk.
func (t *tiles) pickTile(ctx context.Context, index, at []uint64, some []int, dst []byte) error {
	a, err := t.tile(ctx, index)
	if err != nil {
		return err
	}
	size, place, shape := t.info.DType.Size(), make([]uint64, len(t.of.Shape)), a.Info().Shape
	inside, data := make([]uint64, len(some)), make([]byte, len(some)*size)
	for k, i := range some {
		for axis, p := range nd.Place(place, at[i], t.of.Shape) {
			place[axis] = p - index[axis]*t.of.Chunk[axis]
		}
		inside[k] = nd.Number(place, shape)
	}
	if err := array.Pick(ctx, a, inside, data); err != nil {
		return err
	}
	for k, i := range some {
		copy(dst[i*size:(i+1)*size], data[k*size:])
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
