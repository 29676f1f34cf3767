package look

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
)

// A gridKey identifies a grid of a file: its coordinates, mapping and order of axes, and the position
// along the dimensions before the horizontal ones.
type gridKey struct {
	lat, lon *Field
	mapping  string
	turned   bool
	at       uint64
}

// grid is the grid of places, at a position along the dimensions before them. It is nil for no places.
func (a *fileAxes) grid(p *places, at uint64) *gridSource {
	if p == nil {
		return nil
	}
	key := gridKey{lat: p.lat, lon: p.lon, turned: p.turned, at: at}
	if p.onMap != nil {
		key.mapping = p.onMap.name
	}
	if a.grids[key] == nil {
		s := &gridSource{
			make:  func(ctx context.Context) (*Grid, error) { return a.readPlaces(ctx, p, at) },
			cells: func(ctx context.Context) (*Areas, error) { return a.readAreas(ctx, p, at) },
		}
		if at == 0 {
			s.work = func() float64 { return heldWork(p.lat) + heldWork(p.lon) }
		}
		a.grids[key] = s
	}
	return a.grids[key]
}

// heldWork is the work for coordinates that are held as a whole: each counts four times, as it
// takes memory, unlike coordinates that are read in parts.
func heldWork(f *Field) float64 {
	bytes := 4 * 8.0
	for _, n := range f.Shape {
		bytes *= float64(n)
	}
	return bytes
}

// readPlaces makes the grid of places.
func (a *fileAxes) readPlaces(ctx context.Context, p *places, at uint64) (*Grid, error) {
	if p.onMap != nil {
		return readMap(ctx, p)
	}
	if len(p.before) > 0 {
		return a.movingOf(p).grid(ctx, p, at)
	}
	lat, err := degreesOf(ctx, p.lat)
	if err != nil {
		return nil, err
	}
	lon, err := degreesOf(ctx, p.lon)
	if err != nil {
		return nil, err
	}
	if len(p.lat.Shape) == 1 && p.lat.Dims[0] != p.lon.Dims[0] {
		g := &Grid{Lat: lat, Lon: lon, Separable: true, Rows: len(lat), Cols: len(lon)}
		if p.turned {
			return eachPlace(len(lat), len(lon), true, func(j, i int) (float64, float64) { return lat[j], lon[i] })
		}
		return g, nil
	}
	return curved(p, lat, lon)
}

// curved is the grid of a latitude and a longitude for each value.
func curved(p *places, lat, lon []float64) (*Grid, error) {
	if len(lat) != len(lon) {
		return nil, fmt.Errorf("%d latitudes and %d longitudes", len(lat), len(lon))
	}
	if p.crossed {
		lon = transposed(lon, int(p.lon.Shape[0]), int(p.lon.Shape[1]))
	}
	g := &Grid{Lat: lat, Lon: lon}
	if n := len(p.lat.Shape); n >= 2 {
		g.Rows, g.Cols = int(p.lat.Shape[n-2]), int(p.lat.Shape[n-1])
		if p.turned {
			return eachPlace(g.Rows, g.Cols, true, func(j, i int) (float64, float64) { return lat[j*g.Cols+i], lon[j*g.Cols+i] })
		}
	}
	return g, nil
}

// transposed are the values of rows and columns, columns one after the other.
func transposed(values []float64, rows, columns int) []float64 {
	out := make([]float64, 0, len(values))
	for i := range columns {
		for j := range rows {
			out = append(out, values[j*columns+i])
		}
	}
	return out
}

// maxHeld bounds the places that are computed of rows and columns, or read along a dimension before them.
const maxHeld = 1 << 27

// eachPlace is the grid of the places of rows and columns; turned, columns follow each other.
func eachPlace(rows, columns int, turned bool, place func(row, column int) (lat, lon float64)) (*Grid, error) {
	if rows > 0 && columns > maxHeld/rows {
		return nil, fmt.Errorf("the places of %d rows and %d columns take too much memory", rows, columns)
	}
	n := rows * columns
	g := &Grid{Lat: make([]float64, n), Lon: make([]float64, n), Rows: rows, Cols: columns}
	for j := range rows {
		for i := range columns {
			k := j*columns + i
			if turned {
				k = i*rows + j
			}
			g.Lat[k], g.Lon[k] = place(j, i)
		}
	}
	if turned {
		g.Rows, g.Cols = columns, rows
	}
	return g, nil
}

// readMap computes the places of the rows and columns of a map.
func readMap(ctx context.Context, p *places) (*Grid, error) {
	ys, err := p.lat.Values(ctx)
	if err != nil {
		return nil, err
	}
	xs, err := p.lon.Values(ctx)
	if err != nil {
		return nil, err
	}
	m := p.onMap
	return eachPlace(len(ys), len(xs), p.turned, func(row, column int) (lat, lon float64) {
		return m.inverse(xs[column]*m.unit[0], ys[row]*m.unit[1])
	})
}

// degreesOf are the values of latitudes or longitudes.
func degreesOf(ctx context.Context, f *Field) ([]float64, error) {
	values, err := f.Values(ctx)
	if err == nil && cf.Radians(f.attribute(cf.AttrUnits)) {
		for i := range values {
			values[i] /= degree
		}
	}
	return values, err
}

// A moving holds places that may differ at each position along the dimensions before them, such as
// the places of a nest that follows a storm.
type moving struct {
	once     sync.Once
	lat, lon []float64 // of one position if all are the same
	same     *Grid     // of these
	err      error
}

func (a *fileAxes) movingOf(p *places) *moving {
	key := [2]*Field{p.lat, p.lon}
	if a.moving[key] == nil {
		a.moving[key] = new(moving)
	}
	return a.moving[key]
}

func (m *moving) grid(ctx context.Context, p *places, at uint64) (*Grid, error) {
	m.once.Do(func() { m.err = m.read(ctx, p) })
	if m.err != nil || m.same != nil {
		return m.same, m.err
	}
	n := uint64(len(m.lat))
	for _, b := range p.before {
		n /= max(1, b.n)
	}
	return curved(p, m.lat[at*n:(at+1)*n], m.lon[at*n:(at+1)*n])
}

func (m *moving) read(ctx context.Context, p *places) (err error) {
	if heldWork(p.lat) > 4*8*maxHeld {
		return errors.New("so many latitudes and longitudes take too much memory")
	}
	if m.lat, err = degreesOf(ctx, p.lat); err != nil {
		return err
	}
	if m.lon, err = degreesOf(ctx, p.lon); err != nil {
		return err
	}
	if len(m.lat) != len(m.lon) || len(m.lat) == 0 {
		return fmt.Errorf("%d latitudes and %d longitudes", len(m.lat), len(m.lon))
	}
	n := len(m.lat)
	for _, b := range p.before {
		n /= int(b.n)
	}
	for first := n; first < len(m.lat); first += n {
		if !slices.Equal(m.lat[:n], m.lat[first:first+n]) || !slices.Equal(m.lon[:n], m.lon[first:first+n]) {
			return nil
		}
	}
	m.lat, m.lon = slices.Clone(m.lat[:n]), slices.Clone(m.lon[:n])
	m.same, err = curved(p, m.lat, m.lon)
	return err
}

// unitOnMap is how many metres the unit of a coordinate on a map is, or degrees on a rotated pole, or
// radians on the view of a satellite, which is at a height in metres.
func unitOnMap(name, units string, height float64) float64 {
	lower := strings.ToLower(strings.TrimSpace(units))
	switch {
	case name == "geostationary" && strings.HasPrefix(lower, "microrad"):
		return 1e-6
	case name == "geostationary" && strings.HasPrefix(lower, "deg"):
		return degree
	case name == "geostationary" && (lower == "m" || strings.HasPrefix(lower, "met")):
		return 1 / height
	case name == "geostationary" && (lower == "km" || strings.HasPrefix(lower, "kilomet")):
		return 1000 / height
	case name == "geostationary":
		return 1
	case name == "rotated_latitude_longitude" && cf.Radians(units):
		return 1 / degree
	case lower == "km" || strings.HasPrefix(lower, "kilomet"):
		return 1000
	}
	return 1
}

// numbersOf returns the function that gives the numbers of an attribute.
func numbersOf(attributes map[string]any) func(key string) []float64 {
	return func(key string) (list []float64) {
		switch v := mapping.Decoded(attributes[key]).(type) {
		case []any:
			for _, x := range v {
				if number, ok := mapping.Float(x); ok {
					list = append(list, number)
				}
			}
		default:
			if number, ok := mapping.Float(v); ok {
				list = []float64{number}
			}
		}
		return list
	}
}

// readAreas are the areas of cells around places, or between their bounds.
func (a *fileAxes) readAreas(ctx context.Context, p *places, at uint64) (*Areas, error) {
	if n := len(p.lat.Shape); n >= 2 && p.lat.Shape[n-2] > maxMeasured/max(1, p.lat.Shape[n-1]) {
		return nil, errors.New("the areas of so many cells take too much memory")
	}
	if p.onMap != nil && len(p.lat.Shape) == 1 && len(p.lon.Shape) == 1 && p.lat.Shape[0] > maxMeasured/max(1, p.lon.Shape[0]) {
		return nil, errors.New("the areas of so many cells take too much memory")
	}
	g, err := a.readPlaces(ctx, p, at)
	if err != nil {
		return nil, err
	}
	if !g.Separable {
		if g.Rows == 0 {
			return nil, errors.New("the cells around the points are not known: no cell_measures names their areas")
		}
		return curvedAreas(g.Lat, g.Lon, g.Rows, g.Cols)
	}
	latBounds, lonBounds := a.boundsOf(ctx, p.lat), a.boundsOf(ctx, p.lon)
	if latBounds != nil && lonBounds != nil {
		return boundedAreas(latBounds, lonBounds), nil
	}
	return separableAreas(g.Lat, g.Lon), nil
}

// boundsOf are the bounds of all values of a coordinate in degrees, nil if the file has none.
func (a *fileAxes) boundsOf(ctx context.Context, axis *Field) []float64 {
	bounds := a.byName[path.Join(path.Dir(axis.Name), axis.attribute(cf.AttrBounds))]
	if bounds == nil || len(axis.Shape) != 1 || !slices.Equal(bounds.Shape, []uint64{axis.Shape[0], 2}) || cf.Radians(axis.attribute(cf.AttrUnits)) {
		return nil
	}
	values, err := bounds.Values(ctx)
	if err != nil || slices.ContainsFunc(values, func(v float64) bool { return v-v != 0 }) {
		return nil
	}
	return values
}
