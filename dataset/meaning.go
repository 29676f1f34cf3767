package dataset

import (
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
)

// A meaning is the quantity of a coordinate, whatever its name.
type meaning string

// The meanings, which are also keys of selectors.
const (
	meansNothing   meaning = ""
	meansLatitude  meaning = "lat"
	meansLongitude meaning = "lon"
	meansLevel     meaning = mapping.KeyLevel
	meansTime      meaning = "time"               // of reference, or the only one
	meansValidTime meaning = mapping.KeyValidTime // beside a time of reference
	meansStep      meaning = mapping.KeyStep
	meansMember    meaning = mapping.KeyNumber
)

// otherKeys are other words for meanings.
var otherKeys = map[string]meaning{
	"latitude": meansLatitude, "longitude": meansLongitude, "lev": meansLevel, "levelist": meansLevel, "plev": meansLevel,
	"member": meansMember, "realization": meansMember, "date": meansTime, "forecast_reference_time": meansTime, "forecast_period": meansStep,
}

// meaningOf is the meaning that a key of a selector stands for.
func meaningOf(key string) meaning {
	key = strings.ToLower(key)
	if m, ok := otherKeys[key]; ok {
		return m
	}
	return meaning(key)
}

// IsAxis reports whether selectors choose along dimensions by a key, whatever the names of the dimensions.
func IsAxis(key string) bool {
	switch meaningOf(key) {
	case meansLatitude, meansLongitude, meansLevel, meansTime, meansValidTime, meansStep, meansMember:
		return true
	}
	return false
}

// pressureUnits are units by which vertical coordinates are known (CF 4.3).
var pressureUnits = []string{"Pa", "hPa", "mbar", "mb", "millibar", "millibars"}

// standardMeanings are the meanings of standard names.
var standardMeanings = map[string]meaning{
	"latitude": meansLatitude, "longitude": meansLongitude, "time": meansValidTime, "forecast_reference_time": meansTime,
	"forecast_period": meansStep, "realization": meansMember, "air_pressure": meansLevel, "height": meansLevel, "altitude": meansLevel,
	"depth": meansLevel, "model_level_number": meansLevel, "air_potential_temperature": meansLevel,
}

// namedMeanings are the meanings of names, of coordinates whose attributes say nothing.
var namedMeanings = map[string]meaning{
	"lat": meansLatitude, "latitude": meansLatitude, "lon": meansLongitude, "longitude": meansLongitude, mapping.KeyLevel: meansLevel, "lev": meansLevel,
	"plev": meansLevel, mapping.KeyStep: meansStep, mapping.KeyNumber: meansMember, "member": meansMember, "time": meansTime,
}

// meaning is the meaning of the variable as a coordinate.
func (v *Variable) meaning() meaning {
	text := func(key string) string { s, _ := v.Attr(key).(string); return s }
	if m, ok := standardMeanings[text(cf.AttrStandardName)]; ok && !(m == meansLevel && !v.labelsOneAxis()) {
		return m
	}
	units := text(cf.AttrUnits)
	switch {
	case text(cf.AttrStandardName) == "" && cf.AxisOfUnits(units) == cf.Latitude:
		return meansLatitude
	case text(cf.AttrStandardName) == "" && cf.AxisOfUnits(units) == cf.Longitude:
		return meansLongitude
	case strings.Contains(units, " since "):
		return meansTime
	case text(cf.AttrAxis) == "Z", text(cf.AttrPositive) != "":
		return meansLevel
	case v.labelsOneAxis() && (slices.Contains(pressureUnits, units) || v.isLevelOfFields()):
		return meansLevel
	case v.labelsOneAxis() && text(cf.AttrStandardName) == "":
		return namedMeanings[strings.ToLower(v.Name)]
	}
	return meansNothing
}

// labelsOneAxis reports whether the variable is a coordinate of one dimension, or a scalar.
func (v *Variable) labelsOneAxis() bool { return len(v.Dims) == 0 || v.Coordinate && len(v.Dims) == 1 }

// isLevelOfFields reports whether the variable has the levels of fields of a type.
func (v *Variable) isLevelOfFields() bool { return v.levelType != "" }
