package tonetcdf

import (
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// selectVariables keeps the variables of the given names, all if there are none. It also keeps the variables
// that they refer to, the coordinates of their dimensions, and the dimensions.
func (m *treeMaker) selectVariables(f *File, names []string) {
	f.vars = selected(f.vars, names)
	keep := make(map[*ncwrite.Var]bool)
	for _, v := range f.vars {
		keep[v.out] = true
	}
	dims := make(map[*netcdf.Dim]bool)
	for _, v := range f.vars {
		group, _ := splitPath(v.path)
		found, _ := m.dimsOf(group, v.out.Dims)
		for _, d := range found {
			dims[d] = true
		}
	}
	for _, g := range m.groups {
		g.Vars = slices.DeleteFunc(g.Vars, func(v *ncwrite.Var) bool { return !keep[v] })
		g.Dims = slices.DeleteFunc(g.Dims, func(d *netcdf.Dim) bool { return !dims[d] })
	}
}

// selected are the variables of the given names, by path or by name alone, and the variables that they need.
func selected(vars []*variable, names []string) []*variable {
	if len(names) == 0 {
		return vars
	}
	keep := make(map[*variable]bool)
	byPath := make(map[string]*variable, len(vars))
	for _, v := range vars {
		byPath[v.path] = v
	}
	var add func(v *variable)
	add = func(v *variable) {
		if keep[v] {
			return
		}
		keep[v] = true
		group, _ := splitPath(v.path)
		for _, name := range append(slices.Clone(v.out.Dims), cf.Needs(v.attrText)...) {
			if path, ok := cf.Find(group, name, func(path string) bool { return byPath[path] != nil }); ok {
				add(byPath[path])
			}
		}
		for _, dim := range v.out.Dims { // of ragged arrays: how many elements belong together
			for _, other := range vars {
				if in, _ := splitPath(other.path); in == group && cf.Ragged(other.attrText, dim) {
					add(other)
				}
			}
		}
	}
	for _, v := range vars {
		if slices.Contains(names, v.path) || slices.Contains(names, v.out.Name) {
			add(v)
		}
	}
	return slices.DeleteFunc(slices.Clone(vars), func(v *variable) bool { return !keep[v] })
}

// attrText returns the text of an attribute, "" if there is none.
func (v *variable) attrText(name string) string {
	for _, a := range v.out.Attrs {
		if a.Name != name {
			continue
		}
		switch text := a.Value.(type) {
		case string:
			return text
		case []string:
			return strings.Join(text, " ")
		}
	}
	return ""
}
