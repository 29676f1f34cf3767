package archive

import (
	"context"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// Array implements [dataset.Arrays].
func (a *Archive) Array(ctx context.Context, ref int) (array.Array, error) {
	if parts := a.parts(ref); parts != nil {
		return a.join(ctx, parts)
	}
	e := a.Catalog.Entry(ref)
	if data, ok := a.values.of(ref); ok {
		return &keptArray{array.Memory(e.Shape, e.DType, data), a, ref}, nil
	}
	if a.isGone(ref) {
		file, _ := catalog.SplitState(e.File)
		return nil, &ChangedError{file, "vanished"}
	}
	object, err := a.Object(ref)
	if err != nil {
		return nil, err
	}
	if object != nil {
		check := func() error { return a.checkHash(ref, object) }
		if a.opts.SkipHashes {
			check = nil
		}
		o := &objectArray{object.Array(check), a, ref, array.Info{}}
		o.info = *o.Array.Info()
		o.info.Fits = func(bytes uint64) error { return a.Located(ref, o.Array.Info().Fits(bytes)) }
		return o, nil
	}
	f := &fieldArray{a: a, ref: ref}
	f.info, err = a.describe(ctx, ref, f.form)
	return f, err
}

// Written implements [dataset.Fields].
func (a *Archive) Written(ctx context.Context, ref int) (array.Array, error) {
	if a.parts(ref) != nil {
		return nil, nil
	}
	e := a.Catalog.Entry(ref)
	if _, _, stored := e.MessageSpan(); stored || e.Coordinate || a.formatOf(&e) == importers.FormatGRIB {
		return nil, nil
	}
	f := &fieldArray{a: a, ref: ref, form: importers.AsWritten}
	var err error
	if f.info, err = a.describe(ctx, ref, f.form); f.info.DType == array.InvalidDType {
		return nil, err
	}
	return f, err
}

// A keptArray has the values of an object that were read when the dataset was built.
type keptArray struct {
	array.Array
	a   *Archive
	ref int
}

func (k *keptArray) Read(ctx context.Context, r array.Region, dst []byte) error {
	if !k.a.isGone(k.ref) { // of the state in which the file was catalogued
		if err := k.a.check(k.a.Catalog.Entry(k.ref).File); err != nil {
			return err
		}
	}
	return k.Array.Read(ctx, r, dst)
}

// Pick implements [array.Array]. A kept array is in memory: any part of it is read at once.
func (k *keptArray) Pick(context.Context, []uint64, []byte) (bool, error) { return false, nil }

// checkHash compares the hash of an object, once.
func (a *Archive) checkHash(ref int, object *tgm.Object) error {
	if _, ok := a.hashed.Load(ref); ok {
		return nil
	}
	err := object.CheckHash()
	if err == nil {
		a.hashed.Store(ref, true)
	}
	return err
}

// An objectArray is an object of a Tensogram file.
type objectArray struct {
	array.Array
	a    *Archive
	ref  int
	info array.Info
}

func (o *objectArray) Info() *array.Info { return &o.info }

func (o *objectArray) Read(ctx context.Context, r array.Region, dst []byte) error {
	return o.a.Located(o.ref, o.Array.Read(ctx, r, dst))
}

// Pick implements [array.Array].
func (o *objectArray) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	picked, err := o.Array.Pick(ctx, at, dst)
	return picked, o.a.Located(o.ref, err)
}

// Coded implements [array.Array].
func (o *objectArray) Coded(ctx context.Context, buffer []uint32) (*array.Coded, error) {
	c, err := o.Array.Coded(ctx, buffer)
	return c, o.a.Located(o.ref, err)
}

// A fieldArray is a field of a file that is not Tensogram.
type fieldArray struct {
	a    *Archive
	ref  int
	info array.Info
	form importers.Form
}

func (f *fieldArray) Info() *array.Info { return &f.info }

// Single implements [array.Array]: GRIB decodes to float32 at once.
func (f *fieldArray) Single() array.Array {
	e := f.a.Catalog.Entry(f.ref)
	if f.info.DType != tgm.Float64 || e.Coordinate || f.a.formatOf(&e) != importers.FormatGRIB {
		return nil
	}
	single := *f
	single.form, single.info.DType = importers.AsSingle, tgm.Float32
	return &single
}

func (f *fieldArray) Read(ctx context.Context, r array.Region, dst []byte) error {
	if slices.Equal(r.Count, f.info.Shape) {
		return f.read(ctx, r, dst)
	}
	if done, err := f.readPart(ctx, r, dst); done || err != nil {
		return err
	}
	if isWhole := slices.Equal(f.info.Block, array.WholeBlock(f.info.Shape)); !isWhole && !f.inParts() {
		return f.read(ctx, r, dst)
	}
	whole := f.info.Whole()
	all, err := array.Read(ctx, f, whole, nil)
	if err == nil {
		nd.Copy(nd.At(dst, r.Count, nil), nd.At(all, f.info.Shape, r.Start), r.Count, f.info.DType.Size())
	}
	return err
}

// Pick implements [array.Array]: of GRIB fields single points are decoded.
func (f *fieldArray) Pick(ctx context.Context, at []uint64, dst []byte) (picked bool, err error) {
	e := f.a.Catalog.Entry(f.ref)
	if e.Coordinate || f.a.formatOf(&e) != importers.FormatGRIB {
		return false, nil
	}
	if picked, err = f.pickPart(ctx, at, dst); picked || err != nil {
		return picked, err
	}
	err = f.a.readValues(ctx, f.ref, true, func(v *importers.Field, scratch *importers.Scratch) error {
		picked, err = v.Values.Pick(ctx, f.form, at, dst, scratch)
		return err
	})
	return picked, f.a.Located(f.ref, err)
}

// read reads a region that is all of the field, or any if the field is read in blocks.
func (f *fieldArray) read(ctx context.Context, r array.Region, dst []byte) error {
	data, err := f.a.readField(ctx, f.ref, f.form, r, slices.Equal(r.Count, f.info.Shape), dst)
	if err == nil && len(data) != len(dst) {
		err = f.a.Located(f.ref, fmt.Errorf("%d bytes, expected %d of shape %v", len(data), len(dst), r.Count))
	}
	if err == nil && len(dst) > 0 && &data[0] != &dst[0] {
		copy(dst, data)
	}
	return err
}

// Coded implements [array.Array].
func (f *fieldArray) Coded(ctx context.Context, buffer []uint32) (c *array.Coded, err error) {
	if !f.inParts() || f.form != importers.AsValues || f.info.DType != tgm.Float64 {
		return nil, nil
	}
	err = f.a.readValues(ctx, f.ref, true, func(v *importers.Field, _ *importers.Scratch) error {
		q, err := fromgrib.ReadIntegers(v, buffer)
		if q != nil && err == nil && uint64(q.N) == f.info.Whole().Elements() {
			c = &array.Coded{Integers: q.Samples, Bits: q.Bits, Values: q.SetValues}
		}
		return err
	})
	return c, f.a.Located(f.ref, err)
}

// Packing implements [array.Array].
func (f *fieldArray) Packing(ctx context.Context, _ array.Region) (p *array.Packing, err error) {
	e := f.a.Catalog.Entry(f.ref)
	part, ok := e.Part()
	if !ok || e.Coordinate || f.a.formatOf(&e) != importers.FormatGRIB {
		return nil, nil
	}
	err = f.a.readChecked(ctx, f.ref, func(*catalog.Entry) error {
		q, err := f.a.quantised(ctx, &part)
		if q != nil && err == nil {
			packing := array.Packing(q.Params)
			p = &packing
		}
		return err
	})
	return p, f.a.Located(f.ref, err)
}

var _ dataset.Fields = (*Archive)(nil)
