package look

import (
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
)

// DatasetFields returns the fields of the variables of a labelled dataset, like the fields of a netCDF file with
// these variables. Values are read from fields. The clauses of the options are not applied, and coordinates are
// left out. A variable on a grid gives a field for each position that is not a hole.
func DatasetFields(ctx context.Context, set *dataset.Dataset, fields dataset.Fields, opts Options) ([]*Field, error) {
	opts.Where, opts.Coordinates = nil, false
	opts.Slices = opts.Slices || slices.ContainsFunc(set.Groups, (*dataset.Group).OfFields)
	l := NewLister(opts)
	variables, groups := l.addVariables(set, fields)
	list, err := l.Fields(ctx, dataset.VariableFields(variables, fields))
	return slices.DeleteFunc(list, func(f *Field) bool {
		v := variables[f.ref]
		hole := f.setChunk(v)
		return v.Coordinate || hole && groups[f.ref].OfFields()
	}), err
}

// setChunk notes which chunk of a variable the field is, if it is one, and reports whether it is a hole.
func (f *Field) setChunk(v *dataset.Variable) (hole bool) {
	f.chunk = -1
	if len(v.Chunk) != len(v.Shape) || nd.Volume(v.Chunk) != nd.Volume(f.Shape) {
		return false
	}
	index := make([]uint64, len(v.Shape))
	for _, p := range f.at {
		if v.Chunk[p.axis] == 1 {
			index[p.axis] = p.index
		}
	}
	if ref, ok := v.Ref(index); ok {
		f.chunk = ref
	}
	return f.chunk < 0 && v.Refs() != nil
}

// Chunk returns the chunk of the dataset of [DatasetFields] that the field is, see [dataset.Variable.Ref]; false
// if it is a part of a chunk, or several.
func (f *Field) Chunk() (ref int, ok bool) { return f.chunk, f.chunk >= 0 }

// addVariables adds the numeric variables of a labelled dataset, like the variables of a netCDF
// file. The ref of a variable is its index in the returned variables and groups.
func (l *Lister) addVariables(set *dataset.Dataset, fields dataset.Fields) (variables []*dataset.Variable, groups []*dataset.Group) {
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			if v.Text != dataset.NotText || v.Type().Size() == 0 {
				continue
			}
			path := v.Name
			if g.Name != "" {
				path = g.Name + "/" + v.Name
			}
			ref := len(variables)
			variables, groups = append(variables, v), append(groups, g)
			file := ""
			for _, r := range v.Refs() {
				if r >= 0 {
					file = fields.File(int(r))
					break
				}
			}
			l.Add(&dataset.Object{Ref: ref, Where: path, File: file, Index: ref, Base: entryOf(path, g, v), Shape: v.Shape, DType: v.Type()})
		}
	}
	return variables, groups
}

// attrCentre is the attribute with the centre of fields.
const attrCentre = "GRIB_centre"

// sourceOf is the source of the variables of a group. Grids have names of dimensions in common.
func sourceOf(g *dataset.Group) string {
	if g.OfFields() {
		return "grid " + g.Name
	}
	return "variables"
}

// entryOf is the entry that a variable would have in a netCDF file, with the centre of its group.
func entryOf(path string, g *dataset.Group, v *dataset.Variable) mapping.Entry {
	attributes := make(map[string]any, len(v.Attrs))
	for _, a := range g.Attrs {
		if a.Key == attrCentre {
			attributes[a.Key] = a.Value
		}
	}
	for _, a := range v.Attrs {
		attributes[a.Key] = a.Value
	}
	n := mapping.NetCDF{Attributes: attributes, Dims: v.Dims}
	base := map[string]any{mapping.KeyName: path, mapping.KeySource: sourceOf(g), mapping.KeyNetCDF: n.Map()}
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
