package cf

import (
	"slices"
	"strings"
)

// A Role says why the values of a variable may not be stored with less precision. Other variables
// are placed by them, or each number stands for something.
type Role string

// The roles.
const (
	Data         Role = "" // none of the others
	Coordinates  Role = "coordinates"
	Bounds       Role = "bounds"
	GridMappings Role = "grid mappings"
	FormulaTerms Role = "formula terms"
	CellMeasures Role = "cell measures"
	Flags        Role = "flags"
)

// Attributes looks up an attribute of a variable: its text, empty for numbers, and whether it is
// there.
type Attributes func(name string) (text string, ok bool)

// axisNames are the standard names of coordinates of place and time. The names of vertical
// coordinates without a dimension end in _coordinate.
var axisNames = []string{
	"latitude", "longitude", "grid_latitude", "grid_longitude", "projection_x_coordinate", "projection_y_coordinate",
	"projection_x_angular_coordinate", "projection_y_angular_coordinate", "time", "forecast_reference_time", "forecast_period",
	"altitude", "height", "depth", "model_level_number", "realization",
}

// RoleOf returns the role that a variable has by its own attributes and dimensions.
func RoleOf(name string, dims []string, attrs Attributes) Role {
	if slices.Contains(dims, name) {
		return Coordinates
	}
	for _, key := range []string{AttrAxis, "_CoordinateAxisType", AttrPositive} {
		if text, _ := attrs(key); text != "" {
			return Coordinates
		}
	}
	standard, _ := attrs(AttrStandardName)
	units, _ := attrs(AttrUnits)
	if slices.Contains(axisNames, standard) || strings.HasSuffix(standard, "_coordinate") ||
		AxisOfUnits(units) != NoAxis || strings.Contains(units, " since ") {
		return Coordinates
	}
	if axis := AxisOf(name, attrs); axis == Latitude || axis == Longitude {
		return Coordinates
	}
	if _, ok := attrs("grid_mapping_name"); ok {
		return GridMappings
	}
	for _, key := range []string{"flag_values", "flag_masks", "flag_meanings"} {
		if _, ok := attrs(key); ok {
			return Flags
		}
	}
	return Data
}

// references are the attributes that give a role to the variables they name. Where keyed, words with
// a colon say the use of the next word; elsewhere they are names as well ("crs: x y").
var references = []struct {
	attr  string
	role  Role
	keyed bool
}{
	{AttrCoordinates, Coordinates, false},
	{"node_coordinates", Coordinates, false}, // also of meshes (UGRID), as the next three
	{"edge_coordinates", Coordinates, false},
	{"face_coordinates", Coordinates, false},
	{"volume_coordinates", Coordinates, false},
	{AttrBounds, Bounds, false},
	{AttrClimatology, Bounds, false},
	{AttrGridMapping, GridMappings, false},
	{AttrFormulaTerms, FormulaTerms, true},
	{AttrCellMeasures, CellMeasures, true},
}

// References calls each for all names of variables in the attributes of a variable, or of a file.
// It passes the role that the attribute gives them.
func References(attrs Attributes, each func(name string, role Role)) {
	for _, r := range references {
		text, _ := attrs(r.attr)
		for word := range strings.FieldsSeq(text) {
			name, key := strings.CutSuffix(word, ":")
			if !key || !r.keyed {
				each(name, r.role)
			}
		}
	}
}
