package dataset

import (
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
)

// Tree returns a dataset with a group for each type of level, below the group of the grid.
// Variables without a type of level stay in the group of the grid.
func (d *Dataset) Tree() *Dataset {
	tree := &Dataset{Report: d.Report, parts: d.parts}
	for _, g := range d.Groups {
		byLevel := make(map[string][]*Variable)
		var order []string
		for _, v := range g.Variables {
			if v.Coordinate {
				continue
			}
			levelType, _ := v.Attr("GRIB_typeOfLevel").(string)
			if byLevel[levelType] == nil {
				order = append(order, levelType)
			}
			byLevel[levelType] = append(byLevel[levelType], v)
		}
		tree.Groups = append(tree.Groups, &Group{Name: g.Name, Attrs: g.Attrs, ofFields: g.ofFields, Variables: g.withCoordinates(byLevel[""])})
		for _, levelType := range order {
			if levelType == "" {
				continue
			}
			name := levelType
			if g.Name != "" {
				name = g.Name + "/" + levelType
			}
			tree.Groups = append(tree.Groups, &Group{Name: name, Attrs: g.Attrs, ofFields: g.ofFields, Variables: g.withCoordinates(byLevel[levelType])})
		}
	}
	return tree
}

// withCoordinates are variables of the group with the variables that label them.
func (g *Group) withCoordinates(variables []*Variable) []*Variable {
	wanted := make(map[string]bool)
	want := func(v *Variable) {
		for _, dim := range v.Dims {
			wanted[dim] = true
		}
		for _, key := range []string{cf.AttrCoordinates, cf.AttrGridMapping, cf.AttrBounds, cf.AttrFormulaTerms} {
			text, _ := v.Attr(key).(string)
			for _, name := range strings.Fields(text) {
				wanted[strings.TrimSuffix(name, ":")] = true
			}
		}
	}
	for _, v := range variables {
		want(v)
	}
	all := slices.Clone(variables)
	for range 3 { // a coordinate may name its bounds, and bounds have dimensions
		for _, v := range g.Variables {
			if v.Coordinate && wanted[v.Name] && !slices.Contains(all, v) {
				all = append(all, v)
				want(v)
			}
		}
	}
	return all
}
