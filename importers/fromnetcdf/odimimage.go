package fromnetcdf

import (
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/projection"
	"github.com/tgmconv/tgmconv/netcdf"
)

// An image is the map of a composite or an image of weather radars: rows from north to south, and columns.
type image struct {
	inverse       projection.Inverse
	rows, columns uint64
	west, north   float64 // the edges of the first column and row, on the map
	width, height float64 // of a pixel
}

// place returns where the middle of a pixel is.
func (m *image) place(row, column uint64) (lat, lon float64) { return m.inverse(m.x(column), m.y(row)) }

func (m *image) x(column uint64) float64 { return m.west + float64((float64(column)+0.5)*m.width) }
func (m *image) y(row uint64) float64    { return m.north - float64((float64(row)+0.5)*m.height) }

// findImage returns the map that the group "where" describes by a projection (projdef) and two corners. It is nil if
// there is none, or if the projection is not known. The sizes of pixels that files have beside these (xscale, yscale)
// are wrong in some.
func (o *odim) findImage() *image {
	scope := []*netcdf.Group{o.dataset, o.root}
	var at [6]float64
	for i, name := range []string{"xsize", "ysize", "LL_lat", "LL_lon", "UR_lat", "UR_lon"} {
		x, ok := numberIn(scope, "where", name)
		if !ok || x-x != 0 {
			return nil
		}
		at[i] = x
	}
	inverse := inverseOf(wordIn(scope, "where", "projdef"))
	if inverse == nil || !(at[0] >= 1 && at[1] >= 1 && at[0] <= 1<<20 && at[1] <= 1<<20) {
		return nil
	}
	west, south, known := onMap(inverse, at[2], at[3])
	east, north, knownToo := onMap(inverse, at[4], at[5])
	if !known || !knownToo || !(east > west && north > south) {
		return nil
	}
	return &image{inverse, uint64(at[1]), uint64(at[0]), west, north, (east - west) / at[0], (north - south) / at[1]}
}

// onMap finds the coordinates on a map of a place, by Newton's method.
func onMap(inverse projection.Inverse, lat, lon float64) (x, y float64, ok bool) {
	const step, near = 100, 1e-3 // metres
	for range 30 {
		aLat, aLon := inverse(x, y)
		eLat, eLon := inverse(x+step, y)
		nLat, nLon := inverse(x, y+step)
		a, b := (eLat-aLat)/step, (nLat-aLat)/step
		c, d := math.Remainder(eLon-aLon, 360)/step, math.Remainder(nLon-aLon, 360)/step
		u, v := lat-aLat, math.Remainder(lon-aLon, 360)
		det := float64(a*d) - float64(b*c)
		dx, dy := (float64(u*d)-float64(v*b))/det, (float64(a*v)-float64(c*u))/det
		if x, y = x+dx, y+dy; !(math.Abs(x) < 1e8 && math.Abs(y) < 1e8) {
			return 0, 0, false
		}
		if math.Abs(dx) < near && math.Abs(dy) < near {
			return x, y, true
		}
	}
	return 0, 0, false
}

// projections are the grid mappings of the names that PROJ has.
var projections = map[string]string{
	"laea": "lambert_azimuthal_equal_area", "stere": "stereographic", "lcc": "lambert_conformal_conic", "merc": "mercator",
	"tmerc": "transverse_mercator", "aea": "albers_conical_equal_area", "gnom": projection.Gnomonic, "aeqd": "azimuthal_equidistant",
}

// radii are the spheres and spheroids that PROJ has names for: the larger half axis and the inverse flattening, 0 of a
// sphere.
var radii = map[string][2]float64{
	"sphere": {6370997, 0}, "WGS84": {6378137, 298.257223563}, "GRS80": {6378137, 298.257222101}, "bessel": {6377397.155, 299.1528128},
	"intl": {6378388, 297}, "clrk66": {6378206.4, 294.978698214}, "WGS72": {6378135, 298.26},
}

// parameters are the attributes of grid mappings with the meaning of PROJ's parameters.
var parameters = []struct {
	key        string
	attributes []string
}{
	{"lat_0", []string{"latitude_of_projection_origin"}},
	{"lon_0", []string{"longitude_of_projection_origin", "longitude_of_central_meridian", "straight_vertical_longitude_from_pole"}},
	{"lat_ts", []string{"standard_parallel"}}, {"lat_1", []string{"standard_parallel"}}, {"lat_2", []string{"standard_parallel"}},
	{"k", []string{"scale_factor_at_projection_origin", "scale_factor_at_central_meridian"}},
	{"k_0", []string{"scale_factor_at_projection_origin", "scale_factor_at_central_meridian"}},
	{"x_0", []string{"false_easting"}}, {"y_0", []string{"false_northing"}},
	{"a", []string{"semi_major_axis"}}, {"b", []string{"semi_minor_axis"}}, {"R", []string{"earth_radius"}}, {"rf", []string{"inverse_flattening"}},
}

// inverseOf returns the inverse of a projection as PROJ describes it, in metres; nil if it is not known here.
func inverseOf(text string) projection.Inverse {
	words := make(map[string]string)
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(strings.TrimPrefix(word, "+"), "=")
		words[key] = value
	}
	if units := words[cf.AttrUnits]; units != "" && units != "m" {
		return nil
	}
	numbers := make(map[string][]float64)
	for _, p := range parameters {
		if words[p.key] == "" {
			continue
		}
		v, err := degreesOf(words[p.key])
		if err != nil {
			return nil
		}
		for _, name := range p.attributes {
			numbers[name] = append(numbers[name], v)
		}
	}
	name := words["ellps"]
	if name == "" {
		name = words["datum"]
	}
	if r, ok := radii[name]; ok && numbers["semi_major_axis"] == nil && numbers["earth_radius"] == nil {
		numbers["semi_major_axis"], numbers["inverse_flattening"] = []float64{r[0]}, []float64{r[1]}
	} else if name != "" && !ok {
		return nil
	}
	inverse, err := projection.New(projection.Mapping{
		Name: projections[words["proj"]], Numbers: func(key string) []float64 { return numbers[key] }, Text: func(string) string { return "" },
	})
	if err != nil {
		return nil
	}
	return inverse
}

// degreesOf reads a number, which may end in the letter of a direction: 44.6N.
func degreesOf(text string) (float64, error) {
	sign := 1.0
	switch last := text[len(text)-1]; last {
	case 'S', 'W', 's', 'w':
		sign = -1
		fallthrough
	case 'N', 'E', 'n', 'e':
		text = text[:len(text)-1]
	}
	v, err := strconv.ParseFloat(text, 64)
	return sign * v, err
}
