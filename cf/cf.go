// Package cf is the vocabulary of the Climate and Forecast conventions. It is a pure function
// from the attributes of a netCDF variable to base[i].cf.
package cf

import "github.com/tgmconv/tgmconv/mapping"

// GroupVariable is the group of attributes that [Vocabulary] reads: the attributes of the variable
// itself.
const GroupVariable = "variable"

// attributes are the attributes of the CF conventions 1.11, appendix A, that describe the meaning
// of a variable. Attributes that only describe packing or storage stay with the format.
var attributes = [...]string{
	AttrStandardName, AttrLongName, AttrUnits, AttrCalendar, AttrCellMethods, AttrCoordinates, AttrAxis, AttrPositive,
	"valid_min", "valid_max", "valid_range", AttrBounds, AttrGridMapping, "ancillary_variables",
	"flag_values", "flag_meanings",
}

// Vocabulary returns base[i].cf: the attributes of the variable that the CF conventions define,
// unchanged.
func Vocabulary(attrs *mapping.Attributes) (map[string]any, error) {
	m := make(map[string]any, 4)
	for _, name := range attributes {
		if v, ok := attrs.Get(GroupVariable, name); ok && v != nil {
			m[name] = v
		}
	}
	return m, nil
}
