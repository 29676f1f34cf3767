package tonetcdf

import (
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// referring are the attributes that name other variables.
var referring = []string{cf.AttrCoordinates, cf.AttrBounds, cf.AttrClimatology, cf.AttrGridMapping, "ancillary_variables", "cell_measures", cf.AttrFormulaTerms}

// selectVariables leaves the variables of the given names, all if there are none, with those that
// they refer to and the coordinates of their dimensions, and the dimensions that these have.
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

// selected are the variables of the given names, by path or by name alone, and those that they
// need.
func selected(vars []*variable, names []string) []*variable {
	if len(names) == 0 {
		return vars
	}
	keep := make(map[*variable]bool)
	var add func(v *variable)
	add = func(v *variable) {
		if keep[v] {
			return
		}
		keep[v] = true
		group, _ := splitPath(v.path)
		for _, name := range append(slices.Clone(v.out.Dims), v.names()...) {
			if other := lookUp(vars, group, name); other != nil {
				add(other)
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

// names are the words of the attributes that name other variables.
func (v *variable) names() (names []string) {
	for _, a := range v.out.Attrs {
		text, ok := a.Value.(string)
		if list, isList := a.Value.([]string); isList {
			text, ok = strings.Join(list, " "), true
		}
		if ok && slices.Contains(referring, a.Name) {
			names = append(names, strings.Fields(text)...)
		}
	}
	return names
}

// lookUp finds a variable by its name in a group or in those around it.
func lookUp(vars []*variable, group, name string) *variable {
	for {
		path := strings.TrimPrefix(group+"/"+name, "/")
		for _, v := range vars {
			if v.path == path {
				return v
			}
		}
		if group == "" {
			return nil
		}
		group, _ = splitPath(group)
	}
}
