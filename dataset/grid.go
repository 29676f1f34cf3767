package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A grid is the points of fields.
type grid struct {
	number   int
	text     string // identifies the geometry and the shape
	geometry map[string]any
	parsed   *geometry.Grid // nil if the geometry is not known
	shape    []uint64
	dims     []string
	coords   []Object // of objects of other writers: the labels of their axes

	planeOnce     sync.Once
	rows, columns []float64 // on the plane of a projection, or on a rotated sphere; nil for other grids

	mu       sync.Mutex
	lat, lon []float64 // computed when they are asked for
	err      error

	pointsOnce sync.Once
	points     *geometry.Points
	pointsErr  error
}

// A gridSet has each grid once.
type gridSet struct {
	byText    map[string]*grid
	byPointer map[uintptr]*grid // geometry maps that several fields share
}

func newGridSet() *gridSet {
	return &gridSet{byText: make(map[string]*grid), byPointer: make(map[uintptr]*grid)}
}

// of returns the grid of a field; dims are the names that the entry gives to its dimensions.
func (s *gridSet) of(m map[string]any, shape []uint64, dims []string) *grid {
	var pointer uintptr
	if m != nil {
		pointer = reflect.ValueOf(m).Pointer()
		if g := s.byPointer[pointer]; g != nil && slices.Equal(g.shape, shape) {
			return g
		}
	}
	key := fmt.Sprint(m, shape)
	g := s.byText[key]
	if g == nil {
		g = newGrid(m, shape, dims)
		g.number, g.text = len(s.byText), key
		s.byText[key] = g
	}
	if m != nil {
		// The grid keeps the map it was made of, so that no other map gets its address.
		if reflect.ValueOf(g.geometry).Pointer() == pointer {
			s.byPointer[pointer] = g
		}
	}
	return g
}

func newGrid(m map[string]any, shape []uint64, dims []string) *grid {
	g := &grid{geometry: m, shape: shape}
	if m != nil {
		if parsed, err := geometry.FromGeometry(m, geometry.MaxPoints(pointsOf(shape))); err == nil && sameShape(parsed.Shape(), shape) {
			g.parsed = parsed
		}
	}
	switch {
	case g.parsed != nil:
		g.dims = slices.Clone(g.parsed.Dims())
		if g.rotated() {
			g.dims = []string{"rlat", "rlon"}
		}
	case dims != nil:
		g.dims = dims
	default:
		for axis := range shape {
			g.dims = append(g.dims, fmt.Sprintf("dim_%d", axis))
		}
	}
	return g
}

// pointsOf returns the points of a shape, which the field has: a grid with more points is another
// grid.
func pointsOf(shape []uint64) int {
	n := uint64(1)
	for _, d := range shape {
		if d > 0 && n > math.MaxInt/d {
			return math.MaxInt
		}
		n *= d
	}
	return int(n)
}

func sameShape(a []int, b []uint64) bool {
	return slices.EqualFunc(a, b, func(x int, y uint64) bool { return uint64(x) == y })
}

// rotated reports whether rows and columns are latitudes and longitudes of a rotated pole.
func (g *grid) rotated() bool {
	return g.parsed != nil && len(g.shape) == 2 && strings.HasPrefix(g.parsed.GridType, "rotated_")
}

// planar reports whether the grid has rows and columns on the plane of a projection.
func (g *grid) planar() bool {
	g.planeOnce.Do(func() {
		if g.parsed != nil && len(g.shape) == 2 && !g.parsed.Separable() {
			if rows, columns, err := g.parsed.PlaneAxes(); err == nil {
				g.rows, g.columns = rows, columns
			}
		}
	})
	return g.rows != nil && !g.rotated()
}

// planeVariables are the coordinates of rows and columns of a grid whose latitudes and longitudes depend on
// both.
func (g *grid) planeVariables() []*Variable {
	planar := g.planar()
	if g.rows == nil {
		return nil
	}
	row := []Attribute{{cf.AttrStandardName, "grid_latitude"}, {cf.AttrLongName, "latitude in rotated pole grid"}, {cf.AttrUnits, "degrees"}, {cf.AttrAxis, "Y"}}
	column := []Attribute{{cf.AttrStandardName, "grid_longitude"}, {cf.AttrLongName, "longitude in rotated pole grid"}, {cf.AttrUnits, "degrees"}, {cf.AttrAxis, "X"}}
	if planar {
		row = []Attribute{{cf.AttrStandardName, "projection_y_coordinate"}, {cf.AttrLongName, "y coordinate of projection"}, {cf.AttrUnits, "m"}, {cf.AttrAxis, "Y"}}
		column = []Attribute{{cf.AttrStandardName, "projection_x_coordinate"}, {cf.AttrLongName, "x coordinate of projection"}, {cf.AttrUnits, "m"}, {cf.AttrAxis, "X"}}
	}
	return []*Variable{
		floatVariable(g.dims[0], g.dims[:1], g.shape[:1], row, constantFloats(g.rows)),
		floatVariable(g.dims[1], g.dims[1:], g.shape[1:], column, constantFloats(g.columns)),
	}
}

// groupName names the group of fields on the grid: regular_ll_0p25, reduced_gg_N48, O320, sh_T63,
// lambert_475x475.
func (g *grid) groupName() string {
	switch {
	case g.shape == nil && g.coords == nil:
		return "objects"
	case g.shape == nil:
		return "grid_" + g.pointsText()
	case g.parsed == nil:
		return "grid_" + shapeText(g.shape)
	}
	kind := g.parsed.GridType
	if name := g.parsed.Name(); name != "" && !strings.ContainsAny(name, "/ ") {
		if strings.HasPrefix(name, "O") || strings.HasPrefix(name, "H") {
			return name
		}
	}
	for _, suffix := range []struct{ key, prefix string }{{"N", "N"}, {"Nside", "H"}, {"J", "T"}} {
		if n, ok := mapping.Int(g.geometry[suffix.key]); ok {
			return fmt.Sprintf("%s_%s%d", kind, suffix.prefix, n)
		}
	}
	if d, ok := mapping.Float(g.geometry["iDirectionIncrementInDegrees"]); ok && d > 0 {
		return kind + "_" + strings.ReplaceAll(strconv.FormatFloat(d, 'g', 6, 64), ".", "p")
	}
	return kind + "_" + shapeText(g.shape)
}

func shapeText(shape []uint64) string {
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.FormatUint(n, 10)
	}
	return strings.Join(parts, "x")
}

// variables are the coordinates of the points, and the names of coordinates that are not axes.
func (g *grid) variables() (vars []*Variable, auxiliary []string) {
	if g.parsed == nil || !g.parsed.HasCoordinates() {
		return nil, nil
	}
	latAttrs := []Attribute{{cf.AttrStandardName, "latitude"}, {cf.AttrLongName, "latitude"}, {cf.AttrUnits, "degrees_north"}}
	lonAttrs := []Attribute{{cf.AttrStandardName, "longitude"}, {cf.AttrLongName, "longitude"}, {cf.AttrUnits, "degrees_east"}}
	latitudes := func() ([]float64, error) { lat, _, err := g.coordinates(); return lat, err }
	longitudes := func() ([]float64, error) { _, lon, err := g.coordinates(); return lon, err }
	latDims, latShape, lonDims, lonShape := g.dims, g.shape, g.dims, g.shape
	if g.parsed.Separable() {
		latAttrs = append(latAttrs, Attribute{cf.AttrAxis, "Y"})
		lonAttrs = append(lonAttrs, Attribute{cf.AttrAxis, "X"})
		latDims, latShape, lonDims, lonShape = g.dims[:1], g.shape[:1], g.dims[1:], g.shape[1:]
	} else {
		vars, auxiliary = g.planeVariables(), []string{"latitude", "longitude"}
	}
	lat := floatVariable("latitude", latDims, latShape, latAttrs, latitudes)
	lon := floatVariable("longitude", lonDims, lonShape, lonAttrs, longitudes)
	lat.origin, lon.origin = g.text, g.text
	lat.work, lon.work = g.parsed.PointWork(), g.parsed.PointWork()
	if pointsOf(latShape) > wholePoints {
		lat.partOf(g.pointReader(true))
	}
	if pointsOf(lonShape) > wholePoints {
		lon.partOf(g.pointReader(false))
	}
	return append(vars, lat, lon), auxiliary
}

// floatVariable is a coordinate of float64 values.
func floatVariable(name string, dims []string, shape []uint64, attrs []Attribute, values func() ([]float64, error)) *Variable {
	return &Variable{
		Name: name, Dims: dims, Shape: shape, Chunk: shape, DType: tgm.Float64, Attrs: attrs, Coordinate: true,
		data: func() ([]byte, error) {
			v, err := values()
			if err != nil {
				return nil, fmt.Errorf("dataset: %s: %w", name, err)
			}
			return floatBytes(v), nil
		},
	}
}

func floatBytes(v []float64) []byte {
	data := make([]byte, 0, 8*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

// intVariable is a coordinate of int64 values.
func intVariable(name string, dims []string, shape []uint64, attrs []Attribute, values []float64) *Variable {
	data := make([]byte, 0, 8*len(values))
	for _, x := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(int64(x)))
	}
	return &Variable{
		Name: name, Dims: dims, Shape: shape, Chunk: shape, DType: tgm.Int64, Attrs: attrs, Coordinate: true,
		data: func() ([]byte, error) { return data, nil },
	}
}

func constantFloats(v []float64) func() ([]float64, error) {
	return func() ([]float64, error) { return v, nil }
}
