package look

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/projection"
)

// places are the coordinates that say where the values of a variable lie.
type places struct {
	lat, lon *Field   // with onMap those of the rows and columns of a map
	dims     []string // of the variable, along which places differ
	turned   bool     // the dimension of rows follows that of columns
	crossed  bool     // the longitudes have the two dimensions of the latitudes in the other order
	onMap    *planar  // nil for latitudes and longitudes

	// before are the dimensions in front of the dimensions of places, if lat and lon have them too:
	// the places may differ at each position along these.
	before []axisLength
}

type axisLength struct {
	dim string
	n   uint64
}

// A planar is the projection of a map, and the length of the units of its coordinates.
type planar struct {
	name    string // of the grid mapping, and its parameters
	inverse projection.Inverse
	unit    [2]float64 // of x and y
}

// places finds where the values of a variable lie: by the coordinates that it names itself, or that its
// mesh does, by other latitudes and longitudes of its dimensions, the nearest group first, or by the map that its
// grid mapping describes. It returns nil if that is not known.
func (a *fileAxes) places(f *Field) *places {
	named := make(map[*Field]bool)
	for _, name := range a.coordinateNames(f) {
		if c := a.find(f, name); c != nil {
			named[c] = true
		}
	}
	var best *places
	most := -1
	for _, lat := range a.lats {
		for _, lon := range a.lons {
			rank := 0
			switch {
			case named[lat] && named[lon]:
				rank = 3
			case path.Dir(lat.Name) == path.Dir(f.Name) && path.Dir(lon.Name) == path.Dir(f.Name):
				rank = 2
			case a.find(f, path.Base(lat.Name)) == lat && a.find(f, path.Base(lon.Name)) == lon:
				rank = 1
			}
			if rank < 3 && len(lat.Dims) == 0 {
				continue // of one that is not named nothing says that it is the place of all
			}
			if rank > most && lat != f && lon != f {
				if p := placesOf(f, lat, lon); p != nil {
					best, most = p, rank
				}
			}
		}
	}
	if best == nil {
		best = a.mapOf(f)
	}
	return best
}

// coordinateNames are the names of the coordinates of a variable, and of the mesh elements (UGRID)
// on which it lies.
func (a *fileAxes) coordinateNames(f *Field) []string {
	names := strings.Fields(f.attribute(cf.AttrCoordinates))
	if mesh := a.find(f, f.attribute("mesh")); mesh != nil && f.attribute("location") != "" {
		names = append(names, strings.Fields(mesh.attribute(f.attribute("location")+"_coordinates"))...)
	}
	return names
}

// placesOf returns the places that latitudes and longitudes give the values of a variable, nil if their
// dimensions are not among its own.
func placesOf(f, lat, lon *Field) *places {
	n := len(lat.Dims)
	p := &places{lat: lat, lon: lon}
	switch {
	case n == 0 && len(lon.Dims) == 0 && len(lat.Shape) == 0 && len(lon.Shape) == 0:
		return p // all values lie at one place, such as a station
	case !has(f, lat) || !has(f, lon) || n == 0 || len(lon.Dims) == 0:
		return nil
	case n == 1 && len(lon.Dims) == 1 && lat.Dims[0] != lon.Dims[0]:
		p.dims = []string{lat.Dims[0], lon.Dims[0]}
	case n == 2 && len(lon.Dims) == 2 && lat.Dims[0] == lon.Dims[1] && lat.Dims[1] == lon.Dims[0] && lat.Dims[0] != lat.Dims[1]:
		p.crossed, p.dims = true, slices.Clone(lat.Dims)
	case !slices.Equal(lat.Dims, lon.Dims):
		return nil
	default:
		inner := max(0, n-2)
		for i, dim := range lat.Dims[:inner] {
			p.before = append(p.before, axisLength{dim, lat.Shape[i]})
		}
		p.dims = slices.Clone(lat.Dims[inner:])
	}
	if len(p.dims) == 2 && slices.Index(f.Dims, p.dims[0]) > slices.Index(f.Dims, p.dims[1]) {
		p.turned = true
		p.dims[0], p.dims[1] = p.dims[1], p.dims[0]
	}
	return p
}

// has reports whether a variable has all dimensions of a coordinate, each once and of the same length. Those of
// length 1 in front of others it need not have.
func has(f, c *Field) bool {
	if len(f.Dims) != len(f.Shape) || len(c.Dims) != len(c.Shape) {
		return false
	}
	for i, dim := range c.Dims {
		at := slices.Index(f.Dims, dim)
		if at < 0 && c.Shape[i] == 1 && len(c.Dims)-i > 2 {
			continue
		}
		if at < 0 || f.Shape[at] != c.Shape[i] || slices.Contains(f.Dims[at+1:], dim) || slices.Contains(c.Dims[i+1:], dim) {
			return false
		}
	}
	return true
}

// leading is the number of the position along the dimensions before the dimensions of places.
func (p *places) leading(at []position) (n uint64) {
	for _, b := range p.before {
		n *= b.n
		if i := slices.IndexFunc(at, func(q position) bool { return q.dim == b.dim }); i >= 0 {
			n += at[i].index
		}
	}
	return n
}

// mapOf returns the places of a variable whose dimensions are the coordinates of a map that its grid mapping
// describes, or nil.
func (a *fileAxes) mapOf(f *Field) *places {
	if f.Mapping == nil {
		return nil
	}
	p := new(places)
	for _, dim := range f.Dims {
		c := a.along(f, dim)
		if c == nil || c.DType.Number() == nil || !has(f, c) {
			continue
		}
		switch c.axis() {
		case cf.X:
			p.lon = c
		case cf.Y:
			p.lat = c
		}
	}
	if p.lat == nil || p.lon == nil {
		return nil
	}
	p.dims = []string{p.lat.Dims[0], p.lon.Dims[0]}
	if slices.Index(f.Dims, p.dims[0]) > slices.Index(f.Dims, p.dims[1]) {
		p.turned = true
		p.dims[0], p.dims[1] = p.dims[1], p.dims[0]
	}
	name, _ := f.Mapping["grid_mapping_name"].(string)
	inverse, err := projection.New(projection.Mapping{Name: name, Numbers: numbersOf(f.Mapping), Text: func(key string) string {
		text, _ := f.Mapping[key].(string)
		return text
	}})
	if err != nil {
		return nil
	}
	p.onMap = &planar{name: fmt.Sprint(f.Mapping), inverse: inverse}
	height := 1.0
	if list := numbersOf(f.Mapping)("perspective_point_height"); len(list) == 1 {
		height = list[0]
	}
	for i, c := range []*Field{p.lon, p.lat} {
		p.onMap.unit[i] = unitOnMap(name, c.attribute(cf.AttrUnits), height)
	}
	return p
}
