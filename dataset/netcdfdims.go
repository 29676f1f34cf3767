package dataset

import (
	"slices"
	"strings"
)

// inventDims names the axes of a variable for which its file has no dimensions. These are the axes within its
// elements, and the axis of the values of sequences one after the other. leading is the number of axes added
// in front of the axes of the first object.
func (v *Variable) inventDims(sequences bool, leading int) {
	switch {
	case sequences:
		v.Dims = v.Dims[:min(leading, len(v.Dims))]
	case len(v.Dims) > len(v.Shape):
		v.Dims = nil
	}
	v.Dims = slices.Clone(v.Dims)
	v.invented = make([]bool, len(v.Dims))
	for i := len(v.Dims); i < len(v.Shape); i++ {
		name := v.Name + "_dim_" + numberText(float64(i))
		if sequences && i == leading {
			name = v.Name + "_values" // as in the metadata of the object
		}
		v.Dims, v.invented = append(v.Dims, name), append(v.invented, true)
	}
}

// separate renames the dimensions of v that other variables of the group have with another length:
// clients refuse a group with both.
func (g *Group) separate(v *Variable) {
	if g.lengths == nil {
		g.lengths = make(map[string]uint64)
	}
	for ; g.measured < len(g.Variables); g.measured++ {
		other := g.Variables[g.measured]
		for i, dim := range other.Dims {
			if _, taken := g.lengths[dim]; !taken && (i >= len(other.invented) || !other.invented[i]) {
				g.lengths[dim] = other.Shape[i]
			}
		}
	}
	for i, dim := range v.Dims {
		if length, taken := g.lengths[dim]; taken && length != v.Shape[i] && !v.invented[i] {
			v.Dims[i], v.invented[i] = v.Name+"_"+dim, true
		}
	}
}

// separateInvented renames invented dimensions where a near group has a dimension of that name with another
// length. Near groups are the group itself, groups around it and groups in it. The groups must be in order.
func (d *Dataset) separateInvented() {
	lengths := make(map[string]map[string]uint64) // of the dimensions of each group
	below := make(map[string]map[string]bool)     // the dimensions of the file in groups in each
	for _, g := range d.Groups {
		lengths[g.Name] = make(map[string]uint64)
		for _, v := range g.Variables {
			for i, dim := range v.Dims {
				if i < len(v.invented) && v.invented[i] {
					continue
				}
				lengths[g.Name][dim] = v.Shape[i]
				for name := range around(g.Name) {
					if below[name] == nil {
						below[name] = make(map[string]bool)
					}
					below[name][dim] = true
				}
			}
		}
	}
	for _, g := range d.Groups {
		free := func(dim string, n uint64) bool {
			if length, ok := lengths[g.Name][dim]; ok && length != n || below[g.Name][dim] {
				return false
			}
			for name := range around(g.Name) {
				if length, ok := lengths[name][dim]; ok && length != n {
					return false
				}
			}
			return true
		}
		for _, v := range g.Variables {
			for i, dim := range v.Dims {
				if i >= len(v.invented) || !v.invented[i] {
					continue
				}
				for k := 1; !free(v.Dims[i], v.Shape[i]); k++ {
					v.Dims[i] = dim + "_" + numberText(float64(k))
				}
				lengths[g.Name][v.Dims[i]] = v.Shape[i]
			}
		}
	}
}

// around yields the names of the groups that a group is in: the root is in none.
func around(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name != "" {
			name = name[:max(0, strings.LastIndexByte(name, '/'))]
			if !yield(name) {
				return
			}
		}
	}
}

// CoordinatesAbove returns the coordinates of the outer groups that variables of the group can have. No
// variable of the group, or of a nearer group, hides them by its name. Of scalar variables it returns
// all, as only variables of the group may say that they are coordinates.
func (d *Dataset) CoordinatesAbove(g *Group) (list []*Variable) {
	hidden := make(map[string]bool)
	hide := func(g *Group) {
		for _, v := range g.Variables {
			hidden[v.Name] = true
		}
	}
	hide(g)
	for name := range around(g.Name) {
		above := d.Group(name)
		if above == nil {
			continue
		}
		for _, v := range above.Variables {
			if (v.Coordinate || len(v.Shape) == 0) && !hidden[v.Name] {
				list = append(list, v)
			}
		}
		hide(above)
	}
	return list
}
