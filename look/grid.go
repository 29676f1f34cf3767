package look

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tgmconv/tgmconv/grib/geometry"
)

// A Grid has the coordinates of the values of a field. If Separable is set there is a latitude for
// each row and a longitude for each column, else one of each for every value.
type Grid struct {
	Lat, Lon   []float64 // degrees
	Separable  bool
	Rows, Cols int    // if the values are in rows and columns, else 0
	Type       string // ecCodes' gridType, "" of netCDF
	Params     map[string]any
}

// Len returns the number of values on the grid.
func (g *Grid) Len() int {
	if g.Separable {
		return len(g.Lat) * len(g.Lon)
	}
	return len(g.Lat)
}

// At returns the coordinates of value i, in degrees.
func (g *Grid) At(i int) (lat, lon float64) {
	if g.Separable {
		return g.Lat[i/len(g.Lon)], g.Lon[i%len(g.Lon)]
	}
	return g.Lat[i], g.Lon[i]
}

// A gridSource makes a grid when it is asked for, once for all fields on it.
type gridSource struct {
	once sync.Once
	make func(ctx context.Context) (*Grid, error)
	grid *Grid
	err  error
}

// A NoGridError reports a field whose latitudes and longitudes are not known.
type NoGridError struct {
	Where  string
	Reason string
}

func (e *NoGridError) Error() string { return e.Where + ": no coordinates: " + e.Reason }

// Grid returns the latitudes and longitudes of the values. Fields on the same grid share it. The
// error is a [*NoGridError] if they are not known.
func (f *Field) Grid(ctx context.Context) (*Grid, error) {
	if f.grid == nil {
		return nil, &NoGridError{f.Where, "neither a grid nor latitudes and longitudes are known"}
	}
	s := f.grid
	s.once.Do(func() { s.grid, s.err = s.make(ctx) })
	if s.err != nil {
		reason := s.err.Error()
		if none := (*geometry.CoordinateError)(nil); errors.As(s.err, &none) {
			reason = fmt.Sprintf("the grid is of type %s: %s", none.GridType, none.Reason)
		}
		return nil, &NoGridError{f.Where, reason}
	}
	n := uint64(1)
	for _, d := range f.Shape {
		n *= d
	}
	if n != uint64(s.grid.Len()) {
		return nil, &NoGridError{f.Where, fmt.Sprintf("the grid has %d points, the field %d values", s.grid.Len(), n)}
	}
	return s.grid, nil
}

// locate finds the grid of a field that has a geometry.
func (l *Lister) locate(f *Field) {
	m := f.base.Geometry()
	if m == nil {
		return
	}
	key := fmt.Sprint(m) // keys of maps are printed in order
	if l.grids[key] == nil {
		l.grids[key] = &gridSource{make: func(context.Context) (*Grid, error) { return gridOf(m) }}
	}
	f.grid = l.grids[key]
}

// gridOf makes a grid of base[i].geometry.
func gridOf(m map[string]any) (*Grid, error) {
	parsed, err := geometry.FromGeometry(m)
	if err != nil {
		return nil, err
	}
	g := &Grid{Separable: parsed.Separable(), Type: parsed.GridType, Params: m}
	if g.Lat, g.Lon, err = parsed.Coordinates(); err != nil {
		return nil, err
	}
	if shape := parsed.Shape(); len(shape) == 2 {
		g.Rows, g.Cols = shape[0], shape[1]
	}
	return g, nil
}

// HasGrid reports whether Grid may succeed.
func (f *Field) HasGrid() bool { return f.grid != nil }
