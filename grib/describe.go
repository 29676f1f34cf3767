package grib

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// Identification is section 1 of edition 2.
type Identification struct {
	Centre, SubCentre  int       // common code tables C-11 and C-12
	TablesVersion      int       // code table 1.0; 0 means 32
	LocalTablesVersion int       // code table 1.1
	Significance       int       // of the reference time, code table 1.2
	Time               time.Time // the reference time
	ProductionStatus   int       // code table 1.3
	TypeOfData         int       // code table 1.4
}

// defaultTables is the version of the master tables that an Identification of version 0 gets.
const defaultTables = 32

// Section returns the octets of section 1. The error is a *BuildError.
func (id Identification) Section() ([]byte, error) {
	t := id.Time.UTC()
	if id.TablesVersion == 0 {
		id.TablesVersion = defaultTables
	}
	w := octets{section: 1}
	w.put(21, 4, "the length")
	w.put(1, 1, "the number")
	w.put(id.Centre, 2, "Centre")
	w.put(id.SubCentre, 2, "SubCentre")
	w.put(id.TablesVersion, 1, "TablesVersion")
	w.put(id.LocalTablesVersion, 1, "LocalTablesVersion")
	w.put(id.Significance, 1, "Significance")
	w.put(t.Year(), 2, "the year of Time")
	for _, v := range []int{int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second()} {
		w.put(v, 1, "Time")
	}
	w.put(id.ProductionStatus, 1, "ProductionStatus")
	w.put(id.TypeOfData, 1, "TypeOfData")
	return w.b, w.err
}

// octets appends integers to a section. The first error is kept.
type octets struct {
	section int
	b       []byte
	err     error
}

func (w *octets) put(v, n int, name string) {
	if v < 0 || n < 8 && v>>(8*n) != 0 {
		if w.err == nil {
			w.err = &BuildError{Section: w.section, Msg: fmt.Sprintf("%s is %d, which does not fit %d octets", name, v, n)}
		}
		v = 0
	}
	var word [8]byte
	binary.BigEndian.PutUint64(word[:], uint64(v))
	w.b = append(w.b, word[8-n:]...)
}

// A productKey is an integer of a product definition template.
type productKey struct {
	name  string
	size  int  // octets
	sign  bool // the highest bit is the sign
	blank bool // all ones unless it is given
}

// The parts that product definition templates are made of (Manual on Codes, templates 4.0 to 4.15),
// under ecCodes' names.
var (
	productHead = []productKey{
		{name: "parameterCategory", size: 1}, {name: "parameterNumber", size: 1},
	}
	productProcess = []productKey{
		{name: "typeOfGeneratingProcess", size: 1}, {name: "backgroundProcess", size: 1}, {name: "generatingProcessIdentifier", size: 1},
		{name: "hoursAfterDataCutoff", size: 2}, {name: "minutesAfterDataCutoff", size: 1},
		{name: "indicatorOfUnitForForecastTime", size: 1}, {name: "forecastTime", size: 4, sign: true},
		{name: "typeOfFirstFixedSurface", size: 1, blank: true}, {name: "scaleFactorOfFirstFixedSurface", size: 1, sign: true, blank: true},
		{name: "scaledValueOfFirstFixedSurface", size: 4, sign: true, blank: true},
		{name: "typeOfSecondFixedSurface", size: 1, blank: true}, {name: "scaleFactorOfSecondFixedSurface", size: 1, sign: true, blank: true},
		{name: "scaledValueOfSecondFixedSurface", size: 4, sign: true, blank: true},
	}
	productEnsemble = []productKey{
		{name: "typeOfEnsembleForecast", size: 1}, {name: "perturbationNumber", size: 1}, {name: "numberOfForecastsInEnsemble", size: 1},
	}
	productDerived = []productKey{
		{name: "derivedForecast", size: 1}, {name: "numberOfForecastsInEnsemble", size: 1},
	}
	productProbability = []productKey{
		{name: "forecastProbabilityNumber", size: 1}, {name: "totalNumberOfForecastProbabilities", size: 1}, {name: "probabilityType", size: 1},
		{name: "scaleFactorOfLowerLimit", size: 1, sign: true, blank: true}, {name: "scaledValueOfLowerLimit", size: 4, sign: true, blank: true},
		{name: "scaleFactorOfUpperLimit", size: 1, sign: true, blank: true}, {name: "scaledValueOfUpperLimit", size: 4, sign: true, blank: true},
	}
	productPercentile = []productKey{{name: "percentileValue", size: 1}}
	productSpatial    = []productKey{
		{name: "statisticalProcess", size: 1}, {name: "spatialProcessing", size: 1}, {name: "numberOfPointsUsed", size: 1},
	}
	productChemical    = []productKey{{name: "constituentType", size: 2}}
	productAerosolSize = []productKey{
		{name: "aerosolType", size: 2}, {name: "typeOfSizeInterval", size: 1, blank: true},
		{name: "scaleFactorOfFirstSize", size: 1, sign: true, blank: true}, {name: "scaledValueOfFirstSize", size: 4, sign: true, blank: true},
		{name: "scaleFactorOfSecondSize", size: 1, sign: true, blank: true}, {name: "scaledValueOfSecondSize", size: 4, sign: true, blank: true},
	}
	productWavelength = []productKey{
		{name: "typeOfWavelengthInterval", size: 1, blank: true},
		{name: "scaleFactorOfFirstWavelength", size: 1, sign: true, blank: true}, {name: "scaledValueOfFirstWavelength", size: 4, sign: true, blank: true},
		{name: "scaleFactorOfSecondWavelength", size: 1, sign: true, blank: true}, {name: "scaledValueOfSecondWavelength", size: 4, sign: true, blank: true},
	}
	productInterval = []productKey{
		{name: "yearOfEndOfOverallTimeInterval", size: 2}, {name: "monthOfEndOfOverallTimeInterval", size: 1}, {name: "dayOfEndOfOverallTimeInterval", size: 1},
		{name: "hourOfEndOfOverallTimeInterval", size: 1}, {name: "minuteOfEndOfOverallTimeInterval", size: 1},
		{name: "secondOfEndOfOverallTimeInterval", size: 1}, {name: "numberOfTimeRanges", size: 1}, {name: "numberOfMissingInStatisticalProcess", size: 4},
	}
	// productRange is one of the time ranges of an interval.
	productRange = []productKey{
		{name: "typeOfStatisticalProcessing", size: 1}, {name: "typeOfTimeIncrement", size: 1}, {name: "indicatorOfUnitForTimeRange", size: 1},
		{name: "lengthOfTimeRange", size: 4}, {name: "indicatorOfUnitForTimeIncrement", size: 1, blank: true}, {name: "timeIncrement", size: 4},
	}
)

// productTemplate returns the keys of a product definition template in order, nil for an unknown
// template.
func productTemplate(number int) []productKey {
	parts := map[int][][]productKey{
		0:  {productHead, productProcess},
		1:  {productHead, productProcess, productEnsemble},
		2:  {productHead, productProcess, productDerived},
		5:  {productHead, productProcess, productProbability},
		6:  {productHead, productProcess, productPercentile},
		8:  {productHead, productProcess, productInterval, productRange},
		9:  {productHead, productProcess, productProbability, productInterval, productRange},
		10: {productHead, productProcess, productPercentile, productInterval, productRange},
		11: {productHead, productProcess, productEnsemble, productInterval, productRange},
		12: {productHead, productProcess, productDerived, productInterval, productRange},
		15: {productHead, productProcess, productSpatial},
		40: {productHead, productChemical, productProcess},
		41: {productHead, productChemical, productProcess, productEnsemble},
		42: {productHead, productChemical, productProcess, productInterval, productRange},
		43: {productHead, productChemical, productProcess, productEnsemble, productInterval, productRange},
		44: {productHead, productAerosolSize, productProcess},
		45: {productHead, productAerosolSize, productProcess, productEnsemble},
		46: {productHead, productAerosolSize, productProcess, productInterval, productRange},
		47: {productHead, productAerosolSize, productProcess, productEnsemble, productInterval, productRange},
		48: {productHead, productAerosolSize, productWavelength, productProcess},
		49: {productHead, productAerosolSize, productWavelength, productProcess, productEnsemble},
	}
	return slices.Concat(parts[number]...)
}

// ProductSection returns section 4 with a product definition template and the integers of keys,
// which have ecCodes' names. Templates are 4.0, 4.1, 4.2, 4.5, 4.6, 4.8 to 4.12, 4.15, 4.40 to
// 4.49. If there are several time ranges, as numberOfTimeRanges says, the keys of the second end
// with #2, and so on. Keys that are not given are 0; fixed surfaces and limits that are not given
// are missing. vertical has the coordinates of hybrid levels, nil for none. The error is a
// *BuildError if the template or a key is not known, or a value is out of range.
func ProductSection(template int, keys map[string]int64, vertical []float32) ([]byte, error) {
	layout := productTemplate(template)
	if layout == nil {
		return nil, &BuildError{Section: 4, Msg: fmt.Sprintf("product definition template %d cannot be written", template)}
	}
	w := octets{section: 4}
	w.put(0, 4, "the length")
	w.put(4, 1, "the number")
	w.put(len(vertical), 2, "the number of vertical coordinates")
	w.put(template, 2, "the template")
	left := maps.Clone(keys)
	for n := int64(2); n <= min(keys["numberOfTimeRanges"], math.MaxUint8) && slices.Contains(layout, productRange[0]); n++ {
		for _, k := range productRange {
			k.name += "#" + strconv.FormatInt(n, 10)
			layout = append(layout, k)
		}
	}
	for _, k := range layout {
		v, ok := left[k.name]
		delete(left, k.name)
		if k.name == "numberOfTimeRanges" && !ok {
			v, ok = 1, true
		}
		w.key(k, v, ok)
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		return nil, &BuildError{Section: 4, Msg: fmt.Sprintf("template %d has no key %s", template, name)}
	}
	for _, v := range vertical {
		w.b = binary.BigEndian.AppendUint32(w.b, math.Float32bits(v))
	}
	binary.BigEndian.PutUint32(w.b, uint32(len(w.b)))
	return w.b, w.err
}

// key appends one integer of a template.
func (w *octets) key(k productKey, v int64, given bool) {
	if k.name == "numberOfTimeRanges" && v < 1 {
		w.fail(k, v)
	}
	bits := 8 * k.size
	switch {
	case !given && k.blank:
		v = 1<<bits - 1
	case k.sign && v < 0 && -v < 1<<(bits-1):
		v = 1<<(bits-1) | -v
	case k.sign && v >= 1<<(bits-1), v < 0, v >= 1<<bits:
		w.fail(k, v)
		v = 0
	}
	var word [8]byte
	binary.BigEndian.PutUint64(word[:], uint64(v))
	w.b = append(w.b, word[8-k.size:]...)
}

func (w *octets) fail(k productKey, v int64) {
	if w.err == nil {
		w.err = &BuildError{Section: w.section, Msg: fmt.Sprintf("%s is %d, which does not fit", k.name, v)}
	}
}
