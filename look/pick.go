package look

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// Together divides fields into groups whose values are best read at once, of at most that many fields:
// slices of one variable, which may lie in the same blocks of it. Other fields are alone.
func Together(fields []*Field, most int) iter.Seq[[]*Field] {
	return func(yield func([]*Field) bool) {
		for len(fields) > 0 {
			n := 1
			for n < len(fields) && n < most && len(fields[n].at) > 0 && fields[n].whole == fields[0].whole && fields[n].ref == fields[0].ref {
				n++
			}
			if !yield(fields[:n]) {
				return
			}
			fields = fields[n:]
		}
	}
}

// ElementsAt reads single values of fields that [Together] has put into one group, by their numbers in
// C order, in any order: at has a list for each field. Element i of a result is the value with the
// number i of the list. No more is decoded than the blocks that the values lie in, each once.
func ElementsAt(ctx context.Context, fields []*Field, at [][]uint64) ([]*Elements, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	f := fields[0]
	a, err := f.values.Array(ctx, f.ref)
	if err != nil {
		return nil, f.InFile(err)
	}
	info := a.Info()
	var all []uint64
	for i, f := range fields {
		if all, err = f.appendWhole(all, info.Shape, at[i]); err != nil {
			return nil, f.InFile(err)
		}
	}
	size := info.DType.Size()
	data := make([]byte, len(all)*size)
	if err := array.Pick(ctx, a, all, data); err != nil {
		return nil, f.InFile(err)
	}
	found := make([]*Elements, len(fields))
	for i, f := range fields {
		n := len(at[i]) * size
		if found[i], err = f.elementsPicked(data[:n:n], info.DType); err != nil {
			return nil, f.InFile(err)
		}
		data = data[n:]
	}
	return found, nil
}

// appendWhole appends the numbers, among all elements of the variable, of elements of the field.
func (f *Field) appendWhole(dst []uint64, whole, at []uint64) ([]uint64, error) {
	if len(f.at) == 0 {
		return append(dst, at...), nil
	}
	if len(whole) != len(f.at)+len(f.Shape) {
		return nil, fmt.Errorf("%s: a slice of shape %v is not within shape %v", f.Where, f.Shape, whole)
	}
	place, inside := make([]uint64, len(whole)), make([]uint64, len(f.Shape))
	var axes []int // of the variable that the field has
	for axis := range whole {
		if i := slices.IndexFunc(f.at, func(p position) bool { return p.axis == axis }); i >= 0 {
			place[axis] = f.at[i].index
		} else {
			axes = append(axes, axis)
		}
	}
	n := nd.Volume(f.Shape)
	for _, k := range at {
		if k >= n {
			return nil, fmt.Errorf("%s: element %d of %d", f.Where, k, n)
		}
		for i, p := range nd.Place(inside, k, f.Shape) {
			place[axes[i]] = p
		}
		dst = append(dst, nd.Number(place, whole))
	}
	return dst, nil
}

// elementsPicked gives elements that were picked.
func (f *Field) elementsPicked(data []byte, t tgm.DType) (e *Elements, err error) {
	if f.DType == tgm.Bitmask || f.unpacks(t) {
		values := make([]float64, len(data)/t.Size())
		putNumbers(values, data, t)
		if f.unpacks(t) {
			unpack(values, f.scaling)
		}
		doubles := tgm.ArrayOf(values)
		e = f.unpackedElements(&doubles)
	} else if e, err = f.elementsOf(&tgm.Array{DType: t, Data: data}); err != nil {
		return nil, err
	}
	e.Shape = []uint64{uint64(e.n)}
	return e, nil
}
