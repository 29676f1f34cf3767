package look

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// fileAxes are the variables of a netCDF file that are coordinates of others.
type fileAxes struct {
	lats, lons []*Field
	byDim      map[string]*Field // variables with the name of their one dimension
	byName     map[string]*Field // variables of at most two dimensions: coordinates of others, and their bounds
	grids      map[[2]*Field]*gridSource
	values     map[*Field][]float64
	err        error // the first of reading a coordinate
	wantBounds bool
	named      map[string]bool // variables that others name as their coordinates, bounds or grid mapping
}

// axesOf are the coordinates of the source that a field comes from.
func (l *Lister) axesOf(f *Field) *fileAxes {
	a := l.axes[f.source]
	if a == nil {
		a = &fileAxes{
			byDim: make(map[string]*Field), byName: make(map[string]*Field), grids: make(map[[2]*Field]*gridSource),
			values: make(map[*Field][]float64), named: make(map[string]bool),
			wantBounds: l.opts.Bounds,
		}
		l.axes[f.source] = a
	}
	return a
}

// addAxis remembers a variable that may be a coordinate.
func (l *Lister) addAxis(f *Field) {
	units, standard := f.attribute(cf.AttrUnits), f.attribute(cf.AttrStandardName)
	a := l.axesOf(f)
	switch {
	case standard == "latitude" || standard == "" && northUnits(units):
		a.lats = append(a.lats, f)
	case standard == "longitude" || standard == "" && eastUnits(units):
		a.lons = append(a.lons, f)
	}
	if len(f.Dims) == 1 && path.Base(f.Name) == f.Dims[0] {
		a.byDim[f.Dims[0]] = f
	}
	if len(f.Dims) <= 2 {
		a.byName[f.Name] = f
	}
	for _, key := range []string{cf.AttrBounds, cf.AttrClimatology, cf.AttrCoordinates, cf.AttrGridMapping} {
		for _, name := range strings.Fields(f.attribute(key)) {
			a.named[path.Join(path.Dir(f.Name), strings.TrimSuffix(name, ":"))] = true
		}
	}
}

// Units of latitude and longitude, as CF has them.
func northUnits(u string) bool {
	return slices.Contains([]string{"degrees_north", "degree_north", "degree_N", "degrees_N", "degreeN", "degreesN"}, u)
}

func eastUnits(u string) bool {
	return slices.Contains([]string{"degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE"}, u)
}

// slices returns the fields that a netCDF variable makes.
func (l *Lister) slices(ctx context.Context, f *Field) []*Field {
	a := l.axesOf(f)
	isAxis := slices.Contains(a.lats, f) || slices.Contains(a.lons, f) || len(f.Dims) == 1 && a.byDim[f.Dims[0]] == f
	if (isAxis || l.opts.Slices && a.named[f.Name]) && !l.opts.Coordinates {
		return nil
	}
	first, horizontal := 0, len(f.Shape)
	if lat, lon := a.pair(f); lat != nil {
		f.grid = a.grid(lat, lon)
		f.cells = f.grid
		horizontal = 2
		if len(lat.Dims) == 1 && slices.Equal(lat.Dims, lon.Dims) {
			horizontal = 1
		}
		first = slices.Index(f.Dims, lat.Dims[0])
	}
	if s := a.measured(f); s != nil {
		f.cells = s
	}
	outer := len(f.Shape) - horizontal
	if outer > 0 && !l.opts.Slices {
		f.grid = nil // of one slice, not of all
	}
	f.axes = a
	for name := range strings.FieldsSeq(f.attribute(cf.AttrGridMapping)) {
		if m := a.byName[path.Join(path.Dir(f.Name), strings.TrimSuffix(name, ":"))]; m != nil {
			f.Mapping = m.Attributes
			break
		}
	}
	a.scalars(ctx, f)
	if outer <= 0 || !l.opts.Slices || len(f.Dims) != len(f.Shape) {
		return []*Field{f}
	}
	outers := make([]int, 0, outer)
	for axis := range f.Dims {
		if axis < first || axis >= first+horizontal {
			outers = append(outers, axis)
		}
	}
	return a.split(ctx, f, outers, &l.whole)
}

// Axes returns the coordinates of the rows and the columns of a netCDF variable: the values of the
// variables named like its last two dimensions. They are nil if there are none.
func (f *Field) Axes(ctx context.Context) (rows, columns []float64) {
	n := len(f.Dims)
	if f.axes == nil || n < 2 {
		return nil, nil
	}
	row, column := f.axes.byDim[f.Dims[n-2]], f.axes.byDim[f.Dims[n-1]]
	if row == nil || column == nil {
		return nil, nil
	}
	return f.axes.read(ctx, row), f.axes.read(ctx, column)
}

// split makes a field of each position along the outer axes of a variable.
func (a *fileAxes) split(ctx context.Context, f *Field, outer []int, whole *lastRead) []*Field {
	n := uint64(1)
	var along, shape []uint64
	var dims []string
	for axis, d := range f.Shape {
		if slices.Contains(outer, axis) {
			along = append(along, d)
		} else {
			dims, shape = append(dims, f.Dims[axis]), append(shape, d)
		}
	}
	for _, d := range along {
		if d == 0 || n > maxSlices/d {
			return []*Field{f}
		}
		n *= d
	}
	list := make([]*Field, n)
	for i := range list {
		slice := *f
		slice.Dims, slice.Shape = dims, shape
		slice.at, slice.whole = make([]position, len(outer)), whole
		for k, index := range nd.Place(make([]uint64, len(outer)), uint64(i), along) {
			p := position{dim: f.Dims[outer[k]], axis: outer[k], of: along[k], index: index}
			a.label(ctx, &slice, &p)
			slice.at[k] = p
		}
		list[i] = &slice
	}
	return list
}

// maxSlices bounds the fields that are made of one variable.
const maxSlices = 1 << 20

// pair finds the latitudes and longitudes of a variable: of its last dimensions, or of the points of an object of
// another writer, which may have other dimensions after that.
func (a *fileAxes) pair(f *Field) (lat, lon *Field) {
	for _, lat := range a.lats {
		for _, lon := range a.lons {
			var dims []string
			switch {
			case len(lat.Dims) == 1 && len(lon.Dims) == 1 && lat.Dims[0] != lon.Dims[0]:
				dims = []string{lat.Dims[0], lon.Dims[0]}
			case slices.Equal(lat.Dims, lon.Dims) && len(lat.Dims) > 0 && len(lat.Dims) <= 2:
				dims = lat.Dims
			default:
				continue
			}
			if n := len(f.Dims) - len(dims); n >= 0 && slices.Equal(f.Dims[n:], dims) {
				return lat, lon
			}
			if f.other != nil && len(dims) == 1 && slices.Contains(f.Dims, dims[0]) {
				return lat, lon
			}
		}
	}
	return nil, nil
}

// grid is the grid of latitudes and longitudes.
func (a *fileAxes) grid(lat, lon *Field) *gridSource {
	key := [2]*Field{lat, lon}
	if a.grids[key] == nil {
		a.grids[key] = &gridSource{
			work:  func() float64 { return heldWork(lat) + heldWork(lon) },
			make:  func(ctx context.Context) (*Grid, error) { return readGrid(ctx, lat, lon) },
			cells: func(ctx context.Context) (*Areas, error) { return a.readAreas(ctx, lat, lon) },
		}
	}
	return a.grids[key]
}

// heldWork is the work of coordinates that are held as a whole: each counts four times, as what is read part
// by part takes no memory.
func heldWork(f *Field) float64 {
	bytes := 4 * 8.0
	for _, n := range f.Shape {
		bytes *= float64(n)
	}
	return bytes
}

func readGrid(ctx context.Context, lat, lon *Field) (g *Grid, err error) {
	g = &Grid{Separable: !slices.Equal(lat.Dims, lon.Dims)}
	if g.Lat, err = lat.Values(ctx); err != nil {
		return nil, err
	}
	if g.Lon, err = lon.Values(ctx); err != nil {
		return nil, err
	}
	switch {
	case g.Separable:
		g.Rows, g.Cols = len(g.Lat), len(g.Lon)
	case len(g.Lat) != len(g.Lon):
		return nil, errors.New(strconv.Itoa(len(g.Lat)) + " latitudes and " + strconv.Itoa(len(g.Lon)) + " longitudes")
	case len(lat.Shape) == 2:
		g.Rows, g.Cols = int(lat.Shape[0]), int(lat.Shape[1])
	}
	return g, nil
}

// readAreas are the areas of cells around latitudes and longitudes, or between their bounds.
func (a *fileAxes) readAreas(ctx context.Context, lat, lon *Field) (*Areas, error) {
	if len(lat.Shape) == 2 && lat.Shape[0] > maxMeasured/max(1, lat.Shape[1]) {
		return nil, errors.New("the areas of so many cells take too much memory")
	}
	g, err := readGrid(ctx, lat, lon)
	if err != nil {
		return nil, err
	}
	if !g.Separable {
		if g.Rows == 0 {
			return nil, errors.New("the cells around the points are not known: no cell_measures names their areas")
		}
		return curvedAreas(g.Lat, g.Lon, g.Rows, g.Cols)
	}
	latBounds, lonBounds := a.boundsOf(ctx, lat), a.boundsOf(ctx, lon)
	if latBounds != nil && lonBounds != nil {
		return boundedAreas(latBounds, lonBounds), nil
	}
	return separableAreas(g.Lat, g.Lon), nil
}

// boundsOf are the bounds of all values of a coordinate, nil if the file has none.
func (a *fileAxes) boundsOf(ctx context.Context, axis *Field) []float64 {
	bounds := a.byName[path.Join(path.Dir(axis.Name), axis.attribute(cf.AttrBounds))]
	if bounds == nil || len(axis.Shape) != 1 || !slices.Equal(bounds.Shape, []uint64{axis.Shape[0], 2}) {
		return nil
	}
	values, err := bounds.Values(ctx)
	if err != nil || slices.ContainsFunc(values, func(v float64) bool { return v-v != 0 }) {
		return nil
	}
	return values
}
