package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// ErrNotCompared is the error for arrays of types that are not compared: texts, and types that Zarr
// shows as another type.
var ErrNotCompared = errors.New("not compared: texts, or of a type that is shown as another one")

// Dataset compares every array of a dataset, which store shows as a [zarr.DatasetView] does, with
// the fields that it is made of, bit by bit, and calls report after each. It goes on after an array
// that differs.
func Dataset(ctx context.Context, store zarr.Store, set *dataset.Dataset, fields dataset.Fields, report func(Array) error) (Result, error) {
	var r Result
	c, paths := variables{store, fields}, zarr.NewDatasetPaths(set)
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			a := Array{Path: paths.Variable(g, v)}
			a.Err = c.compare(ctx, &a, v)
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			r.add(&a)
			if err := report(a); err != nil {
				return r, err
			}
		}
	}
	r.Listed = r.Arrays
	return r, nil
}

// variables compares arrays with variables.
type variables struct {
	store  zarr.Store
	fields dataset.Fields
}

// compare compares an array with a variable, field by field.
func (c *variables) compare(ctx context.Context, a *Array, v *dataset.Variable) error {
	if v.Text != dataset.NotText {
		return ErrNotCompared
	}
	array, err := zarr.OpenArray(ctx, c.store, a.Path)
	if err != nil {
		return err
	}
	meta := array.Metadata()
	a.DType, a.Shape = meta.DataType, meta.Shape
	if !slices.Equal(a.Shape, v.Shape) {
		return fmt.Errorf("shape %v, expected %v", a.Shape, v.Shape)
	}
	if a.Bytes, err = meta.Bytes(); err != nil {
		return err
	}
	if v.Computed() {
		return sameComputed(ctx, array, v, a.Bytes)
	}
	return c.compareFields(ctx, array, v)
}

// blockShape is the shape of the blocks in which a field is read at the least cost, nil if it is
// read at once.
func (c *variables) blockShape(ctx context.Context, ref int) ([]uint64, error) {
	blocks, ok := c.fields.(dataset.BlockSource)
	if !ok || ref < 0 {
		return nil, nil
	}
	return blocks.BlockShape(ctx, ref)
}

// sameComputed compares an array with values that are computed.
func sameComputed(ctx context.Context, array *zarr.Array, v *dataset.Variable, size int64) error {
	want, err := v.Data()
	if err != nil {
		return err
	}
	if size != int64(len(want)) {
		return fmt.Errorf("%d bytes, expected %d", size, len(want))
	}
	got := make([]byte, size)
	if err := array.Read(ctx, got); err != nil {
		return err
	}
	return sameElements(got, want)
}

// compareFields compares an array with the fields of a variable.
func (c *variables) compareFields(ctx context.Context, array *zarr.Array, v *dataset.Variable) error {
	if slices.Contains(v.Shape, 0) {
		return nil
	}
	grid := v.Grid()
	for i, ref := range v.Refs() {
		start, count := make([]uint64, len(grid)), make([]uint64, len(grid))
		for d, at := len(grid)-1, uint64(i); d >= 0; d-- {
			start[d] = at % grid[d] * v.Chunk[d]
			count[d] = min(v.Chunk[d], v.Shape[d]-start[d])
			at /= grid[d]
		}
		if err := c.compareField(ctx, array, v, int(ref), start, count); err != nil {
			return err
		}
	}
	return nil
}

// compareField compares a region of an array with the field that it shows; ref is negative for a
// hole. Fields that are read in blocks are compared along their first dimension, piece by piece.
func (c *variables) compareField(ctx context.Context, array *zarr.Array, v *dataset.Variable, ref int, start, count []uint64) error {
	blocks, err := c.blockShape(ctx, ref)
	if err != nil {
		return err
	}
	if blocks == nil || len(count) == 0 {
		return c.compareRegion(ctx, array, v, start, count, func() (*tgm.Array, error) { return c.fields.Read(ctx, ref, nil) }, ref < 0)
	}
	step := max(blocks[0], array.Metadata().ChunkShape[0])
	within := make([]uint64, len(start)) // of the field
	for ; within[0] < count[0]; within[0] += step {
		at, n := slices.Clone(start), slices.Clone(count)
		at[0], n[0] = start[0]+within[0], min(step, count[0]-within[0])
		read := func() (*tgm.Array, error) { return c.fields.(dataset.BlockSource).ReadBlock(ctx, ref, within, n, nil) }
		if err := c.compareRegion(ctx, array, v, at, n, read, false); err != nil {
			return err
		}
	}
	return nil
}

// compareRegion compares a region of an array with what read reads. In a hole all elements are the
// same.
func (c *variables) compareRegion(ctx context.Context, array *zarr.Array, v *dataset.Variable, start, count []uint64,
	read func() (*tgm.Array, error), hole bool) error {
	size := array.Metadata().DataType.Size()
	for _, n := range count {
		size *= int(n)
	}
	got := make([]byte, size)
	if err := array.ReadRegion(ctx, got, start, count); err != nil {
		return err
	}
	if hole {
		element := min(size, array.Metadata().DataType.Size())
		return sameElements(got[element:], got[:size-element])
	}
	want, err := read()
	if err != nil {
		return err
	}
	data, ok := zarr.ShownElements(v, array.Metadata().DataType, want.Data)
	if !ok {
		return ErrNotCompared
	}
	return sameElements(got, data)
}

// sameElements compares elements bit by bit.
func sameElements(got, want []byte) error {
	if !bytes.Equal(got, want) {
		return errors.New("other values than the file's")
	}
	return nil
}
