package fromgrib

import (
	"fmt"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
)

// grid holds the properties that all fields on one grid share.
type grid struct {
	*geometry.Grid                // nil when the definition cannot be read
	shape          []int          // of a field
	dims           []string       // a name per axis
	geometry       map[string]any // base[i].geometry; nil when there is none
	coords         []*importers.Coord
	note           string // why something of this is missing

	implied   sync.Once
	isImplied bool // the geometry follows from the grid section alone

	coding   sync.Once
	coded    []byte // CBOR of geometry
	codedErr error
}

// geometryCBOR is the CBOR of the geometry, which is coded once for all fields on the grid.
func (g *grid) geometryCBOR() ([]byte, error) {
	g.coding.Do(func() { g.coded, g.codedErr = mapping.MarshalCBOR(g.geometry) })
	return g.coded, g.codedErr
}

// reorders reports whether values are stored in another order than row after row.
func (g *grid) reorders() bool { return g.Grid != nil && g.NeedsReorder() }

// gridKey identifies the meaning of a grid definition.
type gridKey struct {
	edition, centre, points int
	section                 string
}

// cachedGrids is how many grids are remembered. A file rarely has more; their sections may be some
// kB long.
const cachedGrids = 32

// gridCache remembers the grids met last. It may be used by several goroutines.
type gridCache struct {
	mu     sync.Mutex
	grids  map[gridKey]*grid
	recent []gridKey // oldest first
}

func newGridCache() *gridCache { return &gridCache{grids: make(map[gridKey]*grid)} }

// of returns the grid of a field with that number of points.
func (c *gridCache) of(f *grib.Field, points int) *grid {
	key := gridKey{f.Edition, f.Centre(), points, string(f.GridSection())}
	c.mu.Lock()
	g := c.grids[key]
	c.mu.Unlock()
	if g != nil {
		return g
	}
	g = newGrid(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.grids[key]; known != nil {
		return known
	}
	if len(c.recent) == cachedGrids {
		delete(c.grids, c.recent[0])
		c.recent = c.recent[1:]
	}
	c.grids[key] = g
	c.recent = append(c.recent, key)
	return g
}

func newGrid(key gridKey) *grid {
	g := &grid{shape: []int{key.points}, dims: []string{"values"}}
	if key.section == "" {
		g.note = "the message defines no grid: values are in the order in which they are stored, without coordinates"
		return g
	}
	parsed, err := geometry.Parse(key.edition, []byte(key.section), geometry.Centre(key.centre), geometry.DataValues(key.points), geometry.MaxPoints(max(key.points, geometry.DefaultMaxPoints)))
	if err != nil {
		g.note = "the grid definition cannot be used, coordinates are left out: " + err.Error()
		return g
	}
	if parsed.NumberOfDataPoints != key.points {
		g.note = fmt.Sprintf("the grid has %d points and the field %d values: coordinates are left out", parsed.NumberOfDataPoints, key.points)
		g.geometry = parsed.Geometry()
		return g
	}
	g.Grid, g.shape, g.dims, g.geometry = parsed, parsed.Shape(), parsed.Dims(), parsed.Geometry()
	if parsed.HasCoordinates() {
		g.coords = newCoords(parsed, g.geometry)
	}
	return g
}

// newCoords are the latitudes and the longitudes of a grid, computed when they are written. Grids
// with the same geometry share them, also when their sections differ in something else, such as the
// vertical coordinates that edition 1 keeps there.
func newCoords(g *geometry.Grid, geometry map[string]any) []*importers.Coord {
	pair := &coordPair{grid: g}
	id := fmt.Sprint(geometry) // keys in order, numbers in full
	extras := map[string]any{mapping.KeyGeometry: geometry}
	lat := &importers.Coord{Key: "lat " + id, Name: mapping.AxisLatitude, StandardName: "latitude", Units: "degrees_north", Values: pair.latitudes, Extras: extras}
	lon := &importers.Coord{Key: "lon " + id, Name: mapping.AxisLongitude, StandardName: "longitude", Units: "degrees_east", Values: pair.longitudes, Extras: extras}
	if shape, dims := g.Shape(), g.Dims(); g.Separable() {
		lat.Shape, lat.Dims, lat.Axis = shape[:1], dims[:1], true
		lon.Shape, lon.Dims, lon.Axis = shape[1:], dims[1:], true
	} else {
		lat.Name, lat.Shape, lat.Dims = mapping.PointLatitudes, shape, dims
		lon.Name, lon.Shape, lon.Dims = mapping.PointLongitudes, shape, dims
	}
	return []*importers.Coord{lat, lon}
}

// coordPair computes both coordinates of a grid at a time. It keeps the other one only until it is asked for:
// on a large grid each takes much memory.
type coordPair struct {
	grid *geometry.Grid
	mu   sync.Mutex
	lon  []float64
}

func (p *coordPair) latitudes() ([]float64, error) {
	lat, lon, err := p.grid.Coordinates()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lon = lon
	return lat, err
}

func (p *coordPair) longitudes() ([]float64, error) {
	p.mu.Lock()
	lon := p.lon
	p.lon = nil
	p.mu.Unlock()
	if lon != nil {
		return lon, nil
	}
	_, lon, err := p.grid.Coordinates()
	return lon, err
}
