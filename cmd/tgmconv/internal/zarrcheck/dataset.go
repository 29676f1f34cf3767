package zarrcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// ErrNotCompared is the error for arrays of types that are not compared: texts, and types that Zarr
// shows as another type.
var ErrNotCompared = errors.New("not compared: texts, or of a type that is shown as another one")

// Dataset compares every array of a dataset with its fields, bit by bit. store shows the dataset as
// a [serve.DatasetView] does. report is called after each array, also after one that differs.
func Dataset(ctx context.Context, store zarr.Store, set *dataset.Dataset, fields dataset.Fields, report func(Array) error) (Result, error) {
	var r Result
	c, paths := variables{store, fields}, serve.NewDatasetPaths(set)
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

// sameComputed compares an array with values that are computed.
func sameComputed(ctx context.Context, array *zarr.Array, v *dataset.Variable, size int64) error {
	compared := int64(0)
	for start, count := range v.Regions() {
		want, err := v.Region(start, count)
		if err != nil {
			return err
		}
		if compared += int64(len(want)); compared > size {
			break
		}
		got := make([]byte, len(want))
		if err := array.ReadRegion(ctx, got, start, count); err != nil {
			return err
		}
		if err := sameElements(got, want, v.DType); err != nil {
			return err
		}
	}
	if compared != size {
		return fmt.Errorf("%d bytes, expected %d", size, compared)
	}
	return nil
}

// compareFields compares an array with the fields of a variable.
func (c *variables) compareFields(ctx context.Context, array *zarr.Array, v *dataset.Variable) error {
	if slices.Contains(v.Shape, 0) {
		return nil
	}
	for i, ref := range v.Refs() {
		start, count := nd.Tile(uint64(i), v.Shape, v.Chunk)
		if err := c.compareField(ctx, array, v, int(ref), start, count); err != nil {
			return err
		}
	}
	return nil
}

// regionBytes is about the size of the regions in which a field is compared, if it is read in parts.
const regionBytes = 4 << 20

// compareField compares a region of an array with the field that it shows; ref is negative for a
// hole.
func (c *variables) compareField(ctx context.Context, shown *zarr.Array, v *dataset.Variable, ref int, start, count []uint64) error {
	if ref < 0 {
		data, err := readRegion(ctx, shown, start, count)
		size := min(len(data), shown.Metadata().DataType.Size())
		if err != nil {
			return err
		}
		return sameElements(data[size:], data[:len(data)-size], v.DType) // all are the same
	}
	a, err := c.fields.Array(ctx, ref)
	if err != nil {
		return err
	}
	if a, err = array.Reshape(a, count); err == nil {
		a, err = v.Values(a)
	}
	if err != nil {
		return err
	}
	dtype := shown.Metadata().DataType
	if dtype == zarr.Float32 {
		a = array.Single(a)
	}
	info := a.Info()
	if zarr.DataType(info.DType.String()) != dtype {
		return ErrNotCompared
	}
	chunk, _ := nd.Bytes(shown.Metadata().ChunkShape, dtype.Size()) // none is read for two regions, about
	for r := range array.Regions(count, info.Box(max(regionBytes, uint64(chunk)))) {
		want, err := array.Read(ctx, a, r, nil)
		if err != nil {
			return err
		}
		at := slices.Clone(start)
		for i, n := range r.Start {
			at[i] += n
		}
		got, err := readRegion(ctx, shown, at, r.Count)
		if err != nil {
			return err
		}
		if err := sameElements(got, want, info.DType); err != nil {
			return err
		}
	}
	return nil
}

func readRegion(ctx context.Context, a *zarr.Array, start, count []uint64) ([]byte, error) {
	data := make([]byte, a.Metadata().DataType.Size()*int(nd.Volume(count)))
	return data, a.ReadRegion(ctx, data, start, count)
}

// sameElements compares elements bit by bit, but for NaN, which has many forms.
func sameElements(got, want []byte, t tgm.DType) error {
	if bytes.Equal(got, want) {
		return nil
	}
	other := errors.New("other values than the file's")
	if len(got) != len(want) || t != tgm.Float32 && t != tgm.Float64 {
		return other
	}
	number, size := t.Number(), t.Size()
	for i := 0; i < len(want); i += size {
		a, b := number(got[i:]), number(want[i:])
		if !bytes.Equal(got[i:i+size], want[i:i+size]) && (a == a || b == b) {
			return other
		}
	}
	return nil
}
