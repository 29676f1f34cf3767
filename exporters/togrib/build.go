package togrib

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
)

// A builder makes the header of a message of keys.
type builder struct {
	entry   mapping.Entry
	shape   []uint64
	points  int
	edition int

	draft   grib.Draft
	grid    *geometry.Grid
	message []byte // as keys are set
}

// A BuildError names what an object without sections lacks, or a key that no template has.
type BuildError struct {
	Key string // of base[i]
	Err error
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("the object has no sections, and cannot be built of its keys: %s: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *BuildError) Unwrap() error { return e.Err }

// build makes a header of the keys of an entry.
func (b *builder) build() (grib.Header, error) {
	steps := []func() error{b.gridSection, b.identification, b.product, b.firstParameter, b.times, b.levels, b.rest, b.parameter}
	if b.edition == 1 {
		steps = []func() error{b.build1}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	h, err := b.draft.Header()
	if err != nil {
		return nil, err
	}
	return h.WithSectionsOf(b.message)
}

// value returns a key of the entry: of MARS, of what tells fields apart, or of what it takes to
// write a field again.
func (b *builder) value(names ...string) (any, bool) {
	for _, name := range names {
		for _, namespace := range []string{mapping.KeyMARS, mapping.KeyProduct, mapping.KeyReproduction} {
			if v, ok := b.entry.Namespace(namespace)[name]; ok {
				return v, true
			}
		}
	}
	return nil, false
}

func (b *builder) has(names ...string) bool {
	_, ok := b.value(names...)
	return ok
}

func (b *builder) text(names ...string) string {
	v, ok := b.value(names...)
	if !ok {
		return ""
	}
	return text(v)
}

func (b *builder) integer(fallback int64, names ...string) int64 {
	v, _ := b.value(names...)
	if n, ok := mapping.Int(v); ok {
		return n
	}
	if n, err := strconv.ParseInt(text(v), 10, 64); err == nil {
		return n
	}
	return fallback
}

// gridSection makes section 3.
func (b *builder) gridSection() error {
	g := b.entry.Geometry()
	if g == nil {
		var err error
		if g, err = b.geometry(); err != nil {
			return err
		}
	}
	grid, err := geometry.FromGeometry(g)
	if err == nil && grid.NumberOfDataPoints != b.points {
		err = fmt.Errorf("a grid of %d points for %d values", grid.NumberOfDataPoints, b.points)
	}
	uv := b.integer(0, "uvRelativeToGrid") != 0
	switch b.grid = grid; {
	case err != nil:
	case b.edition == 1:
		b.draft.Edition = 1
		b.draft.Grid, err = grid.Section1(uv)
	default:
		b.draft.Grid, err = grid.Section(uv)
	}
	if err != nil {
		return &BuildError{mapping.KeyGeometry, err}
	}
	return nil
}

// templates are the grid definition templates of ecCodes' grid types.
var templates = map[string]int{
	"regular_ll": 0, "reduced_ll": 0, "rotated_ll": 1, "stretched_ll": 2, "stretched_rotated_ll": 3, "mercator": 10,
	"polar_stereographic": 20, "lambert": 30, "albers": 31, "regular_gg": 40, "reduced_gg": 40, "rotated_gg": 41,
	"reduced_rotated_gg": 41, "stretched_gg": 42, "reduced_stretched_gg": 42, "stretched_rotated_gg": 43,
	"reduced_stretched_rotated_gg": 43, "sh": 50, "rotated_sh": 51, "stretched_sh": 52, "stretched_rotated_sh": 53,
	"space_view": 90, "unstructured_grid": 101, "lambert_azimuthal_equal_area": 140, "healpix": 150,
}

// geometry makes the description of a grid of the keys that the reference's importer writes.
func (b *builder) geometry() (map[string]any, error) {
	keys := b.entry.Reproduction()
	kind := b.text(mapping.MARSGrid)
	if v, ok := keys["gridType"].(string); ok {
		kind = v
	}
	template, ok := templates[kind]
	if !ok {
		return nil, &BuildError{"gridType", fmt.Errorf("grids of type %q have no template here", kind)}
	}
	g := maps.Clone(keys)
	if g == nil {
		g = map[string]any{}
	}
	g["gridType"], g["edition"], g["gridDefinitionTemplateNumber"] = kind, int64(2), int64(template)
	g["numberOfDataPoints"] = int64(b.points)
	scan := int64(0)
	for key, bit := range map[string]int64{"iScansNegatively": 0x80, "jScansPositively": 0x40, "jPointsAreConsecutive": 0x20, "alternativeRowScanning": 0x10} {
		if n, ok := mapping.Int(keys[key]); ok && n != 0 {
			scan |= bit
		}
	}
	g["scanningMode"] = scan
	if _, ok := g["shapeOfTheEarth"]; !ok {
		g["shapeOfTheEarth"], g["earthIsOblate"], g["radius"] = int64(6), int64(0), 6371229.0
	}
	if _, ok := g["latitudeOfFirstGridPointInDegrees"]; !ok && template == 0 {
		return g, b.fromArea(g)
	}
	return g, nil
}

// fromArea takes the corners of a regular grid from MARS.
func (b *builder) fromArea(g map[string]any) error {
	area, _ := b.entry.MARS()[mapping.MARSArea].([]any)
	if len(area) != 4 || len(b.shape) != 2 || b.shape[0] < 2 || b.shape[1] < 2 {
		return &BuildError{mapping.KeyMARS + "." + mapping.MARSArea, errors.New("it is missing, and nothing else says where the grid lies")}
	}
	var corner [4]float64 // north, west, south, east
	for i, v := range area {
		corner[i], _ = mapping.Float(v)
	}
	nj, ni := float64(b.shape[0]), float64(b.shape[1])
	g["Ni"], g["Nj"] = int64(ni), int64(nj)
	g["latitudeOfFirstGridPointInDegrees"], g["longitudeOfFirstGridPointInDegrees"] = corner[0], corner[1]
	g["latitudeOfLastGridPointInDegrees"], g["longitudeOfLastGridPointInDegrees"] = corner[2], corner[3]
	g["iDirectionIncrementInDegrees"], g["jDirectionIncrementInDegrees"] = (corner[3]-corner[1])/(ni-1), (corner[0]-corner[2])/(nj-1)
	return nil
}

// ecmfLocal is section 2 of ECMWF's local definition 1: class, type, stream and expver of MARS,
// which are set later.
var ecmfLocal = []byte{0, 0, 0, 17, 2, 0, 1, 0, 1, 0, 2, 4, 1, '0', '0', '0', '1'}

// identification makes sections 1 and 2.
func (b *builder) identification() error {
	t, ok := b.entry.ReferenceTime()
	if !ok {
		return &BuildError{mapping.KeyReferenceTime, errors.New("it is missing, and there are no date and time")}
	}
	id := grib.Identification{
		Centre: 255, SubCentre: int(b.integer(0, "subCentre")), TablesVersion: int(b.integer(0, "tablesVersion")),
		LocalTablesVersion: int(b.integer(0, "localTablesVersion")),
		Significance:       int(b.integer(1, "significanceOfReferenceTime")), Time: t,
		ProductionStatus: int(b.integer(0, "productionStatusOfProcessedData")), TypeOfData: int(b.integer(255, "typeOfProcessedData")),
	}
	var err error
	if b.draft.Identification, err = id.Section(); err != nil {
		return &BuildError{mapping.KeyReproduction, err}
	}
	centre := b.text("centre", "origin")
	if centre == "" && b.entry.MARS()["class"] != nil {
		centre = "ecmf"
	}
	if err := b.redraft([2]string{"centre", centre}, [2]string{"typeOfProcessedData", b.text("typeOfProcessedData")}); err != nil {
		return err
	}
	if mars := b.entry.MARS(); mars["class"] != nil && (centre == "ecmf" || centre == "98" || b.text("subCentre") == "98") {
		b.draft.Local = slices.Clone(ecmfLocal)
	}
	return b.redraft([2]string{"marsClass", b.text("class")}, [2]string{"marsType", b.text("type")}, [2]string{"marsStream", b.text("stream")},
		[2]string{"experimentVersionNumber", b.text("expver")})
}

// redraft makes a message of the sections so far and sets keys in it.
func (b *builder) redraft(list ...[2]string) error {
	if b.draft.Product == nil {
		var err error
		if b.draft.Product, err = grib.ProductSection(0, nil, nil); err != nil {
			return err
		}
	}
	h, err := b.draft.Header()
	if err == nil {
		b.message, err = h.Message()
	}
	if err != nil {
		return err
	}
	for _, kv := range list {
		if kv[1] == "" || b.draft.Local == nil && strings.HasPrefix(kv[0], "mars") || b.draft.Local == nil && kv[0] == "experimentVersionNumber" {
			continue
		}
		if err := b.set(kv[0], kv[1]); err != nil {
			return err
		}
	}
	out, err := h.WithSectionsOf(b.message)
	if err == nil {
		grid := b.draft.Grid
		b.draft, err = out.Draft()
		b.draft.Grid = grid
	}
	return err
}

func (b *builder) set(key, value string) error {
	message, err := setKey(b.message, key, value)
	if err != nil {
		return &BuildError{key + "=" + value, err}
	}
	b.message = message
	return nil
}

// statisticsCodes are code table 4.10 by ecCodes' stepType.
var statisticsCodes = map[string]int64{
	"avg": 0, "accum": 1, "max": 2, "min": 3, "diff": 4, "rms": 5, "sd": 6, "cov": 7, "sdiff": 8, "ratio": 9, "severity": 100, "mode": 101,
}

// productTemplate chooses a product definition template by the keys there are.
func (b *builder) productTemplate() int {
	if n := b.integer(-1, "productDefinitionTemplateNumber"); n >= 0 {
		return int(n)
	}
	_, labelled := b.entry.Member()
	member := labelled || b.has("perturbationNumber", "number")
	span := 0
	if _, ok := statisticsCodes[b.text("stepType")]; ok {
		span = 1
	}
	table := map[string][2]int{"derivedForecast": {2, 12}, "probabilityType": {5, 9}, "percentileValue": {6, 10}}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if b.has(key) {
			return table[key][span]
		}
	}
	list := [2]int{0, 8}
	switch chemical := b.has("constituentType"); {
	case b.has("sourceSinkChemicalPhysicalProcess"):
		list = [2]int{76, 78}
	case b.has("aerosolType") && b.has("typeOfWavelengthInterval"):
		list = [2]int{48, 48}
	case chemical && member:
		list = [2]int{41, 43}
	case chemical:
		list = [2]int{40, 42}
	case member:
		list = [2]int{1, 11}
	}
	return list[span]
}

// product makes section 4.
func (b *builder) product() error {
	template := b.productTemplate()
	ranges := int(b.integer(1, "numberOfTimeRanges", "numberOfTimeRange"))
	defaults := map[string]int64{"numberOfTimeRanges": int64(ranges), "indicatorOfUnitForTimeRange": 1, "indicatorOfUnitForForecastTime": 1,
		"typeOfGeneratingProcess": 2, "generatingProcessIdentifier": 255, "backgroundProcess": 255}
	section, err := grib.ProductSection(template, defaults, nil)
	if err != nil { // it is of one time
		delete(defaults, "numberOfTimeRanges")
		delete(defaults, "indicatorOfUnitForTimeRange")
		section, err = grib.ProductSection(template, defaults, nil)
	}
	if err != nil {
		return &BuildError{"productDefinitionTemplateNumber", err}
	}
	b.draft.Product = section
	if err := b.redraft(); err != nil {
		return err
	}
	if code, ok := statisticsCodes[b.text("stepType")]; ok {
		if err := b.set("typeOfStatisticalProcessing", strconv.FormatInt(code, 10)); err != nil {
			return err
		}
		if err := b.set("typeOfTimeIncrement", "2"); err != nil {
			return err
		}
	}
	if n, ok := b.entry.Member(); ok && b.knows("perturbationNumber") {
		return b.set("perturbationNumber", strconv.FormatInt(n, 10))
	}
	return nil
}

// knows reports whether the message has a key.
func (b *builder) knows(key string) bool {
	h, err := keys.New(b.message, nil)
	if err != nil {
		return false
	}
	_, ok := h.Entry(key)
	return ok
}

// firstParameter sets what the field is of as far as that goes before its level is set.
func (b *builder) firstParameter() error {
	_ = b.parameter() // tried again when all is set
	return nil
}

// parameter sets what the field is of.
func (b *builder) parameter() error {
	id := b.text("paramId", "param")
	if number, table, ok := strings.Cut(b.text("param"), "."); ok && b.edition == 1 {
		return b.setAll([][2]string{{"table2Version", table}, {"indicatorOfParameter", number}})
	}
	if id != "" && b.holds("paramId", strings.TrimSuffix(id, ".128")) {
		return nil
	}
	if id != "" && id != "0" {
		if err := b.set("paramId", id); err == nil {
			return nil
		}
	}
	name, _ := b.entry.Own()
	if v := b.text("shortName"); v != "" {
		name = v
	}
	if name != "" && !strings.HasPrefix(name, "unknown") {
		if err := b.set("shortName", name); err != nil {
			return err
		}
		// Parameters share short names.
		if _, err := strconv.Atoi(strings.TrimSuffix(id, ".128")); err == nil && id != "0" && !b.holds("paramId", strings.TrimSuffix(id, ".128")) {
			return &BuildError{"paramId=" + id, fmt.Errorf("the other keys give the short name %s to another parameter", name)}
		}
		return nil
	}
	if id == "" {
		return &BuildError{mapping.KeyName, errors.New("neither param nor shortName says what the field is of")}
	}
	return b.set("paramId", id)
}

// times sets the step.
func (b *builder) times() error {
	units := b.stepUnits()
	if r := b.text("stepRange"); r != "" && strings.Contains(r, "-") {
		from, to, _ := strings.Cut(r, "-")
		return b.set("stepRange", withUnit(from, units)+"-"+withUnit(to, units))
	}
	step := b.text("endStep", "step")
	if _, l := b.entry.Own(); l.Step.Known {
		step, units = strconv.FormatInt(l.Step.Value, 10), l.StepUnits
	}
	if step == "" {
		return nil
	}
	if code, ok := unitCodes[units]; ok && b.edition == 2 && units != "h" && b.knows("forecastTime") && !b.knows("lengthOfTimeRange") {
		for _, key := range []string{"indicatorOfUnitForForecastTime", "indicatorOfUnitOfTimeRange"} {
			if b.knows(key) {
				if err := b.set(key, code); err != nil {
					return err
				}
				return b.set("forecastTime", strings.TrimRight(step, "smhD"))
			}
		}
	}
	return b.set("endStep", withUnit(step, units))
}

// unitCodes are code table 4.4 by the names of ecCodes' stepUnits.
var unitCodes = map[string]string{"s": "13", "m": "0", "h": "1", "D": "2", "M": "3", "Y": "4", "3h": "10", "6h": "11", "12h": "12"}

// stepUnits returns the unit of steps.
func (b *builder) stepUnits() string {
	codes := map[string]string{"0": "m", "1": "h", "2": "D", "13": "s"}
	v := b.text("stepUnits")
	if name, ok := codes[v]; ok {
		return name
	}
	return v
}

func withUnit(step, unit string) string {
	if strings.TrimRight(step, "smhD") != step {
		return step
	}
	return step + unit
}

// levels sets the fixed surfaces.
func (b *builder) levels() error {
	_, l := b.entry.Own()
	kind := l.LevelType
	if kind == "" {
		kind = b.text("typeOfLevel")
	}
	switch {
	case kind == "isobaricInPa": // which ecCodes tells from hPa by the level
		return b.pascals(l)
	case kind != "" && kind != "unknown" && !b.holds("typeOfLevel", kind):
		if err := b.set("typeOfLevel", kind); err != nil {
			return err
		}
	}
	for _, x := range []struct {
		key   string
		label mapping.Opt[float64]
		names []string
	}{{"level", l.Level, []string{"level", "levelist"}}, {"topLevel", l.Top, []string{"topLevel"}}, {"bottomLevel", l.Bottom, []string{"bottomLevel"}}} {
		value := b.text(x.names...)
		if v, ok := x.label.Get(); ok {
			value = text(v)
		}
		if value == "" || b.holds(x.key, value) {
			continue
		}
		if err := b.set(x.key, value); err != nil {
			return err
		}
	}
	return nil
}

// pascals sets a pressure level that is no whole number of hectopascals.
func (b *builder) pascals(l mapping.Labels) error {
	level := b.text("level", "levelist")
	if v, ok := l.Level.Get(); ok {
		level = text(v)
	}
	for _, kv := range [][2]string{{"typeOfFirstFixedSurface", "100"}, {"scaleFactorOfFirstFixedSurface", "0"}, {"scaledValueOfFirstFixedSurface", level}} {
		if err := b.set(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether a key has a value already.
func (b *builder) holds(key, value string) bool {
	h, err := keys.New(b.message, nil)
	if err != nil {
		return false
	}
	if now, err := h.Float(key); err == nil {
		v, err := strconv.ParseFloat(value, 64)
		return err == nil && v == now
	}
	now, err := h.String(key)
	return err == nil && now == value
}

// structuralKeys are keys that sections were chosen by.
var structuralKeys = []string{"productDefinitionTemplateNumber", "numberOfTimeRanges", "numberOfTimeRange", "startStep", "stepType"}

// restKeys are keys of what it takes to write a field again that nothing else says.
var restKeys = []string{"generatingProcessIdentifier", "typeOfGeneratingProcess", "backgroundProcess"}

// rest sets the keys that tell fields apart and are not what they should be yet.
func (b *builder) rest() error {
	for _, key := range slices.Sorted(maps.Keys(b.entry.Product())) {
		if slices.Contains(productKeys1, key) || slices.Contains(structuralKeys, key) {
			continue
		}
		if value := b.text(key); !b.holds(key, value) {
			if err := b.set(key, value); err != nil {
				return err
			}
		}
	}
	for _, key := range restKeys {
		if value := b.text(key); value != "" && !b.holds(key, value) {
			if err := b.set(key, value); err != nil {
				return err
			}
		}
	}
	return nil
}
