package tozarr

import (
	"bytes"
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// noteKept adds a note if an array has other values in the inputs than in the store. The store keeps
// its own. The array does not grow, and names no places of others.
func (e *extension) noteKept(ctx context.Context, a *arrayPlan, old *zarr.Array) error {
	same, err := a.unchanged(ctx, old, e.maxMemory)
	if err == nil && !same {
		e.noteDiffers(a)
	}
	return err
}

func (e *extension) noteDiffers(a *arrayPlan) {
	e.plan.notes = append(e.plan.notes, a.path+": it has no dimension "+e.dim+"; the store keeps its values, and the inputs have others")
}

// unchanged reports whether view and store have the same elements; NaNs are equal. It compares block by
// block, in chunks of the view if larger blocks take more than maxMemory.
func (a *arrayPlan) unchanged(ctx context.Context, old *zarr.Array, maxMemory int64) (bool, error) {
	if slices.Contains(a.in.Shape, 0) {
		return true, nil
	}
	view, err := zarr.OpenArray(ctx, serve.NewStore(a.view, serve.StoreOptions{CacheBytes: -1}), a.path)
	if err != nil {
		return false, err
	}
	from, to := int64(a.in.DataType.Size()), int64(a.out.DataType.Size())
	block := slices.Clone(a.in.ChunkShape)
	for i, n := range a.out.ChunkShape {
		block[i] = min(max(n, block[i]), a.in.Shape[i])
	}
	if int64(nd.Volume(block))*(from+to) > maxMemory {
		block = slices.Clone(a.in.ChunkShape)
	}
	for start, count := range nd.Tiles(a.in.Shape, block) {
		before, after := make([]byte, int64(nd.Volume(count))*to), make([]byte, int64(nd.Volume(count))*from)
		if err := old.ReadRegion(ctx, before, start, count); err != nil {
			return false, err
		}
		if err := view.ReadRegion(ctx, after, start, count); err != nil {
			return false, err
		}
		if after, err = a.convert(after); err != nil {
			return false, err
		}
		if !equalElements(a.out.DataType, before, after) {
			return false, nil
		}
	}
	return true, nil
}

// equalElements reports whether elements of a type are the same, where NaNs are equal.
func equalElements(t zarr.DataType, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	size := t.Size()
	if t != zarr.Float32 && t != zarr.Float64 || len(a) != len(b) {
		return false
	}
	for ; len(a) >= size; a, b = a[size:], b[size:] {
		if !bytes.Equal(a[:size], b[:size]) && (number(t, a) != nil || number(t, b) != nil) {
			return false
		}
	}
	return true
}
