package zarr

import (
	"context"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/hyperslab"
	"github.com/tgmconv/tgmconv/tgm"
)

// blockShape is the shape of the parts of a variable's fields that are read without the rest; nil
// if its fields are read as wholes.
func (v *DatasetView) blockShape(ctx context.Context, variable *dataset.Variable) []uint64 {
	source, ok := v.fields.(dataset.BlockSource)
	refs := variable.Refs()
	first := slices.IndexFunc(refs, func(ref int32) bool { return ref >= 0 })
	if !ok || first < 0 || variable.Coordinate {
		return nil
	}
	shape, err := source.BlockShape(ctx, int(refs[first]))
	if err != nil || len(shape) != len(variable.Chunk) {
		return nil // an error is met again by those who read
	}
	for i, n := range shape {
		whole := variable.Chunk[i]
		if whole < variable.Shape[i] {
			shape[i] = divisor(whole, n) // a chunk has no parts of two fields
		}
	}
	return shape
}

// divisor is the largest divisor of whole that is at most n, or whole if that is much less than n.
func divisor(whole, n uint64) uint64 {
	for d := min(n, whole); d > n/4; d-- {
		if whole%d == 0 {
			return d
		}
	}
	return whole
}

// blockField makes the chunk at origin of a field that is read in blocks: of those that it has
// elements of. What lies beyond the edge is 0. The chunk is in the memory of buffer if it is one
// block.
func (v *DatasetView) blockField(n *datasetNode, ref int, shape, origin []uint64, buffer []byte) ([]byte, error) {
	source := v.fields.(dataset.BlockSource)
	start, count := make([]uint64, len(shape)), make([]uint64, len(shape))
	for i, size := range n.blocks {
		start[i] = origin[i] / size * size
		end := min(n.variable.Chunk[i], origin[i]+shape[i])
		count[i] = min(n.variable.Chunk[i], (end+size-1)/size*size) - start[i]
	}
	read := func(buffer []byte) (*tgm.Array, error) {
		return source.ReadBlock(context.Background(), ref, start, count, buffer) // for all who wait for the chunk
	}
	var a *tgm.Array
	var err error
	if slices.Equal(start, origin) && slices.Equal(count, shape) {
		a, err = read(buffer)
		if err == nil && slices.Equal(a.Shape, shape) {
			return a.Data, nil
		}
	} else {
		a, err = v.keptBlock(fmt.Sprint(ref, start, count), count, n.variable.DType.Size(), read)
	}
	if err != nil {
		return nil, err
	}
	total, ok := product(shape, n.variable.DType.Size())
	if !ok {
		return nil, fmt.Errorf("zarr: %s: the size of chunk %v does not fit 63 bits", n.variable.Name, shape)
	}
	within, inside := make([]uint64, len(shape)), make([]uint64, len(shape))
	for i := range shape {
		inside[i] = origin[i] - start[i]
		within[i] = min(shape[i], max(a.Shape[i], inside[i])-inside[i])
	}
	out := hyperslab.At(make([]byte, total), shape, make([]uint64, len(shape)))
	hyperslab.Copy(out, hyperslab.At(a.Data, a.Shape, inside), within, n.variable.DType.Size())
	return out.Data, nil
}

// keptBlock reads a block of a field that more chunks than one have elements of, and keeps it for
// the others.
func (v *DatasetView) keptBlock(key string, count []uint64, size int, read func(buffer []byte) (*tgm.Array, error)) (*tgm.Array, error) {
	var a *tgm.Array
	data, err := v.whole.Get(context.Background(), key, func() ([]byte, error) {
		var err error
		if a, err = read(nil); err != nil {
			return nil, err
		}
		return a.Data, nil
	})
	if a != nil || err != nil {
		return a, err
	}
	// Kept: only the first dimension may have fewer elements than asked for.
	shape := slices.Clone(count)
	row, _ := product(count[1:], size) // fits, because the block was read
	shape[0] = uint64(int64(len(data)) / row)
	return &tgm.Array{Shape: shape, Data: data}, nil
}
