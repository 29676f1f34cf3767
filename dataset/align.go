package dataset

import (
	"bytes"
	"slices"
)

// fits reports whether a group can lie below another group. Clients, such as xarray's DataTree,
// give a group the coordinates of the groups above it: a dimension that both have must be the same.
func (g *Group) fits(above *Group) bool {
	sizes := above.sizes()
	for dim, n := range g.sizes() {
		other, shared := sizes[dim]
		if shared && (n != other || !sameLabels(g.Variable(dim), above.Variable(dim))) {
			return false
		}
	}
	return true
}

// Aligned reports whether each group has the same labels as groups above it along the same dimensions,
// or none. Clients that give a group the coordinates of the groups above it, such as xarray's
// DataTree, open no others. Labels that are not computed count as different.
func (d *Dataset) Aligned() bool {
	byName := make(map[string]*Group)
	for _, g := range d.Groups {
		byName[g.Name] = g
	}
	for _, g := range d.Groups {
		for name := range around(g.Name) {
			if above := byName[name]; above != nil && !g.inherits(above) {
				return false
			}
		}
	}
	return true
}

// inherits reports whether a group can have the coordinates of one above it.
func (g *Group) inherits(above *Group) bool {
	sizes := above.sizes()
	for dim, n := range g.sizes() {
		other, shared := sizes[dim]
		own := g.Variable(dim)
		if shared && (n != other || own != nil && !sameLabels(own, above.Variable(dim))) {
			return false
		}
	}
	return true
}

// sizes are the lengths of the dimensions of the variables of the group.
func (g *Group) sizes() map[string]uint64 {
	sizes := make(map[string]uint64)
	for _, v := range g.Variables {
		for i, dim := range v.Dims {
			sizes[dim] = v.Shape[i]
		}
	}
	return sizes
}

// sameLabels reports whether two coordinates have the same values. Values in objects count as different.
func sameLabels(a, b *Variable) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if !a.Computed() || !b.Computed() || a.DType != b.DType {
		return false
	}
	if a.origin != "" && a.origin == b.origin && a.Name == b.Name {
		return true
	}
	if !slices.Equal(a.Shape, b.Shape) {
		return false
	}
	for start, count := range a.Regions() {
		x, errX := a.Region(start, count)
		y, errY := b.Region(start, count)
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// emptyRoot names the root if a group does not fit below it. It returns the groups with an empty root before
// them.
func emptyRoot(groups []*Group, name func() string, report *Report) []*Group {
	if len(groups) < 2 || !slices.ContainsFunc(groups[1:], func(g *Group) bool { return !g.fits(groups[0]) }) {
		return groups
	}
	groups[0].Name = name()
	report.moveRoot(groups[0].Name)
	root := &Group{Attrs: []Attribute{{"Conventions", "CF-1.11"}}}
	var names []string
	for _, g := range groups {
		names = append(names, g.Name)
	}
	root.Attrs = append(root.Attrs, Attribute{"comment", "the variables are in the groups, one for each grid"}, Attribute{"groups", names})
	return append([]*Group{root}, groups...)
}
