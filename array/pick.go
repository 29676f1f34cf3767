package array

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Pick reads single elements of an array to dst, by their numbers in C order. They may come in any
// order, and more than once. No more is decoded than the blocks that they lie in.
func Pick(ctx context.Context, a Array, at []uint64, dst []byte) error {
	info := a.Info()
	size := info.DType.Size()
	if size == 0 || len(dst) != len(at)*size {
		return fmt.Errorf("%d bytes for %d elements of type %s", len(dst), len(at), info.DType)
	}
	if len(at) == 0 {
		return ctx.Err()
	}
	if n := info.Whole().Elements(); slices.Max(at) >= n {
		return fmt.Errorf("element %d of an array of %d", slices.Max(at), n)
	}
	if slices.IsSorted(at) {
		return pick(ctx, a, at, dst)
	}
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	ascending, data := make([]uint64, len(at)), make([]byte, len(dst))
	for i, k := range order {
		ascending[i] = at[k]
	}
	err := pick(ctx, a, ascending, data)
	for i, k := range order {
		copy(dst[k*size:(k+1)*size], data[i*size:])
	}
	return err
}

// pick is Pick of elements that ascend and lie within the array.
func pick(ctx context.Context, a Array, at []uint64, dst []byte) error {
	if picked, err := a.Pick(ctx, at, dst); picked || err != nil {
		return err
	}
	info := a.Info()
	blocks := make(map[uint64][]int) // elements by the number of their block
	var order []uint64
	grid, place := nd.Grid(info.Shape, info.Block), make([]uint64, len(info.Shape))
	for i, n := range at {
		nd.Place(place, n, info.Shape)
		for axis, b := range info.Block {
			place[axis] /= b
		}
		block := nd.Number(place, grid)
		if blocks[block] == nil {
			order = append(order, block)
		}
		blocks[block] = append(blocks[block], i)
	}
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	for _, block := range order {
		if err := pickBlock(ctx, a, at, blocks[block], dst, buffer); err != nil {
			return err
		}
	}
	return nil
}

// pickBlock reads the smallest region with some of the elements, which lie in one block.
func pickBlock(ctx context.Context, a Array, at []uint64, some []int, dst []byte, buffer *[]byte) error {
	info := a.Info()
	rank, size := len(info.Shape), info.DType.Size()
	low, high, place := slices.Clone(info.Shape), make([]uint64, rank), make([]uint64, rank)
	for _, i := range some {
		for axis, p := range nd.Place(place, at[i], info.Shape) {
			low[axis], high[axis] = min(low[axis], p), max(high[axis], p)
		}
	}
	r := Region{low, make([]uint64, rank)}
	for axis := range low {
		r.Count[axis] = high[axis] - low[axis] + 1
	}
	data, err := Read(ctx, a, r, *buffer)
	if err != nil {
		return err
	}
	*buffer = data
	for _, i := range some {
		for axis, p := range nd.Place(place, at[i], info.Shape) {
			place[axis] = p - low[axis]
		}
		copy(dst[i*size:(i+1)*size], data[int(nd.Number(place, r.Count))*size:])
	}
	return nil
}

// Pick implements [Array].
func (a *cut) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	of, place := a.of.Info().Shape, make([]uint64, len(a.info.Shape))
	there := make([]uint64, len(at)) // in the order of at: both arrays are in C order
	for i, n := range at {
		nd.Place(place, n, a.info.Shape)
		for axis, start := range a.region.Start {
			place[axis] += start
		}
		there[i] = nd.Number(place, of)
	}
	return a.of.Pick(ctx, there, dst)
}

// Pick implements [Array]. Axes of length 1 do not change the numbers of elements.
func (a *reshaped) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	return a.of.Pick(ctx, at, dst)
}

// Pick implements [Array]. Along the first axis the elements of one part follow the elements of
// another.
func (j *joined) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	if j.axis != 0 {
		return false, nil
	}
	row, size := nd.Volume(j.info.Shape[1:]), j.info.DType.Size()
	for i := 0; len(at) > 0; i++ {
		first := j.starts[i] * row
		end := first + j.parts[i].Info().Shape[0]*row
		n, _ := slices.BinarySearch(at, end)
		if n == 0 {
			continue
		}
		there := make([]uint64, n)
		for k := range there {
			there[k] = at[k] - first
		}
		if err := pick(ctx, j.parts[i], there, dst[:n*size]); err != nil {
			return true, err
		}
		at, dst = at[n:], dst[n*size:]
	}
	return true, nil
}

// Pick implements [Array].
func (a *taken) Pick(context.Context, []uint64, []byte) (bool, error) { return false, nil }

// Pick implements [Array]. Where elements are read one by one, no block is kept for others.
func (a *cached) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	return a.of.Pick(ctx, at, dst)
}

// Pick implements [Array].
func (a *unpacked) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	data := make([]byte, len(at)*a.of.Info().DType.Size())
	picked, err := a.of.Pick(ctx, at, data)
	if picked && err == nil {
		a.convert(dst, data)
	}
	return picked, err
}
