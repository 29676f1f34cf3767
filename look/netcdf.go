package look

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
)

// fileAxes are the variables of a netCDF file that are coordinates of others.
type fileAxes struct {
	lats, lons []*Field
	byDim      map[string]*Field // variables with the name of their one dimension
	byName     map[string]*Field // variables of at most two dimensions: coordinates of others, and their bounds
	grids      map[[2]*Field]*gridSource
	values     map[*Field][]float64
	wantBounds bool
	named      map[string]bool // variables that others name as their coordinates, bounds or grid mapping
}

// axesOf are the coordinates of the file that a field comes from.
func (l *Lister) axesOf(f *Field) *fileAxes {
	a := l.axes[f.File]
	if a == nil {
		a = &fileAxes{
			byDim: make(map[string]*Field), byName: make(map[string]*Field), grids: make(map[[2]*Field]*gridSource),
			values: make(map[*Field][]float64), named: make(map[string]bool),
			wantBounds: l.opts.Bounds,
		}
		l.axes[f.File] = a
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
	horizontal := len(f.Shape)
	if lat, lon := a.pair(f); lat != nil {
		f.grid = a.grid(lat, lon)
		horizontal = 2
		if len(lat.Dims) == 1 && slices.Equal(lat.Dims, lon.Dims) {
			horizontal = 1
		}
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
	return a.split(ctx, f, outer, &l.whole)
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

// split makes a field of each position along the first axes of a variable.
func (a *fileAxes) split(ctx context.Context, f *Field, outer int, whole *lastRead) []*Field {
	n := uint64(1)
	for _, d := range f.Shape[:outer] {
		if d == 0 || n > maxSlices/d {
			return []*Field{f}
		}
		n *= d
	}
	list := make([]*Field, n)
	for i := range list {
		slice := *f
		slice.Dims, slice.Shape = f.Dims[outer:], f.Shape[outer:]
		slice.at, slice.whole = make([]position, outer), whole
		rest := uint64(i)
		for axis := outer - 1; axis >= 0; axis-- {
			p := position{dim: f.Dims[axis], of: f.Shape[axis], index: rest % f.Shape[axis]}
			rest /= f.Shape[axis]
			a.label(ctx, &slice, &p)
			slice.at[axis] = p
		}
		list[i] = &slice
	}
	return list
}

// maxSlices bounds the fields that are made of one variable.
const maxSlices = 1 << 20

// pair finds the latitudes and longitudes of a variable: of its last dimensions.
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
		}
	}
	return nil, nil
}

// grid is the grid of latitudes and longitudes.
func (a *fileAxes) grid(lat, lon *Field) *gridSource {
	key := [2]*Field{lat, lon}
	if a.grids[key] == nil {
		a.grids[key] = &gridSource{make: func(ctx context.Context) (*Grid, error) { return readGrid(ctx, lat, lon) }}
	}
	return a.grids[key]
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
