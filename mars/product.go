package mars

import (
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
)

// Product returns base[i].product: keys of sections 1, 2 and 4 that distinguish fields. They are in
// no other vocabulary or label. For statistics over time it also has stepType and startStep. A key
// with the value that most fields have is left out.
func Product(attrs *mapping.Attributes) (map[string]any, error) {
	m := presentKeys(attrs, GroupProduct, 2)
	if kind, ok := attrs.Get(GroupTime, "stepType"); ok && kind != "instant" {
		for _, key := range []string{"stepType", "startStep"} {
			if v, ok := attrs.Get(GroupTime, key); ok && Present(v) {
				m[key] = v
			}
		}
	}
	for key, v := range m {
		if n, ok := v.(int64); ok && slices.Contains(usualValues[key], n) {
			delete(m, key)
		}
	}
	return m, nil
}

// usualValues are values that go without saying.
var usualValues = map[string][]int64{
	"significanceOfReferenceTime":      {1}, // start of forecast
	"localTablesVersion":               {0},
	"backgroundProcess":                {255},
	"hoursAfterDataCutoff":             {0},
	"minutesAfterDataCutoff":           {0},
	"indicatorOfUnitForTimeRange":      {1},
	"numberOfTimeRanges":               {1},
	"secondOfEndOfOverallTimeInterval": {0},
	// The templates of a deterministic forecast and of an ensemble member. They are at a point in
	// time and over a time range. Labels say which.
	"productDefinitionTemplateNumber":          {0, 1, 8, 11},
	"numberOfMissingInStatisticalProcess":      {0},
	"timeRangeIndicator":                       {0, 10}, // a forecast at P1
	"numberIncludedInAverage":                  {0},
	"numberMissingFromAveragesOrAccumulations": {0},
	"localDefinitionNumber":                    {1}, // labels of MARS alone
	"grib2LocalSectionNumber":                  {1},
}

// KeyLocalUse is the key of [GroupProduct] for octets of the local part of a message that no other
// key covers. Its value is a hash of them, which tells apart fields that are otherwise the same.
const KeyLocalUse = "localUse"

// saidElsewhere are coded keys of sections 1 and 4 whose content is elsewhere. It is in a
// label, the name or a computed key of a namespace. Keys that are about the form of the
// message alone are here too.
var saidElsewhere = keySet(
	// form
	"section1Length", "section4Length", "numberOfSection", "NV", "pv", "section1Flags", "gridDefinition",
	"decimalScaleFactor",
	// reference_time
	"year", "month", "day", "hour", "minute", "second", "yearOfCentury", "centuryOfReferenceTimeOfData",
	// valid_time
	"yearOfEndOfOverallTimeInterval", "monthOfEndOfOverallTimeInterval", "dayOfEndOfOverallTimeInterval",
	"hourOfEndOfOverallTimeInterval", "minuteOfEndOfOverallTimeInterval",
	// name, paramId
	"parameterCategory", "parameterNumber", "indicatorOfParameter", "table2Version",
)

// saidByLevelType are the keys whose content is in level_type, level, top and bottom, if the type
// has a name.
var saidByLevelType = keySet(
	"typeOfFirstFixedSurface", "scaleFactorOfFirstFixedSurface", "scaledValueOfFirstFixedSurface",
	"typeOfSecondFixedSurface", "scaleFactorOfSecondFixedSurface", "scaledValueOfSecondFixedSurface",
	"indicatorOfTypeOfLevel", "level", "topLevel", "bottomLevel",
)

// saidByStep are the keys whose content is in step, step_units, stepType and stepRange. The
// template must have a step that ecCodes knows.
var saidByStep = keySet(
	"indicatorOfUnitForForecastTime", "indicatorOfUnitOfTimeRange", "forecastTime", "unitOfTimeRange", "P1", "P2",
)

// saidByTimeRange are the keys of a single time range whose content is in stepType and stepRange.
var saidByTimeRange = keySet("typeOfStatisticalProcessing", "lengthOfTimeRange")

func keySet(keys ...string) map[string]bool {
	set := make(map[string]bool, len(keys))
	for _, key := range keys {
		set[key] = true
	}
	return set
}

// Labelled says which labels a field has. Coded keys with the same content are not needed.
type Labelled struct {
	LevelType  bool // the type of the level has a name
	Step       bool
	TimeRanges int
}

// Tells reports whether a coded key of section 1 or 4 belongs to [GroupProduct]. It does if it
// says something about a field that is in no label and in no namespace.
func (l Labelled) Tells(key string) bool {
	switch {
	case saidElsewhere[key],
		l.LevelType && saidByLevelType[key],
		l.Step && saidByStep[key],
		l.TimeRanges == 1 && saidByTimeRange[key]:
		return false
	}
	return true
}
