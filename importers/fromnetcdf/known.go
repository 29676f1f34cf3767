package fromnetcdf

import (
	"context"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// Known returns a function that describes a variable of a file for the clauses of a conversion.
func Known(nc *netcdf.File, name string) func(*netcdf.Var) *mapping.Known {
	f := &file{source: New(nil, Options{}), nc: nc}
	return newKnower(f, name, newChoice(f)).of
}

// A knower describes the variables of a file, for clauses, before it is known which of them are converted.
type knower struct {
	file    *file
	name    string // as listings show it
	times   *times
	message map[string]any
	numbers func() map[*netcdf.Var]int // once
}

func newKnower(f *file, name string, scope *choice) *knower {
	global := make(map[string]any)
	for i := range f.nc.Root().Attrs {
		if a := &f.nc.Root().Attrs[i]; a.Err == nil {
			global[text(a.Name)] = f.attrValue(a)
		}
	}
	k := &knower{file: f, name: name, message: (&mapping.NetCDFFile{Global: global}).Extra()}
	k.times = &times{file: f, scope: scope, axes: map[*netcdf.Var]*timeAxis{}}
	k.numbers = sync.OnceValue(func() map[*netcdf.Var]int {
		numbers, n := make(map[*netcdf.Var]int), 0
		scope.each(f.nc.Root(), func(_ *netcdf.Group, v *netcdf.Var) {
			numbers[v] = n
			list, _ := forms(v, v.Attrs)
			n += len(list)
		})
		return numbers
	})
	return k
}

// of returns the description of a variable.
func (k *knower) of(v *netcdf.Var) *mapping.Known {
	n := mapping.NetCDF{Dims: dimNames(v.Dims)}
	array := mapping.ArrayKeys{DType: v.Type.Class.String(), Shape: v.Shape(), Dims: n.Dims}
	kind, err := elementsOf(v.Type, v.Attrs)
	if err == nil {
		array.DType = kind.dtype.String()
	}
	if _, isNumber := dtypes[v.Type.Class]; !isNumber {
		n.Type = v.Type.Class.String()
	}
	base := map[string]any{mapping.KeyName: pathOf(v), mapping.KeyDims: n.Dims}
	if attrs, err := k.file.attributes(&variable{v: v, attrs: v.Attrs, kind: kind}); err == nil {
		n.Attributes, n.AttrTypes = typedMaps(attrs, cf.GroupVariable)
		if m, err := cfVocabulary(nil)(attrs); err == nil {
			base[mapping.KeyCF] = m
		}
	}
	base[mapping.KeyNetCDF] = n.Map()
	entry := mapping.ReadIn(k.message, base)
	withTimes := sync.OnceValue(func() mapping.Entry { // which are read from the file
		labels := mapping.Labels{Times: k.times.of(context.Background(), &part{variable: &variable{v: v, attrs: v.Attrs, kind: kind}, axis: -1})}
		for key, value := range labels.Map() {
			base[key] = mapping.Decoded(value)
		}
		return entry
	})
	place := &mapping.Place{File: k.name}
	return &mapping.Known{
		Entry: entry, Place: place, Array: func() mapping.ArrayKeys { return array },
		Label: func() mapping.Label { return withTimes().Label() },
		Lookup: func(key string) (any, bool) {
			switch key {
			case mapping.KeyReferenceTime, mapping.KeyValidTime, mapping.KeyValidBounds, mapping.KeyValidRange:
				return withTimes().Lookup(key)
			case "message":
				place.Message = k.numbers()[v]
			}
			return entry.Lookup(key)
		},
	}
}
