package cf

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// An Axis is the meaning of the values of a coordinate variable.
type Axis string

// The axes. X and Y are coordinates on a map or along a model's rows, but not longitudes and
// latitudes.
const (
	NoAxis    Axis = ""
	Latitude  Axis = "latitude"
	Longitude Axis = "longitude"
	X         Axis = "X"
	Y         Axis = "Y"
	Z         Axis = "Z"
	T         Axis = "T"
)

// The units of latitudes and longitudes (CF 4.1 and 4.2).
var (
	northUnits = []string{"degrees_north", "degree_north", "degree_N", "degrees_N", "degreeN", "degreesN"}
	eastUnits  = []string{"degrees_east", "degree_east", "degree_E", "degrees_E", "degreeE", "degreesE"}
)

// AxisOfUnits returns Latitude or Longitude for units of such a coordinate, and else NoAxis.
func AxisOfUnits(units string) Axis {
	switch {
	case slices.Contains(northUnits, units):
		return Latitude
	case slices.Contains(eastUnits, units):
		return Longitude
	}
	return NoAxis
}

// standardAxes are the axes of standard names. Names that end in _coordinate are vertical.
var standardAxes = map[string]Axis{
	"latitude": Latitude, "longitude": Longitude, "time": T, "forecast_reference_time": T,
	"grid_latitude": Y, "projection_y_coordinate": Y, "projection_y_angular_coordinate": Y,
	"grid_longitude": X, "projection_x_coordinate": X, "projection_x_angular_coordinate": X,
	"air_pressure": Z, "altitude": Z, "depth": Z, "height": Z, "geopotential_height": Z, "model_level_number": Z,
	"height_above_geopotential_datum": Z, "height_above_reference_ellipsoid": Z, "height_above_mean_sea_level": Z,
}

// coordinateAxes are the values of _CoordinateAxisType, of Unidata's coordinate attributes.
var coordinateAxes = map[string]Axis{
	"Lat": Latitude, "Lon": Longitude, "GeoX": X, "GeoY": Y, "GeoZ": Z, "Height": Z, "Pressure": Z, "Time": T, "RunTime": T,
}

// letterAxes are the values of the attribute axis.
var letterAxes = map[string]Axis{"X": X, "Y": Y, "Z": Z, "T": T}

// axisByName are the names, in lower case, that models and tools give coordinates without attributes that tell.
// The rest of the name says which grid or which of its points.
var axisByName = sync.OnceValue(func() (list []struct {
	pattern *regexp.Regexp
	axis    Axis
}) {
	const which = `(_?[0-9]+|_?[tuvfmc]|_(rho|psi|vert|cell|edge|vertex|face|node)|cell|edge|vertex|edges|centers)?$`
	for _, p := range []struct {
		words string
		axis  Axis
	}{
		{`^(nav_lat|[xtuvq]?lats?|[xtuv]?latitudes?|geolat|gphi|grid_center_lat)`, Latitude},
		{`^(nav_lon|[xtuvq]?lons?|[xtuv]?longitudes?|xlong|[tuv]long|geolon|glam|grid_center_lon)`, Longitude},
	} {
		list = append(list, struct {
			pattern *regexp.Regexp
			axis    Axis
		}{regexp.MustCompile(p.words + which), p.axis})
	}
	return list
})

// AxisOf returns the axis of a coordinate variable, by its attributes and, where these say nothing, its
// name. It follows the conventions, Unidata's attributes, and the names that programs which read many
// models' files look for. The values of latitudes and longitudes are degrees, or radians if [Radians] says
// so.
func AxisOf(name string, attrs Attributes) Axis {
	text := func(key string) string { t, _ := attrs(key); return t }
	standard, units := text(AttrStandardName), strings.TrimSpace(text(AttrUnits))
	if axis := standardAxes[standard]; axis != NoAxis {
		if standard == "air_pressure" && text(AttrAxis) == "" && text(AttrPositive) == "" {
			return NoAxis // a field as often as a coordinate
		}
		return axis
	}
	if strings.HasSuffix(standard, "_coordinate") {
		return Z
	}
	if axis := AxisOfUnits(units); axis != NoAxis && standard == "" {
		return axis
	}
	if axis := coordinateAxes[text("_CoordinateAxisType")]; axis != NoAxis {
		return axis
	}
	if strings.Contains(units, " since ") {
		return T
	}
	if axis := axisOfName(name, standard, units, text(AttrLongName)); axis != NoAxis {
		return axis
	}
	if axis := letterAxes[strings.ToUpper(text(AttrAxis))]; axis != NoAxis {
		return axis
	}
	if text(AttrPositive) != "" {
		return Z
	}
	return NoAxis
}

// axisOfName is the axis that a name means, of a variable whose units may be units of angles. Another standard
// name, or units of something else, exclude it.
func axisOfName(name, standard, units, long string) Axis {
	lower := strings.ToLower(units)
	if standard != "" || lower != "" && !strings.HasPrefix(lower, "deg") && !Radians(units) {
		return NoAxis
	}
	for _, p := range axisByName() {
		if p.pattern.MatchString(strings.ToLower(name)) || strings.EqualFold(strings.TrimSpace(long), string(p.axis)) {
			return p.axis
		}
	}
	return NoAxis
}

// Radians reports whether the units of an angle are radians.
func Radians(units string) bool {
	switch strings.ToLower(strings.TrimSpace(units)) {
	case "rad", "radian", "radians":
		return true
	}
	return false
}
