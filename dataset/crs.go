package dataset

import (
	"math"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// crsName is the variable that holds the coordinate reference system of a group.
const crsName = "crs"

// crs is the scalar variable that describes the coordinate reference system, nil if it is not
// known.
func (g *grid) crs() *Variable {
	attrs := g.crsAttrs()
	if attrs == nil {
		return nil
	}
	return &Variable{
		Name: crsName, DType: tgm.Int32, Attrs: attrs, Coordinate: true,
		data: func() ([]byte, error) { return make([]byte, 4), nil },
	}
}

// number is a parameter of the grid.
func (g *grid) numberOf(key string) float64 {
	v, _ := mapping.Float(g.geometry[key])
	return v
}

// crsAttrs are the grid mapping attributes of CF-1.11, appendix F.
func (g *grid) crsAttrs() []Attribute {
	if g.parsed == nil || !g.parsed.HasCoordinates() {
		return nil
	}
	var attrs []Attribute
	kind := g.parsed.GridType
	switch {
	case g.rotated():
		attrs = []Attribute{
			{"grid_mapping_name", "rotated_latitude_longitude"},
			{"grid_north_pole_latitude", -g.numberOf("latitudeOfSouthernPoleInDegrees")},
			{"grid_north_pole_longitude", wrap180(g.numberOf("longitudeOfSouthernPoleInDegrees") + 180)},
			{"north_pole_grid_longitude", g.numberOf("angleOfRotationInDegrees")},
		}
	case g.planar() && strings.HasPrefix(kind, "lambert_azimuthal"):
		attrs = []Attribute{
			{"grid_mapping_name", "lambert_azimuthal_equal_area"},
			{"latitude_of_projection_origin", g.numberOf("standardParallelInDegrees")},
			{"longitude_of_projection_origin", g.numberOf("centralLongitudeInDegrees")},
			{"false_easting", 0.0}, {"false_northing", 0.0},
		}
	case !g.planar():
		attrs = append([]Attribute{{"grid_mapping_name", "latitude_longitude"}}, g.healpixAttrs()...)
	case strings.HasPrefix(kind, "lambert"), kind == "albers":
		name := "lambert_conformal_conic"
		if kind == "albers" {
			name = "albers_conical_equal_area"
		}
		first, second := g.numberOf("Latin1InDegrees"), g.numberOf("Latin2InDegrees")
		parallels := any([]float64{first, second})
		if first == second {
			parallels = first // programs take a list for a pair
		}
		attrs = []Attribute{
			{"grid_mapping_name", name}, {"standard_parallel", parallels},
			{"longitude_of_central_meridian", g.numberOf("LoVInDegrees")},
			{"latitude_of_projection_origin", g.numberOf("LaDInDegrees")},
			{"false_easting", 0.0}, {"false_northing", 0.0},
		}
	case g.planar() && strings.HasPrefix(kind, "polar_stereographic"):
		parallel := g.trueScale()
		attrs = []Attribute{
			{"grid_mapping_name", "polar_stereographic"},
			{"straight_vertical_longitude_from_pole", g.numberOf("orientationOfTheGridInDegrees")},
			{"latitude_of_projection_origin", math.Copysign(90, parallel)}, {"standard_parallel", parallel},
			{"false_easting", 0.0}, {"false_northing", 0.0},
		}
	}
	attrs = append(attrs, g.earthAttrs()...)
	if wkt := g.crsWKT(); wkt != "" {
		attrs = append(attrs, Attribute{"crs_wkt", wkt})
	}
	return attrs
}

// trueScale is the latitude of a polar stereographic projection at which lengths are true: negative
// around the South Pole.
func (g *grid) trueScale() float64 {
	parallel := math.Abs(g.numberOf("LaDInDegrees"))
	if flag, _ := mapping.Int(g.geometry["projectionCentreFlag"]); flag&128 != 0 || g.numberOf("LaDInDegrees") < 0 {
		return -parallel
	}
	return parallel
}

// healpixAttrs describe the order of the points of a HEALPix grid.
func (g *grid) healpixAttrs() []Attribute {
	nside, ok := mapping.Int(g.geometry["Nside"])
	if !ok {
		return nil
	}
	order := "ring"
	if nested, _ := mapping.Int(g.geometry["ordering"]); nested == 1 {
		order = "nested"
	}
	return []Attribute{{"healpix_nside", nside}, {"healpix_order", order}}
}

// earthAttrs describe the figure of the Earth.
func (g *grid) earthAttrs() []Attribute {
	if radius := g.numberOf("radius"); radius > 0 {
		return []Attribute{{"earth_radius", radius}}
	}
	major, minor := g.numberOf("earthMajorAxisInMetres"), g.numberOf("earthMinorAxisInMetres")
	if major > 0 && minor > 0 {
		return []Attribute{{"semi_major_axis", major}, {"semi_minor_axis", minor}}
	}
	return nil
}

// wrap180 brings a longitude into -180 … 180.
func wrap180(lon float64) float64 {
	for lon > 180 {
		lon -= 360
	}
	for lon < -180 {
		lon += 360
	}
	return lon
}
