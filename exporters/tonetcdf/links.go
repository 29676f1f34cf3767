package tonetcdf

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// link adds a link to its group.
func (m *treeMaker) link(l *mapping.LayoutLink) error {
	parent, name := splitPath(strings.Trim(l.Name, "/"))
	in := m.groups[parent]
	switch {
	case in == nil:
		return fmt.Errorf("there is no group %s", parent)
	case l.Target == "" && m.groups[strings.Trim(l.Group, "/")] == nil:
		return fmt.Errorf("there is no group %s", l.Group)
	case in.Has(name):
		return fmt.Errorf("group %s has something of this name", parent)
	}
	if err := ncwrite.CheckName(name); err != nil {
		return err
	}
	in.Links = append(in.Links, ncwrite.Link{Name: name, Group: l.Group, Target: l.Target, File: l.File, Before: l.Before})
	return nil
}

// dropLinks leaves out all links, for a format that has none.
func (m *treeMaker) dropLinks() {
	for _, path := range slices.Sorted(maps.Keys(m.groups)) {
		g := m.groups[path]
		for _, l := range g.Links {
			m.note("link %s is left out: only netCDF-4 has links", strings.TrimPrefix(path+"/"+l.Name, "/"))
		}
		g.Links = nil
	}
}

// linkVariables makes links again of variables that were further links to the dataset of another
// variable. Variables with other values or attributes stay. It returns the variables that are
// written.
func (m *treeMaker) linkVariables() []*variable {
	byPath := make(map[string]*variable, len(m.vars))
	for _, v := range m.vars {
		byPath[v.path] = v
	}
	linked, needed := make(map[*variable]bool), make(map[*variable]bool)
	for i := range m.layout.Variables {
		l := &m.layout.Variables[i]
		v, to := byPath[l.Name], byPath[l.LinkTo]
		if l.LinkTo == "" || v == nil || to == nil || v == to || linked[to] || needed[v] || v.isScale() || to.isScale() || !m.same(v.path, to.path) {
			continue
		}
		linked[v], needed[to] = true, true
		v.out.Same, v.out.Target = to.out, l.Target
	}
	return slices.DeleteFunc(m.vars, func(v *variable) bool { return linked[v] })
}

// isScale reports whether a variable has the name of a dimension of its group that is written.
func (v *variable) isScale() bool {
	for _, d := range v.group.Dims {
		if d.Name == v.out.Name && !d.Phony {
			return true
		}
	}
	return false
}

// same reports whether two links to one dataset are known to have the same objects still. It compares their
// hashes, or the file that has the link, and all that describes them.
func (m *treeMaker) same(a, b string) bool {
	x, y := m.objects[a], m.objects[b]
	if len(x) != len(y) || len(x) == 0 {
		return false
	}
	for i := range x {
		if !m.sameObject(&x[i], &y[i]) {
			return false
		}
	}
	return true
}

func (m *treeMaker) sameObject(a, b *dataset.Object) bool {
	x, err := m.reader.Object(a.Ref)
	y, other := m.reader.Object(b.Ref)
	if err != nil || other != nil || a.File != b.File || !slices.Equal(a.Shape, b.Shape) || a.DType != b.DType {
		return false
	}
	if stored := x != nil && y != nil; stored {
		one, ok := x.Hash()
		two, both := y.Hash()
		if !ok || !both || one != two || x.PayloadLength() != y.PayloadLength() {
			return false
		}
	} else if x != nil || y != nil {
		return false
	}
	// Names of dimensions differ between groups.
	p, q := maps.Clone(a.Base.Namespace(mapping.KeyNetCDF)), maps.Clone(b.Base.Namespace(mapping.KeyNetCDF))
	delete(p, mapping.NetCDFDims)
	delete(q, mapping.NetCDFDims)
	return reflect.DeepEqual(p, q)
}

// settleReferences makes text of the references of attributes that the file cannot have: the paths of
// variables that are left out, and all paths in other formats than netCDF-4.
func (m *treeMaker) settleReferences(kind netcdf.Kind) {
	settle := func(of string, list []netcdf.Attr) {
		for i := range list {
			a := &list[i]
			paths, ok := a.Value.([]string)
			if !ok || a.Type.Class != netcdf.Reference || kind == netcdf.NetCDF4 && !slices.ContainsFunc(paths, m.leadsNowhere) {
				continue
			}
			m.note("%s: attribute %s refers to an object that the file does not have: it becomes text", of, a.Name)
			if a.Type, a.Value = ncwrite.Atomic(netcdf.Char), strings.Join(paths, " "); kind == netcdf.NetCDF4 {
				a.Type, a.Value = ncwrite.Atomic(netcdf.String), paths
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(m.groups)) {
		settle("group /"+path, m.groups[path].Attrs)
		for _, v := range m.groups[path].Vars {
			settle("variable "+strings.TrimPrefix(path+"/"+v.Name, "/"), v.Attrs)
		}
	}
}

// leadsNowhere reports whether a path leads to no group and no variable of the file.
func (m *treeMaker) leadsNowhere(path string) bool {
	if m.groups[strings.Trim(path, "/")] != nil || path == "" {
		return false
	}
	group, name := splitPath(strings.TrimPrefix(path, "/"))
	g := m.groups[group]
	return g == nil || g.Var(name) == nil
}

// referenceVariables adds the variables of references, whose paths the metadata have.
func (m *treeMaker) referenceVariables(kind netcdf.Kind) {
	var added []*ncwrite.Var
	for i := range m.layout.Variables {
		l := &m.layout.Variables[i]
		if l.Type != netcdf.Reference.String() {
			continue
		}
		v, err := m.referenceVariable(l, kind)
		if err != nil {
			m.note("variable %s is left out: %v", l.Name, err)
			continue
		}
		added = append(added, v)
	}
	for _, v := range added { // they may refer to each other
		lost := 0
		for i, path := range v.References {
			if m.leadsNowhere(path) {
				v.References[i] = ""
				lost++
			}
		}
		if lost > 0 {
			m.note("variable %s: %d of %d references lead to objects that the file does not have", v.Name, lost, len(v.References))
		}
	}
}

// referenceVariable adds a variable of references to its group.
func (m *treeMaker) referenceVariable(l *mapping.LayoutVariable, kind netcdf.Kind) (*ncwrite.Var, error) {
	i := slices.IndexFunc(m.file.Others, func(o mapping.NetCDFVariable) bool { return o.Name == l.Name })
	if i < 0 || kind != netcdf.NetCDF4 {
		return nil, fmt.Errorf("type %q has no form in netCDF", l.Type)
	}
	other := &m.file.Others[i]
	group, name := splitPath(l.Name)
	dims, err := m.dimsOf(group, l.Dims)
	if err != nil {
		return nil, err
	}
	n := uint64(1)
	for _, d := range dims {
		if n *= d.Len; max(n, d.Len) > math.MaxInt32 {
			return nil, fmt.Errorf("more than %d references", math.MaxInt32)
		}
	}
	g := m.groups[group]
	switch {
	case g == nil || g.Var(name) != nil:
		return nil, errors.New("there is no place for it")
	case n != uint64(len(other.References)):
		return nil, fmt.Errorf("the metadata have %d of its %d references", len(other.References), n)
	}
	if err := ncwrite.CheckName(name); err != nil {
		return nil, err
	}
	v := &ncwrite.Var{Name: name, Type: &netcdf.Type{Class: netcdf.Reference}, Dims: l.Dims, References: slices.Clone(other.References)}
	v.Attrs = m.attrs("variable "+l.Name, l.Attrs, other.Attributes, other.Types, nil)
	g.Vars = append(g.Vars, v)
	return v, nil
}
