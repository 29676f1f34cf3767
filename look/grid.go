package look

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/tgmconv/tgmconv/grib/geometry"
)

// A Grid has the coordinates of the values of a field. If Separable is set there is a latitude for
// each row and a longitude for each column, else one of each for every value. Those of large grids
// whose points are cheap to compute are nil: [Grid.Blocks] computes them.
type Grid struct {
	Lat, Lon   []float64 // degrees
	Separable  bool
	Rows, Cols int    // if the values are in rows and columns, else 0
	Type       string // ecCodes' gridType, "" of netCDF
	Params     map[string]any

	points *geometry.Points // if Lat and Lon are nil, else nil
}

// Len returns the number of values on the grid.
func (g *Grid) Len() int {
	if g.points != nil {
		return g.points.Len()
	}
	if g.Separable {
		return len(g.Lat) * len(g.Lon)
	}
	return len(g.Lat)
}

// Several reports whether not all values lie at one place.
func (g *Grid) Several() bool {
	if g.points != nil {
		return true
	}
	differ := func(list []float64) bool {
		first := math.NaN()
		for _, x := range list {
			switch {
			case x != x:
			case first != first:
				first = x
			case x != first:
				return true
			}
		}
		return false
	}
	return differ(g.Lat) || differ(g.Lon)
}

// blockPoints is how many points [Grid.Blocks] computes at a time.
const blockPoints = 1 << 16

// Blocks calls visit with the latitudes and longitudes of consecutive values, in degrees: of value
// first and those after it. They are valid until visit returns.
func (g *Grid) Blocks(visit func(first int, lat, lon []float64)) error {
	switch {
	case g.points != nil:
		n := g.Len()
		lat, lon := make([]float64, min(n, blockPoints)), make([]float64, min(n, blockPoints))
		for first := 0; first < n; first += blockPoints {
			end := min(n-first, blockPoints)
			if err := g.points.Read(first, lat[:end], lon[:end]); err != nil {
				return err
			}
			visit(first, lat[:end], lon[:end])
		}
	case g.Separable:
		lat := make([]float64, len(g.Lon))
		for j, y := range g.Lat {
			for i := range lat {
				lat[i] = y
			}
			visit(j*len(lat), lat, g.Lon)
		}
	default:
		visit(0, g.Lat, g.Lon)
	}
	return nil
}

// Places looks up coordinates of single values, best in order. It is for one goroutine.
type Places struct {
	grid     *Grid
	first    int // of the places that were computed last
	lat, lon []float64
}

// Places returns an object that looks up coordinates of single values.
func (g *Grid) Places() *Places { return &Places{grid: g} }

// nearbyPoints is how many points [Places.At] computes at a time.
const nearbyPoints = 1 << 10

// At returns the coordinates of value i, in degrees.
func (p *Places) At(i int) (lat, lon float64, err error) {
	g := p.grid
	switch {
	case g.Separable:
		return g.Lat[i/len(g.Lon)], g.Lon[i%len(g.Lon)], nil
	case g.points == nil:
		return g.Lat[i], g.Lon[i], nil
	}
	if i < p.first || i >= p.first+len(p.lat) {
		n := min(nearbyPoints, g.Len()-i)
		first, lat, lon := i, make([]float64, n), make([]float64, n)
		if err := g.points.Read(first, lat, lon); err != nil {
			return 0, 0, err
		}
		p.first, p.lat, p.lon = first, lat, lon
	}
	return p.lat[i-p.first], p.lon[i-p.first], nil
}

// A gridSource makes a grid when it is asked for, once for all fields on it.
type gridSource struct {
	once sync.Once
	make func(ctx context.Context) (*Grid, error)
	work func() float64 // see GridWork; nil for none
	grid *Grid
	err  error

	cellsOnce sync.Once
	cells     func(ctx context.Context) (*Areas, error)
	cellsWork func() float64 // see AreaWork; nil for none
	areas     *Areas
	cellsErr  error
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
	key := geometryKey(m)
	if l.grids[key] == nil {
		l.grids[key] = &gridSource{
			work:      func() float64 { return workOf(m) },
			make:      func(context.Context) (*Grid, error) { return gridOf(m) },
			cells:     func(context.Context) (*Areas, error) { return areasOf(m) },
			cellsWork: func() float64 { return areaWorkOf(m) },
		}
	}
	f.grid = l.grids[key]
}

// geometryKey identifies base[i].geometry. Most of its values are numbers and texts: those take a
// fraction of the time here that fmt takes for all.
func geometryKey(m map[string]any) string {
	key := make([]byte, 0, 512)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		key = append(append(key, name...), ':')
		switch v := m[name].(type) {
		case int64:
			key = strconv.AppendInt(key, v, 10)
		case float64:
			key = strconv.AppendFloat(key, v, 'g', -1, 64)
		case string:
			key = strconv.AppendQuote(key, v)
		default:
			key = fmt.Append(key, v) // keys of maps are printed in order
		}
		key = append(key, ' ')
	}
	return string(key)
}

// heldPoints is the largest number of points off rows and columns that are held in memory.
const heldPoints = 1 << 22

// gridOf makes a grid of base[i].geometry.
func gridOf(m map[string]any) (*Grid, error) {
	parsed, err := geometry.FromGeometry(m)
	if err != nil {
		return nil, err
	}
	g := &Grid{Separable: parsed.Separable(), Type: parsed.GridType, Params: m}
	if shape := parsed.Shape(); len(shape) == 2 {
		g.Rows, g.Cols = shape[0], shape[1]
	} else if parsed.NumberOfDataPoints > heldPoints {
		g.points, err = parsed.Points()
		return g, err
	}
	g.Lat, g.Lon, err = parsed.Coordinates()
	return g, err
}

// HasGrid reports whether Grid may succeed.
func (f *Field) HasGrid() bool { return f.grid != nil }

// GridWork is the work for the grids of fields, each once, as the bytes of values that are read in
// the same time. Grids with coordinates of rows and columns are no work.
func GridWork(fields []*Field) (bytes float64) {
	return eachOnce(fields, func(s *gridSource) func() float64 { return s.work })
}

// AreaWork is the work for the areas of the cells of fields, in the unit of GridWork. Areas that
// follow from rows and columns, and areas that are not computed as there are too many, are no work.
func AreaWork(fields []*Field) (bytes float64) {
	return eachOnce(fields, func(s *gridSource) func() float64 { return s.cellsWork })
}

// eachOnce is the sum of some work of the grids of fields.
func eachOnce(fields []*Field, work func(*gridSource) func() float64) (bytes float64) {
	seen := make(map[*gridSource]bool)
	for _, f := range fields {
		if s := f.grid; s != nil && work(s) != nil && !seen[s] {
			seen[s] = true
			bytes += work(s)()
		}
	}
	return bytes
}

// workOf is the work of the grid of base[i].geometry.
func workOf(m map[string]any) float64 {
	parsed, err := geometry.FromGeometry(m)
	if err != nil || parsed.PointWork() == 1 {
		return 0
	}
	return 2 * 8 * float64(parsed.NumberOfDataPoints) * float64(parsed.PointWork())
}
