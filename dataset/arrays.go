package dataset

import (
	"context"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/tgm"
)

// Arrays gives arrays by their refs: the objects of a dataset, and chunks assembled from parts, see
// [Dataset.Parts]. It may be used by several goroutines.
type Arrays interface {
	Array(ctx context.Context, ref int) (array.Array, error)
}

// Read reads all elements of an object, in the memory of buffer if it has room.
func Read(ctx context.Context, arrays Arrays, ref int, buffer []byte) (*tgm.Array, error) {
	a, err := arrays.Array(ctx, ref)
	if err != nil {
		return nil, err
	}
	info := a.Info()
	data, err := array.Read(ctx, a, info.Whole(), buffer)
	if err != nil {
		return nil, err
	}
	return &tgm.Array{Shape: slices.Clone(info.Shape), DType: info.DType, Data: data}, nil
}

// Array returns the array of a part: rows of its object, as the variable shows them.
func (p *Part) Array(ctx context.Context, arrays Arrays) (array.Array, error) {
	a, err := arrays.Array(ctx, p.Ref)
	if err != nil {
		return nil, err
	}
	if p.Take != nil {
		if a, err = array.Reshape(a, p.Take.Shape); err != nil {
			return nil, err
		}
		return array.Take(a, p.Take.At), nil
	}
	shape := a.Info().Shape
	if last := len(shape) - 1; last >= 0 {
		rows := a.Info().Whole()
		rows.Count = append([]uint64{p.Rows}, shape[1:]...)
		if rows.Start[0] = p.First; p.Rows < shape[0] {
			a = array.Cut(a, rows)
		}
		if shape[last] < p.Width {
			wide := append([]uint64{}, rows.Count...)
			if wide[last] = p.Width; (array.Region{Count: wide}).Elements() > maxWidened {
				return nil, fmt.Errorf("texts of shape %v, which other texts of %d bytes make larger than %d bytes", shape, p.Width, maxWidened)
			}
			a = array.Pad(a, wide, []byte{0})
		}
	}
	if p.Unpack == nil {
		return a, nil
	}
	return array.Unpack(a, p.Unpack.To, p.Unpack.value())
}

// Arrays adds the chunks that the dataset assembles from parts to the arrays of the objects.
func (d *Dataset) Arrays(objects Arrays) Arrays { return partArrays{d, objects} }

type partArrays struct {
	of      *Dataset
	objects Arrays
}

// Array implements [Arrays].
func (a partArrays) Array(ctx context.Context, ref int) (array.Array, error) {
	parts := a.of.Parts(ref)
	if parts == nil {
		return a.objects.Array(ctx, ref)
	}
	arrays := make([]array.Array, len(parts))
	for i := range parts {
		var err error
		if arrays[i], err = parts[i].Array(ctx, a); err != nil {
			return nil, err
		}
	}
	if len(arrays) == 1 {
		return arrays[0], nil
	}
	return array.Join(0, arrays...)
}

// Values is the array of the values that elements of the variable's objects mean.
func (v *Variable) Values(a array.Array) (array.Array, error) {
	if v.Unpack != nil {
		var err error
		if a, err = array.Unpack(a, v.unpackedType(), v.Unpack.Value); err != nil {
			return nil, err
		}
	}
	if v.single {
		a = array.Single(a)
	}
	return a, nil
}
