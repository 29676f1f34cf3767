package look

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// fileAxes are the variables of a netCDF file that are coordinates of others.
type fileAxes struct {
	lats, lons []*Field
	byDim      map[string]*Field // variables with the name of their one dimension
	byName     map[string]*Field
	times      []*Field // texts that may be times
	grids      map[gridKey]*gridSource
	moving     map[[2]*Field]*moving
	values     map[*Field][]float64
	dates      map[*Field][]cf.Date
	err        error // the first of reading a coordinate
	wantBounds bool
	named      map[string]bool // variables that others name as their coordinates, bounds or grid mapping
	terms      map[string]bool // variables that others name in formula_terms
}

// axesOf are the coordinates of the source that a field comes from.
func (l *Lister) axesOf(f *Field) *fileAxes {
	a := l.axes[f.source]
	if a == nil {
		a = &fileAxes{
			byDim: make(map[string]*Field), byName: make(map[string]*Field), grids: make(map[gridKey]*gridSource), moving: make(map[[2]*Field]*moving),
			values: make(map[*Field][]float64), dates: make(map[*Field][]cf.Date), named: make(map[string]bool), terms: make(map[string]bool),
			wantBounds: l.opts.Bounds,
		}
		l.axes[f.source] = a
	}
	return a
}

// axis is the kind of axis that the variable labels.
func (f *Field) axis() cf.Axis {
	return cf.AxisOf(path.Base(f.Name), func(key string) (string, bool) {
		text, ok := f.Attributes[key].(string)
		return text, ok
	})
}

// addAxis remembers a variable that may be a coordinate.
func (l *Lister) addAxis(f *Field) {
	a := l.axesOf(f)
	if f.Text {
		a.times = append(a.times, f)
	} else if f.DType.Number() != nil {
		switch f.axis() {
		case cf.Latitude:
			a.lats = append(a.lats, f)
		case cf.Longitude:
			a.lons = append(a.lons, f)
		}
	}
	if f.labelsItsDim() {
		a.byDim[f.Dims[0]] = f
	}
	a.byName[f.Name] = f
	if f.attribute("cf_role") == "mesh_topology" {
		a.named[f.Name] = true
		for key, v := range f.Attributes {
			text, _ := v.(string)
			for _, name := range strings.Fields(text) {
				if strings.HasSuffix(key, "_connectivity") || strings.HasSuffix(key, "_coordinates") {
					a.named[path.Join(path.Dir(f.Name), name)] = true
				}
			}
		}
	}
	for _, term := range strings.Fields(f.attribute(cf.AttrFormulaTerms)) {
		if strings.HasSuffix(term, ":") {
			continue
		}
		a.terms[path.Join(path.Dir(f.Name), term)] = true
	}
	for _, key := range []string{cf.AttrBounds, cf.AttrClimatology, cf.AttrCoordinates, cf.AttrGridMapping} {
		for _, name := range strings.Fields(f.attribute(key)) {
			a.named[path.Join(path.Dir(f.Name), strings.TrimSuffix(name, ":"))] = true
		}
	}
}

// labelsItsDim reports whether the variable is the coordinate of its one dimension.
func (f *Field) labelsItsDim() bool { return len(f.Dims) == 1 && path.Base(f.Name) == f.Dims[0] }

// along returns the coordinate of a dimension of f, or nil. It looks in the group of f, then in the
// groups around it, then elsewhere.
func (a *fileAxes) along(f *Field, dim string) *Field {
	if c := a.find(f, dim); c != nil && c.labelsItsDim() {
		return c
	}
	return a.byDim[dim]
}

// find returns the variable that a name in an attribute of f means, nil if there is none.
func (a *fileAxes) find(f *Field, name string) *Field {
	group := path.Dir(f.Name)
	if group == "." {
		group = ""
	}
	found, ok := cf.Find(group, name, func(path string) bool { return a.byName[path] != nil })
	if !ok {
		return nil
	}
	return a.byName[found]
}

// slices returns the fields that a netCDF variable makes.
func (l *Lister) slices(ctx context.Context, f *Field) []*Field {
	a := l.axesOf(f)
	isAxis := slices.Contains(a.lats, f) || slices.Contains(a.lons, f) || f.labelsItsDim()
	isTerm := a.terms[f.Name] && len(f.Dims) < 2 // such as the coefficients of hybrid levels, but not the pressure at the surface
	if (isAxis || isTerm || a.named[f.Name]) && !l.opts.Coordinates {
		return nil
	}
	l.mapping(f)
	var p *places
	if !f.Text {
		p = a.places(f)
	}
	var outer []int // axes that are not horizontal
	if p != nil {
		for i, dim := range f.Dims {
			if !slices.Contains(p.dims, dim) {
				outer = append(outer, i)
			}
		}
		f.grid = a.grid(p, 0)
		if slices.Equal(p.dims, f.Dims[len(outer):]) {
			f.cells = f.grid
		}
	}
	if s := a.measured(f); s != nil {
		f.cells = s
	}
	if len(outer) > 0 && !l.opts.Slices {
		f.grid = nil // of one slice, not of all
	}
	f.axes = a
	a.scalars(ctx, f)
	if len(outer) == 0 || !l.opts.Slices || len(f.Dims) != len(f.Shape) {
		return []*Field{f}
	}
	return a.split(ctx, f, p, outer, &l.whole)
}

// mapping finds the grid mapping of a netCDF variable.
func (l *Lister) mapping(f *Field) {
	for name := range strings.FieldsSeq(f.attribute(cf.AttrGridMapping)) {
		if m := l.axesOf(f).find(f, strings.TrimSuffix(name, ":")); m != nil {
			f.Mapping = m.Attributes
			break
		}
	}
}

// Axes returns the coordinates of the rows and the columns of a netCDF variable: the values of the
// variables named like its last two dimensions. They are nil if there are none.
func (f *Field) Axes(ctx context.Context) (rows, columns []float64) {
	n := len(f.Dims)
	if f.axes == nil || n < 2 {
		return nil, nil
	}
	row, column := f.axes.along(f, f.Dims[n-2]), f.axes.along(f, f.Dims[n-1])
	if row == nil || column == nil {
		return nil, nil
	}
	return f.axes.read(ctx, row), f.axes.read(ctx, column)
}

// split makes a field of each position along the outer axes of a variable.
func (a *fileAxes) split(ctx context.Context, f *Field, p *places, outer []int, whole *lastRead) []*Field {
	n := uint64(1)
	lengths := make([]uint64, len(outer))
	for i, axis := range outer {
		if lengths[i] = f.Shape[axis]; lengths[i] == 0 || n > maxSlices/lengths[i] {
			return []*Field{f}
		}
		n *= lengths[i]
	}
	var shape []uint64
	for i, length := range f.Shape {
		if !slices.Contains(outer, i) {
			shape = append(shape, length)
		}
	}
	list := make([]*Field, n)
	for i := range list {
		slice := *f
		slice.Dims, slice.Shape = p.dims, shape
		slice.at, slice.whole = make([]position, len(outer)), whole
		for k, index := range nd.Place(make([]uint64, len(outer)), uint64(i), lengths) {
			at := position{axis: outer[k], dim: f.Dims[outer[k]], of: lengths[k], index: index}
			a.label(ctx, &slice, &at)
			slice.at[k] = at
		}
		slice.grid = a.grid(p, p.leading(slice.at))
		list[i] = &slice
	}
	return list
}

// maxSlices bounds the fields that are made of one variable.
const maxSlices = 1 << 20
