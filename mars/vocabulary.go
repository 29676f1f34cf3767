// Package mars is the vocabulary of GRIB sources: the metadata of a field in a message's base[i].
// Its pure functions make them from the keys that ecCodes' namespaces give (see package
// grib/keys).
//
// [Vocabulary] makes base[i].mars, [Reproduction] base[i].grib_repro, [AllKeys] base[i].grib;
// [Labels] gives the typed labels (reference time, step, level, member) that every field has, also
// where MARS has no words for them. The parameter database (paramId, shortName, name, units,
// cfName) is in this package as well: [LookupParam], [ShortName] and [Params].
//
// Names and values of keys are ecCodes' own, version 2.50.
package mars

import (
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
)

// The groups of attributes the vocabularies read. All but the last two are ecCodes' namespaces of
// that name.
const (
	GroupMARS       = "mars"
	GroupLS         = "ls"
	GroupGeography  = "geography"
	GroupTime       = "time"
	GroupVertical   = "vertical"
	GroupParameter  = "parameter"
	GroupStatistics = "statistics"
	// GroupProduct holds the keys that [Product] reads.
	GroupProduct = "product"
	// GroupIdentification holds the keys of [IdentificationKeys] and further keys that [Labels]
	// needs. No namespace lists them.
	GroupIdentification = "identification"
)

// missingInteger is how ecCodes shows an integer whose bits are all ones.
const missingInteger = math.MaxInt32

// Present reports whether ecCodes' value says something: not MISSING or not_found, not the missing
// integer, not NaN or an infinity.
func Present(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case string:
		return x != "MISSING" && x != "not_found"
	case int64:
		return x != missingInteger && x != -missingInteger
	case uint64:
		return x != missingInteger
	case float64:
		return !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	return true
}

// Vocabulary returns base[i].mars: every key of ecCodes' namespace mars with its native type, and
// the grid. The key grid is the gridType; regular latitude/longitude grids also have area as
// [north, west, south, east] in degrees.
func Vocabulary(attrs *mapping.Attributes) (map[string]any, error) {
	m := presentKeys(attrs, GroupMARS, 2)
	if grid, ok := attrs.Get(GroupGeography, "gridType"); ok && Present(grid) {
		m[mapping.MARSGrid] = grid
		if grid == "regular_ll" {
			if a, ok := area(attrs); ok {
				m[mapping.MARSArea] = a
			}
		}
	}
	return m, nil
}

// AllKeys returns base[i].grib: the namespaces ls, geography, time, vertical, parameter and
// statistics, a map each.
func AllKeys(attrs *mapping.Attributes) (map[string]any, error) {
	m := make(map[string]any, 6)
	for _, ns := range []string{GroupLS, GroupGeography, GroupTime, GroupVertical, GroupParameter, GroupStatistics} {
		if keys := presentKeys(attrs, ns, 0); len(keys) > 0 {
			m[ns] = keys
		}
	}
	return m, nil
}

// IdentificationKeys returns the keys of base[i].grib_repro that are in none of ecCodes'
// namespaces.
func IdentificationKeys() []string {
	return []string{
		"edition", "discipline", "gridType", "packingType", "bitsPerValue", "decimalScaleFactor", "tablesVersion",
		"centre", "subCentre", "productionStatusOfProcessedData", "typeOfProcessedData", "typeOfGeneratingProcess",
		"generatingProcessIdentifier", "setLocalDefinition", "grib2LocalSectionNumber", "marsClass", "marsType",
		"marsStream", "experimentVersionNumber",
	}
}

// ProcessKeys returns the [IdentificationKeys] that say how a field was made. Fields that have all
// else in common can differ in them.
func ProcessKeys() []string {
	return []string{"subCentre", "productionStatusOfProcessedData", "typeOfProcessedData", "typeOfGeneratingProcess", "generatingProcessIdentifier"}
}

// ReproductionGroups returns the namespaces whose keys are in base[i].grib_repro. Where two have a
// key, the later value counts.
func ReproductionGroups() []string { return slices.Clone(reproductionGroups) }

var reproductionGroups = []string{GroupGeography, GroupParameter, GroupTime, GroupVertical}

// Reproduction returns base[i].grib_repro, the keys that are needed to write the field back
// as GRIB. These are the namespaces geography, parameter, time and vertical flattened, and
// the [IdentificationKeys].
func Reproduction(attrs *mapping.Attributes) (map[string]any, error) {
	m := make(map[string]any, 64)
	for _, ns := range reproductionGroups {
		for at := range attrs.All(ns) {
			if Present(at.Value) {
				m[at.Key] = at.Value
			}
		}
	}
	for _, k := range IdentificationKeys() {
		if v, ok := attrs.Get(GroupIdentification, k); ok && Present(v) {
			m[k] = v
		}
	}
	return m, nil
}

func presentKeys(attrs *mapping.Attributes, group string, spare int) map[string]any {
	m := make(map[string]any, attrs.Len(group)+spare)
	for at := range attrs.All(group) {
		if Present(at.Value) {
			m[at.Key] = at.Value
		}
	}
	return m
}

// area is MARS' area of a regular latitude/longitude grid. It is given only where the corners say
// it without doubt: rows from north to south, columns from west to east, known increments, and west
// of east, or a full circle that begins in the east (180, 180.25, … 179.75 is -180 … 179.75).
func area(attrs *mapping.Attributes) ([]float64, bool) {
	number := func(key string) float64 {
		v, ok := attrs.Get(GroupGeography, key)
		if !ok || !Present(v) {
			return math.NaN()
		}
		f, ok := mapping.Float(v)
		if !ok {
			return math.NaN()
		}
		return f
	}
	if number("iScansNegatively") != 0 || number("jScansPositively") != 0 {
		return nil, false
	}
	ni, di, dj := number("Ni"), number("iDirectionIncrementInDegrees"), number("jDirectionIncrementInDegrees")
	if !(ni >= 2 && di > 0 && dj > 0) {
		return nil, false
	}
	north, west := number("latitudeOfFirstGridPointInDegrees"), number("longitudeOfFirstGridPointInDegrees")
	south, east := number("latitudeOfLastGridPointInDegrees"), number("longitudeOfLastGridPointInDegrees")
	if west > east {
		if math.Abs(float64(ni*di)-360) > di/2 {
			return nil, false
		}
		west -= 360
	}
	if !(north > south && west < east) {
		return nil, false
	}
	return []float64{north, west, south, east}, true
}
