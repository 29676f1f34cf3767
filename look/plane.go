package look

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Plane is a variable of a labelled dataset as maps show it: the axes along which its values lie at
// different places, and those along which it has one map after the other. It may be used by several
// goroutines.
type Plane struct {
	Group    *dataset.Group
	Variable *dataset.Variable
	// Across are the axes along which places differ, in order: rows and columns, or points. There are
	// none if the places are not known.
	Across []int

	field  *Field
	axes   *fileAxes
	places *places
	mu     *sync.Mutex // of axes, which planes share
}

// DatasetPlanes returns the planes of the numeric variables of a labelled dataset that are no
// coordinates. It reads nothing; labels are read from fields when they are asked for.
func DatasetPlanes(set *dataset.Dataset, fields dataset.Fields) []*Plane {
	l := NewLister(Options{Slices: true})
	variables, groups := l.addVariables(set, fields)
	values := dataset.VariableFields(variables, fields)
	var planes []*Plane
	mu := new(sync.Mutex)
	for _, f := range l.order {
		f.values = values
		v := variables[f.ref]
		if v.Coordinate || !f.isVariable || f.DType.Number() == nil || f.DType.IsComplex() || f.Text {
			continue
		}
		p := &Plane{Group: groups[f.ref], Variable: v, field: f, axes: l.axesOf(f), mu: mu}
		l.mapping(f)
		if p.axes.named[f.Name] {
			continue
		}
		if p.places = p.axes.places(f); p.places != nil && len(p.places.dims) > 0 {
			for i, dim := range f.Dims {
				if slices.Contains(p.places.dims, dim) {
					p.Across = append(p.Across, i)
				}
			}
		}
		planes = append(planes, p)
	}
	return planes
}

// maxPlane bounds the points of a plane whose latitudes and longitudes are held.
const maxPlane = 1 << 25

// Grid returns the latitudes and longitudes of the values of one map, in the order of the axes Across.
// Each call reads them again, and the caller owns them. The error is a [*NoGridError] if they are not
// known, or if they differ along other axes.
func (p *Plane) Grid(ctx context.Context) (*Grid, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	none := func(reason string) error { return &NoGridError{p.field.Where, reason} }
	switch {
	case slices.Contains(p.field.Dims, "coefficient"):
		return nil, none("the values are coefficients of spherical harmonics, which lie at no places: transform them to a grid first")
	case p.places == nil || len(p.Across) == 0:
		return nil, none("neither a grid nor latitudes and longitudes are known")
	}
	n := uint64(1)
	for _, axis := range p.Across {
		n *= min(p.Variable.Shape[axis], maxPlane+1)
	}
	if separate := p.places.onMap == nil && len(p.Across) == 2 && len(p.places.lat.Dims) == 1; !separate && n > maxPlane {
		return nil, none(fmt.Sprintf("the latitudes and longitudes of %d points take too much memory", n))
	}
	if len(p.places.before) > 0 {
		m := p.axes.movingOf(p.places)
		m.once.Do(func() { m.err = m.read(ctx, p.places) })
		if m.err == nil && m.same == nil {
			return nil, none(fmt.Sprintf("the places are others at each position along %s", p.places.before[0].dim))
		}
		if m.err != nil {
			return nil, m.err
		}
		return m.same, nil
	}
	g, err := p.axes.readPlaces(ctx, p.places, 0)
	if err != nil {
		return nil, p.field.InFile(err)
	}
	if n != uint64(g.Len()) {
		return nil, none(fmt.Sprintf("there are %d places for %d values", g.Len(), n))
	}
	return g, nil
}

// GridKey stands for the coordinates that [Plane.Grid] reads: planes with the same key have the same
// grid.
func (p *Plane) GridKey() any {
	if p.places == nil {
		return nil
	}
	key := gridKey{lat: p.places.lat, lon: p.places.lon, turned: p.places.turned}
	if p.places.onMap != nil {
		key.mapping = p.places.onMap.name
	}
	return key
}

// A Labels is the coordinate of an axis.
type Labels struct {
	LongName, Units string
	Values          []any // numbers, or times as texts; nil if the axis has no coordinate
}

// Labels reads the coordinate of an axis.
func (p *Plane) Labels(ctx context.Context, axis int) (Labels, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	dim := p.Variable.Dims[axis]
	var found Labels
	coordinate := p.axes.coordinateOf(p.field, dim)
	if coordinate == nil {
		return found, nil
	}
	found.LongName, found.Units = coordinate.attribute(cf.AttrLongName), coordinate.attribute(cf.AttrUnits)
	for i := range p.Variable.Shape[axis] {
		scratch := *p.field
		at := position{axis: axis, dim: dim, index: i, of: p.Variable.Shape[axis]}
		p.axes.label(ctx, &scratch, &at)
		found.Values = append(found.Values, at.value)
	}
	return found, p.axes.err
}

// Array returns the array of the variable, of elements as the files have them.
func (p *Plane) Array(ctx context.Context) (array.Array, error) {
	return p.field.values.Array(ctx, p.field.ref)
}

// Numbers returns the values that elements of the array are: unpacked, NaN where they are missing.
func (p *Plane) Numbers(t tgm.DType, data []byte) ([]float64, error) {
	return p.field.numbers(&tgm.Array{DType: t, Data: data})
}

// Label returns the name, long name and units of the variable.
func (p *Plane) Label() (name, longName, units string) {
	return p.Variable.Name, p.field.LongName, p.field.Units
}
