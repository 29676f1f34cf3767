package fromgrib

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// fieldAt is a field that has been read, whole or only its headers. It has the place to read it from again.
type fieldAt struct {
	*grib.Field
	ctx    context.Context // of the reading of its headers
	source *Source
	part   *importers.Part
	index  int // in the message
}

func (s *Source) fieldAt(ctx context.Context, f *grib.Field, p *importers.Part, index int) *fieldAt {
	return &fieldAt{Field: f, ctx: ctx, source: s, part: p, index: index}
}

// keysData gives the values for the keys that depend on them.
func (f *fieldAt) keysData() keys.DataSource {
	if f.Message.Partial {
		return f
	}
	return data{f.Field}
}

// Values implements keys.DataSource for a field that was read without its data.
func (f *fieldAt) Values() ([]float64, []byte, error) {
	whole, err := f.whole(f.ctx, new(importers.Scratch))
	if err != nil {
		return nil, nil, err
	}
	return data{whole}.Values()
}

// whole reads the field with its data.
func (f *fieldAt) whole(ctx context.Context, scratch *importers.Scratch) (*grib.Field, error) {
	file, err := f.source.acquire(ctx, f.part.Input)
	if err != nil {
		return nil, err
	}
	defer file.Release()
	if err := checkPlace(f.part, file.Size()); err != nil {
		return nil, err
	}
	m, err := f.source.readMessage(file, f.part, scratch)
	if err != nil {
		return nil, err
	}
	if f.index >= len(m.Fields()) {
		return nil, fmt.Errorf("the message has %d fields, expected one with the number %d: the input has changed", len(m.Fields()), f.index)
	}
	return m.Fields()[f.index], nil
}

// setValues gives a field its values, of a grid that has the given number of points.
func (f *fieldAt) setValues(out *importers.Field, g *grid, points int) {
	v := &values{field: f.Field, grid: g, points: points, dtype: out.DType}
	if f.Message.Partial {
		out.Values = &laterValues{importers.Plain{}, f, v}
		return
	}
	out.Values, out.StoredBytes = v, v.storedBytes
}

// laterValues are values that are read when they are asked for.
type laterValues struct {
	importers.Plain
	at     *fieldAt
	values *values // of a field without data
}

// Info implements importers.Values.
func (l *laterValues) Info(form importers.Form) *array.Info {
	info := l.values.Info(form)
	if info != nil {
		info.Fits = func(uint64) error {
			v, err := l.read(l.at.ctx, new(importers.Scratch))
			if err != nil {
				return nil // the reader of the values meets it again
			}
			return v.field.CheckDecode()
		}
	}
	return info
}

// Read implements importers.Values.
func (l *laterValues) Read(ctx context.Context, form importers.Form, r array.Region, scratch *importers.Scratch) (importers.Elements, error) {
	v, err := l.read(ctx, scratch)
	if err != nil {
		return importers.Elements{}, err
	}
	return v.Read(ctx, form, r, scratch)
}

// Packed implements importers.Values.
func (l *laterValues) Packed(ctx context.Context, scratch *importers.Scratch) (*tgm.Packed, error) {
	v, err := l.read(ctx, scratch)
	if err != nil {
		return nil, err
	}
	return v.Packed(ctx, scratch)
}

func (l *laterValues) read(ctx context.Context, scratch *importers.Scratch) (*values, error) {
	v := *l.values
	var err error
	if v.field, err = l.at.whole(ctx, scratch); err != nil {
		return nil, err
	}
	points, err := v.field.NumberOfDataPoints()
	if err != nil {
		return nil, err
	}
	if points != v.points {
		return nil, fmt.Errorf("the field has %d points, %d were listed: the input has changed", points, v.points)
	}
	return &v, nil
}
