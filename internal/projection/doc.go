// Package projection computes places of the coordinates on maps that grid mappings of the CF conventions
// (appendix F) describe. The formulas are from Snyder, "Map projections: a working manual" (USGS 1395), on the
// sphere or the spheroid; for the transverse Mercator from Krüger; for geostationary satellites from CGMS 03.
package projection

import (
	"fmt"
	"math"
)

// An Inverse returns the latitude and longitude, in degrees, of coordinates on a map. They are NaN for
// coordinates without a place, such as the space around the Earth.
type Inverse func(x, y float64) (lat, lon float64)

// A Mapping holds the attributes of a grid mapping variable.
type Mapping struct {
	Name    string                        // grid_mapping_name
	Numbers func(key string) []float64    // the numbers of an attribute, nil if it has none
	Text    func(key string) string       // the text of an attribute, "" if it has none
	number  func(string, float64) float64 // with a default
}

const degree = math.Pi / 180

// WGS 84, for grid mappings without a figure of the Earth.
const (
	majorWGS84      = 6378137
	flatteningWGS84 = 1 / 298.257223563
)

// New returns the inverse of a grid mapping. Coordinates are in metres, of a rotated pole in degrees, and of a
// geostationary satellite in radians.
func New(m Mapping) (Inverse, error) {
	m.number = func(key string, otherwise float64) float64 {
		if list := m.Numbers(key); len(list) > 0 {
			return list[0]
		}
		return otherwise
	}
	build := projections[m.Name]
	if build == nil {
		return nil, fmt.Errorf("the places of grid mapping %q are not computed", m.Name)
	}
	e, err := m.earth()
	if err != nil {
		return nil, err
	}
	inverse, err := build(&m, e)
	if err != nil {
		return nil, fmt.Errorf("grid mapping %s: %w", m.Name, err)
	}
	return inverse, nil
}

var projections = map[string]func(*Mapping, earth) (Inverse, error){
	"rotated_latitude_longitude":     rotated,
	"lambert_conformal_conic":        conformal,
	"albers_conical_equal_area":      albers,
	"mercator":                       mercator,
	"transverse_mercator":            transverse,
	"polar_stereographic":            polar,
	"stereographic":                  stereographic,
	"lambert_azimuthal_equal_area":   azimuthal,
	"lambert_cylindrical_equal_area": cylindrical,
	"sinusoidal":                     sinusoidal,
	"geostationary":                  geostationary,
	"azimuthal_equidistant":          equidistant,
	Gnomonic:                         gnomonic,
}

// onMap removes the false easting and northing before f, and the rest of f is in radians.
func (m *Mapping) onMap(f func(x, y float64) (phi, lambda float64)) Inverse {
	east, north := m.number("false_easting", 0), m.number("false_northing", 0)
	return func(x, y float64) (lat, lon float64) {
		phi, lambda := f(x-east, y-north)
		return phi / degree, math.Remainder(lambda/degree, 360)
	}
}

// origin is the latitude and longitude of the origin, in radians.
func (m *Mapping) origin(longitude string) (phi, lambda float64) {
	return m.number("latitude_of_projection_origin", 0) * degree, m.number(longitude, m.number("longitude_of_projection_origin", 0)) * degree
}

// parallels are the standard parallels in radians: the second is the first where there is one.
func (m *Mapping) parallels() (first, second float64, ok bool) {
	list := m.Numbers("standard_parallel")
	if len(list) == 0 || len(list) > 2 {
		return 0, 0, false
	}
	return list[0] * degree, list[len(list)-1] * degree, true
}

// rotated is the inverse of a rotated pole: x and y are the longitude and latitude of the grid.
func rotated(m *Mapping, _ earth) (Inverse, error) {
	pole, longitude := m.number("grid_north_pole_latitude", math.NaN())*degree, m.number("grid_north_pole_longitude", math.NaN())
	if math.IsNaN(pole) || math.IsNaN(longitude) {
		return nil, fmt.Errorf("it has no grid_north_pole_latitude and grid_north_pole_longitude")
	}
	turn := m.number("north_pole_grid_longitude", 0)
	sinPole, cosPole := math.Sincos(pole)
	return func(x, y float64) (lat, lon float64) {
		sin, cos := math.Sincos(y * degree)
		sinL, cosL := math.Sincos((x - turn) * degree)
		s := sin*sinPole + cos*cosL*cosPole
		lambda := math.Atan2(-cos*sinL, sin*cosPole-cos*cosL*sinPole)
		return math.Asin(max(-1, min(1, s))) / degree, math.Remainder(longitude+lambda/degree, 360)
	}, nil
}

// geostationary is the view of a satellite above the equator: x and y are the angles of its scan.
func geostationary(m *Mapping, e earth) (Inverse, error) {
	height := m.number("perspective_point_height", math.NaN())
	if !(height > 0) {
		return nil, fmt.Errorf("perspective_point_height is %v, expected metres", height)
	}
	sweepX := m.Text("sweep_angle_axis") == "x" || m.Text("fixed_angle_axis") == "y"
	_, lambda0 := m.origin("longitude_of_projection_origin")
	far := height + e.a
	stretch := 1 / (1 - e.e2) // a²/b²
	return func(x, y float64) (lat, lon float64) {
		sinX, cosX := math.Sincos(x)
		sinY, cosY := math.Sincos(y)
		toward, west, north := cosX*cosY, -sinX*cosY, sinY // of the direction of the scan
		if sweepX {
			west, north = -sinX, cosX*sinY
		}
		a := toward*toward + west*west + stretch*north*north
		b := far * toward
		root := math.Sqrt(b*b - a*(far*far-e.a*e.a)) // NaN beside the Earth
		r := (b - root) / a
		u, v, w := far-r*toward, r*west, r*north
		return math.Atan(stretch*w/math.Hypot(u, v)) / degree, math.Remainder((lambda0-math.Atan2(v, u))/degree, 360)
	}, nil
}
