package fromgrib

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// Pick implements importers.Values.
func (v *values) Pick(_ context.Context, form importers.Form, at []uint64, dst []byte, scratch *importers.Scratch) (bool, error) {
	if form != importers.AsValues && form != importers.AsSingle {
		return false, nil
	}
	stored, order := v.storedAt(at)
	picked := make([]float64, len(at))
	done, err := v.field.Pick(picked, stored)
	if err == nil && !done {
		err = v.pickDecoded(picked, stored, scratch)
	}
	if err != nil {
		return false, err
	}
	single := form == importers.AsSingle || v.dtype == tgm.Float32
	for i, x := range picked {
		if order != nil {
			i = order[i]
		}
		if single {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(x)))
		} else {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(x))
		}
	}
	return true, nil
}

// storedAt returns the numbers of points in the order in which they are stored. order has the number of each
// point in at; it is nil for the same order.
func (v *values) storedAt(at []uint64) (stored []uint64, order []int) {
	if !v.grid.reorders() {
		return at, nil
	}
	order = make([]int, len(at))
	all := make([]uint64, len(at))
	for i, n := range at {
		order[i], all[i] = i, uint64(v.grid.StoredAt(int(n)))
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(all[i], all[j]) })
	stored = make([]uint64, len(at))
	for i, k := range order {
		stored[i] = all[k]
	}
	return stored, order
}

// pickDecoded takes points of the whole field.
func (v *values) pickDecoded(dst []float64, stored []uint64, scratch *importers.Scratch) error {
	if err := v.field.CheckDecode(); err != nil {
		return err
	}
	decoded, _, err := v.field.Decode(scratch.Floats(v.points))
	if err != nil {
		return err
	}
	for i, n := range stored {
		dst[i] = decoded[n]
	}
	return nil
}

// Pick implements importers.Values.
func (l *laterValues) Pick(ctx context.Context, form importers.Form, at []uint64, dst []byte, scratch *importers.Scratch) (bool, error) {
	v, err := l.read(ctx, scratch)
	if err != nil {
		return false, err
	}
	return v.Pick(ctx, form, at, dst, scratch)
}
