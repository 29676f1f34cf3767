package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// A kind holds the properties that all fields of a variable share.
type kind struct {
	name      string
	paramID   int64 // 0 if it is not known
	levelType string
	stepType  string // ecCodes' stepType
	// window is the length in seconds of the time that a statistic covers. It is fromStart if this time begins
	// with the forecast, absent for instants.
	window float64
	splits []Attribute // other attributes that tell variables of one parameter apart
	grid   *grid
	dtype  tgm.DType
	shape  []uint64
	pv     []float64 // vertical coordinate parameters of the first field

	other *mapping.Other // of objects of other writers, else nil
	dims  []string       // of these: the names of the axes of each
	said  []Attribute    // of these: the names and units of the entry that differ from the parameter database

	number int // of the first field, for the order of the variables

	length float64 // of the windows of a kind whose window is fromStart; absent if they differ
}

// fromStart is the window of a statistic that begins with the forecast.
const fromStart = -1

// splitKeys are the keys of base[i].product and base[i].mars that make separate variables. The
// values are words for the names.
var splitKeys = map[string]bool{
	"derivedForecast": true, "probabilityType": true, "constituentType": true, "sourceSinkChemicalPhysicalProcess": true,
	"aerosolType": true, "typeOfSizeInterval": true, "scaledValueOfFirstSize": true, "scaleFactorOfFirstSize": true,
	"scaledValueOfSecondSize": true, "scaleFactorOfSecondSize": true, "typeOfWavelengthInterval": true,
	"scaledValueOfFirstWavelength": true, "scaleFactorOfFirstWavelength": true, "scaledValueOfSecondWavelength": true,
	"scaleFactorOfSecondWavelength": true, "wavelength": true, "channel": true, "instrument": true, "ident": true,
	"instrumentType": true, "satelliteSeries": true, "satelliteNumber": true, "scaledValueOfCentralWaveNumber": true,
	"scaleFactorOfCentralWaveNumber": true, "tileIndex": true, "tile": true, "tileClassification": true,
	"typeOfStatisticalProcessing": true, "typeOfTimeIncrement": true, "clusterIdentifier": true, "typeOfStatisticalPostProcessing": true,
}

// axisKeys are the keys of base[i].product and base[i].mars whose values are positions.
var axisKeys = map[string]axisKind{
	"percentileValue": axisPercentile, "quantile": axisPercentile, "percentile": axisPercentile,
	"directionNumber": axisDirection, "direction": axisDirection,
	"frequencyNumber": axisFrequency, "frequency": axisFrequency,
}

// A fieldMaker makes fields of objects, with one kind, origin and grid for all that share it.
type fieldMaker struct {
	opts    *Options
	kinds   map[string]*kind
	origins map[string]*origin
	grids   *gridSet
	levels  *levelSet
	numbers *numbers
	words   *wordSet
}

func newFieldMaker(opts *Options) *fieldMaker {
	return &fieldMaker{opts: opts, kinds: make(map[string]*kind), origins: make(map[string]*origin), grids: newGridSet(), levels: newLevelSet(), numbers: newNumbers(), words: newWordSet()}
}

// A common holds the metadata that fields share which differ only in labels.
type common struct {
	kind    kind // except for the window
	origin  *origin
	at      [numAxes]float64  // along axes that no label says
	windows map[float64]*kind // by the length of the window
}

// common reads the metadata that an entry shares with others.
func (m *fieldMaker) common(e mapping.Entry, shape []uint64, dtype tgm.DType) *common {
	c := &common{windows: make(map[float64]*kind)}
	for axis := range c.at {
		c.at[axis] = absent
	}
	c.kind = kind{
		name: e.Name(mars.ShortName), levelType: e.LevelType(), window: absent,
		grid: m.grids.of(e.Geometry(), shape, e.Dims(len(shape))), dtype: dtype, shape: shape,
	}
	if c.kind.other = e.Other(); c.kind.other != nil {
		c.kind.ofOther(e, m.grids.ofOther(c.kind.other.Frame))
	}
	c.kind.stepType, _ = lookup(e, "stepType").(string)
	c.origin = m.originOf(m.others(&c.at, &c.kind, e))
	if c.kind.other != nil {
		c.origin = &origin{values: c.origin.values, keys: m.words.keysOf(e, c.kind.other)}
	}
	if id, ok := mapping.Int(lookup(e, "paramId")); ok {
		c.kind.paramID = id
	}
	if strings.HasPrefix(c.kind.levelType, hybridLevels) {
		c.kind.pv = mapping.Floats(e.Reproduction()["pv"])
	}
	return c
}

// make makes the field of an object, and returns it with its kind.
func (m *fieldMaker) make(o *Object) (field, *kind) {
	labels := catalog.ReadLabels(o.Base)
	return m.field(o.Ref, m.common(o.Base, o.Shape, o.DType), &labels)
}

// field makes a field of common metadata and its own labels, and returns it with its kind.
func (m *fieldMaker) field(ref int, c *common, l *catalog.Labels) (field, *kind) {
	at := c.at
	if n, ok := l.Number.Get(); ok {
		at[axisNumber] = float64(n)
	}
	at[axisLevel] = m.level(l, c.kind.levelType)
	t := m.times(&at, l, c.kind.stepType)
	k := c.windows[t.window]
	if k == nil {
		own := c.kind
		own.window, own.length = t.window, t.length
		k = m.kindOf(own)
		c.windows[t.window] = k
	}
	switch k.length {
	case t.length:
	case 0: // of step 0, at which nothing has been added up
		k.length = t.length
	default:
		if t.length != 0 {
			k.length = absent
		}
	}
	f := field{ref: int32(ref), origin: c.origin, valid: m.numbers.code(t.valid), start: m.numbers.code(t.start)}
	for axis, v := range at {
		if v != absent {
			f.at[axis] = m.numbers.code(v)
		}
	}
	return f, k
}

// sameLength is the kind whose windows all have the length of the windows of k, which begin with
// the forecast. It is nil if there is none. Both are one variable: 0-6 h, 6-12 h, 12-18 h.
func (m *fieldMaker) sameLength(k *kind) *kind {
	if k.window != fromStart || k.length <= 0 {
		return nil
	}
	other := *k
	other.window = k.length
	return m.kinds[other.key()]
}

// fieldTimes are the times of a field beside the times of its position, each absent if it is not known.
type fieldTimes struct {
	valid          float64 // in seconds since 1970
	start          float64 // step at which the window of a statistic begins, in seconds
	window, length float64 // of a statistic: as the kind has it, and in seconds
}

// times sets the times of the labels.
func (m *fieldMaker) times(at *[numAxes]float64, l *catalog.Labels, stepType string) fieldTimes {
	f := fieldTimes{absent, absent, absent, absent}
	if t, ok := l.ReferenceTime.Get(); ok {
		at[axisTime] = float64(t.Unix())
	}
	valid, isValid := l.ValidTime.Get()
	if isValid {
		f.valid = float64(valid.Unix())
	}
	if end, ok := l.End(); ok {
		at[axisStep] = end.Seconds()
	} else if isValid && l.ReferenceTime.Known {
		at[axisStep] = f.valid - at[axisTime] // of centuries
	}
	if start, ok := l.WindowStart.Get(); ok && stepType != "instant" {
		f.start = start.Seconds()
		f.length = at[axisStep] - f.start
		if f.window = f.length; start == 0 {
			f.window = fromStart
		}
	}
	if m.opts.Time == TimeValid && isValid {
		at[axisTime], at[axisStep] = f.valid, absent
	}
	return f
}

func lookup(e mapping.Entry, key string) any {
	v, _ := e.Lookup(key)
	return v
}

// others sorts the other keys of an entry into positions, splits and the rest, which is the origin.
func (m *fieldMaker) others(at *[numAxes]float64, k *kind, e mapping.Entry) map[string]string {
	rest := make(map[string]string)
	for _, namespace := range []map[string]any{e.MARS(), e.Namespace(mapping.KeyProduct)} {
		for _, key := range slices.Sorted(maps.Keys(namespace)) {
			value := namespace[key]
			if axis, ok := axisKeys[key]; ok {
				if n, ok := mapping.Float(value); ok {
					at[axis] = n
					continue
				}
			}
			switch {
			case splitKeys[key]:
				k.splits = append(k.splits, Attribute{key, value})
			case slices.Contains(firstOrigins, key), mars.IsDistinguishing(key):
				rest[key] = fmt.Sprint(value)
			}
		}
	}
	if _, dated := e.ReferenceTime(); !dated {
		for _, key := range mars.DateKeys() {
			if value, ok := e.MARS()[key]; ok {
				rest[key] = fmt.Sprint(value)
			}
		}
	}
	product := e.Namespace(mapping.KeyProduct)
	at[axisThreshold] = threshold(product, rest)
	at[axisVersion] = versionDate(e, product, rest)
	if centre := lookup(e, "centre"); centre != nil {
		rest["centre"] = fmt.Sprint(centre)
	}
	if k.other != nil {
		for path, v := range k.other.Keys {
			rest[path] = fmt.Sprint(v)
		}
	}
	for _, key := range mars.ProcessKeys() {
		if value, ok := e.Reproduction()[key]; ok {
			rest[key] = fmt.Sprint(value)
		}
	}
	return rest
}

// limitKeys are the keys of the lower and upper limit of a probability, templates 4.5 and 4.9.
var limitKeys = []string{"Lower", "Upper"}

// threshold is the limit of a probability. If there are two, it is the lower limit, and the upper one is part
// of the origin.
func threshold(product map[string]any, rest map[string]string) float64 {
	for _, limit := range limitKeys {
		factorKey, valueKey := "scaleFactorOf"+limit+"Limit", "scaledValueOf"+limit+"Limit"
		factor, ok := mapping.Int(product[factorKey])
		value, ok2 := mapping.Int(product[valueKey])
		if !ok || !ok2 {
			continue
		}
		delete(rest, factorKey)
		delete(rest, valueKey)
		text := fmt.Sprintf("%de%d", value, -factor)
		v, _ := strconv.ParseFloat(text, 64) // one rounding, as the decimal number is written
		return v
	}
	return absent
}

// versionDate is the date of the model version of a hindcast: of templates 4.60 and 4.61, or as MARS
// has it.
func versionDate(e mapping.Entry, product map[string]any, rest map[string]string) float64 {
	parts := [6]int{1, 1, 1, 0, 0, 0}
	found := false
	for i, unit := range []string{"year", "month", "day", "hour", "minute", "second"} {
		key := unit + "OfModelVersion"
		if n, ok := mapping.Int(product[key]); ok {
			parts[i], found = int(n), true
			delete(rest, key)
		}
	}
	if !found {
		if t, ok := e.VersionDate(); ok {
			delete(rest, mapping.ProductReferenceDate)
			return float64(t.Unix())
		}
		return absent
	}
	return float64(time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC).Unix())
}

// key is equal for equal kinds.
func (k *kind) key() string {
	name := k.name
	if k.paramID != 0 {
		name = strconv.FormatInt(k.paramID, 10)
	}
	return fmt.Sprint(name, "|", k.levelType, "|", k.stepType, "|", k.window, "|", k.splits, "|", k.grid.number, "|", k.dtype, "|", k.shape, k.otherKey())
}

// kindOf returns the kind that equals k.
func (m *fieldMaker) kindOf(k kind) *kind {
	key := k.key()
	if known := m.kinds[key]; known != nil {
		return known
	}
	k.number = len(m.kinds)
	m.kinds[key] = &k
	return &k
}

func (m *fieldMaker) originOf(values map[string]string) *origin {
	key := fmt.Sprint(values)
	if known := m.origins[key]; known != nil {
		return known
	}
	o := &origin{values: values}
	m.origins[key] = o
	return o
}
