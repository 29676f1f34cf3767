package netcdf

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
)

// assign gives every variable its dimensions, variables of inner groups first: the numbers of
// phony dimensions depend on the order. Variables that the library does not list, because it
// has no type for them, come last.
func (b *builder) assign(root *groupBuilder) {
	b.assignAxes(root, true)
	b.assignAxes(root, false)
	listDims(root)
}

func (b *builder) assignAxes(gb *groupBuilder, listed bool) {
	for _, c := range gb.children {
		b.assignAxes(c, listed)
	}
	for _, vb := range gb.vars {
		if vb.v.Type.known() != listed {
			continue
		}
		b.resolveAxes(vb)
		b.phonyAxes(gb, vb)
		for _, s := range vb.axes {
			vb.v.Dims = append(vb.v.Dims, s.dim)
		}
	}
}

// known reports whether netCDF has such a type.
func (t *Type) known() bool {
	for _, f := range t.Fields {
		if ft := f.Type; !ft.known() && (ft.Class != Array || !ft.Base.known()) {
			return false
		}
	}
	return t.Class <= Compound && (t.Base == nil || t.Base.known())
}

func listDims(gb *groupBuilder) {
	for _, c := range gb.children {
		listDims(c)
	}
	sorted := slices.Clone(gb.scales)
	slices.SortStableFunc(sorted, func(a, b *scale) int { return cmp.Compare(a.id, b.id) })
	for _, s := range sorted {
		gb.g.Dims = append(gb.g.Dims, s.dim)
	}
}

// resolveAxes replaces IDs and references by their dimensions. A dimension that does not fit the
// dataset is not used: its length would hide or invent elements.
func (b *builder) resolveAxes(vb *varBuilder) {
	for i, s := range vb.axes {
		if s == nil || s.dim != nil {
			continue
		}
		if s.id >= 0 {
			s = b.dims[s.id]
		} else {
			s = b.scales[s.place]
		}
		if s != nil && !s.dim.Unlimited && s.size != vb.shape[i] {
			s = nil
		}
		vb.axes[i] = s
	}
}

// phonyAxes invents dimensions where there are none. There is one per group for each length (and
// with or without limit), more when a variable has several axes of a length.
func (b *builder) phonyAxes(gb *groupBuilder, vb *varBuilder) {
	for i, s := range vb.axes {
		if s != nil {
			continue
		}
		unlimited := len(vb.data.Space.Max) > 0 && vb.data.Space.Max[i] == hdf5.Unlimited
		for _, s := range gb.scales {
			if s.size == vb.shape[i] && s.dim.Unlimited == unlimited && !slices.Contains(vb.axes, s) {
				vb.axes[i] = s
				break
			}
		}
		if vb.axes[i] == nil {
			// The library asks for a dimension of that length, where a length of 0 means unlimited.
			unlimited = unlimited || vb.shape[i] == 0
			dim := &Dim{Name: fmt.Sprintf("phony_dim_%d", b.nextID), Len: vb.shape[i], Unlimited: unlimited, Phony: true}
			s := &scale{dim: dim, size: vb.shape[i]}
			b.addDim(gb, s, -1)
			vb.axes[i] = s
		}
	}
}

// measure sets the length of unlimited dimensions to the longest variable on them.
func (b *builder) measure(root *groupBuilder) {
	for _, s := range b.dims {
		if s.dim.Unlimited {
			s.dim.Len = 0
		}
	}
	var walk func(gb *groupBuilder)
	walk = func(gb *groupBuilder) {
		for _, vb := range gb.vars {
			for i, s := range vb.axes {
				if s.dim.Unlimited {
					s.dim.Len = max(s.dim.Len, vb.shape[i])
				}
			}
		}
		for _, c := range gb.children {
			walk(c)
		}
	}
	walk(root)
}
