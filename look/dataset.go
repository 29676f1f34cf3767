package look

import (
	"context"
	"errors"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// DatasetFields returns the fields of the variables of a labelled dataset, as those of a netCDF file
// with these variables. Values are read from fields. The clauses of the options are not asked, and
// coordinates are left out. Of fields on a grid there is a field for each of them.
func DatasetFields(ctx context.Context, set *dataset.Dataset, fields dataset.Fields, opts Options) ([]*Field, error) {
	opts.Where, opts.Coordinates = nil, false
	opts.Slices = opts.Slices || slices.ContainsFunc(set.Groups, (*dataset.Group).OfFields)
	l := NewLister(opts)
	shown := &shownFields{fields: fields}
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			if v.Text != dataset.NotText || v.Type().Size() == 0 {
				continue
			}
			path := v.Name
			if g.Name != "" {
				path = g.Name + "/" + v.Name
			}
			ref := len(shown.variables)
			shown.variables = append(shown.variables, v)
			file := ""
			for _, r := range v.Refs() {
				if r >= 0 {
					file = fields.File(int(r))
					break
				}
			}
			l.Add(&dataset.Object{Ref: ref, Where: path, File: file, Index: ref, Base: entryOf(path, sourceOf(g), v), Shape: v.Shape, DType: v.Type()})
		}
	}
	list, err := l.Fields(ctx, shown)
	return slices.DeleteFunc(list, func(f *Field) bool { return shown.variables[f.ref].Coordinate }), err
}

// sourceOf is the source of the variables of a group. Grids have names of dimensions in common.
func sourceOf(g *dataset.Group) string {
	if g.OfFields() {
		return "grid " + g.Name
	}
	return "variables"
}

// entryOf is what a netCDF file would say of a variable.
func entryOf(path, source string, v *dataset.Variable) mapping.Entry {
	attributes := make(map[string]any, len(v.Attrs))
	for _, a := range v.Attrs {
		attributes[a.Key] = a.Value
	}
	n := mapping.NetCDF{Attributes: attributes, Dims: v.Dims}
	base := map[string]any{mapping.KeyName: path, mapping.KeySource: source, mapping.KeyNetCDF: n.Map()}
	dims := make([]any, len(v.Dims))
	for i, dim := range v.Dims {
		dims[i] = dim
	}
	if len(dims) > 0 {
		base[mapping.KeyDims] = dims
	}
	for _, key := range []string{mapping.KeyUnits, mapping.KeyLongName} {
		if text, ok := attributes[key].(string); ok {
			base[key] = text
		}
	}
	return mapping.Read(base)
}

// shownFields are the values of the variables of a dataset, by their numbers.
type shownFields struct {
	fields    dataset.Fields
	variables []*dataset.Variable
}

// Array implements [dataset.Arrays].
func (s *shownFields) Array(ctx context.Context, ref int) (array.Array, error) {
	v := s.variables[ref]
	var hole []byte
	if v.DType.IsFloat() {
		hole = missingElement(v.DType)
	}
	return v.Values(v.Array(ctx, s.fields, hole))
}

// Written implements [dataset.Fields].
func (s *shownFields) Written(context.Context, int) (array.Array, error) { return nil, nil }

// missingElement is NaN, or 0 of types without it.
func missingElement(t tgm.DType) []byte {
	switch t {
	case tgm.Float32:
		return []byte{0, 0, 0xc0, 0x7f}
	case tgm.Float64:
		return []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}
	}
	return make([]byte, t.Size())
}

// Presence implements [dataset.Fields].
func (s *shownFields) Presence(int) dataset.Presence { return dataset.There }

// File implements [dataset.Fields].
func (s *shownFields) File(int) string { return "" }

// Version implements [dataset.Fields].
func (s *shownFields) Version(int) string { return "" }

// Located implements [dataset.Fields].
func (s *shownFields) Located(_ int, err error) error { return err }

// Object implements [dataset.Fields].
func (s *shownFields) Object(int) (*tgm.Object, error) { return nil, nil }

var errShown = errors.New("it is a part of a labelled dataset")

// Layout implements [dataset.Fields].
func (s *shownFields) Layout(context.Context, int) (*importers.Layout, error) {
	return nil, &importers.UnportableError{Why: errShown.Error()}
}

// Alike implements [dataset.Fields].
func (s *shownFields) Alike(context.Context, int, int) bool { return false }
