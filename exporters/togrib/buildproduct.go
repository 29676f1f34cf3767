package togrib

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

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

// levelType returns the kind of the level, "" if it is not known.
func (b *builder) levelType(l mapping.Labels) string {
	kind := l.LevelType
	if kind == "" {
		kind = b.text("typeOfLevel")
	}
	if kind == "" {
		kind, _ = b.ecCodes("vertical")["typeOfLevel"].(string)
	}
	if kind == "unknown" {
		return ""
	}
	return kind
}

// levels sets the fixed surfaces.
func (b *builder) levels() error {
	_, l := b.entry.Own()
	kind := b.levelType(l)
	if kind == "isobaricInPa" { // which ecCodes tells from hPa by the level
		return b.pascals(l)
	}
	return b.setAll([][2]string{
		{"typeOfLevel", kind}, {"level", b.labelText(l.Level, "level", "levelist")}, {"topLevel", b.labelText(l.Top, "topLevel")},
		{"bottomLevel", b.labelText(l.Bottom, "bottomLevel")},
	})
}

// labelText returns a label as text, or else the text of keys.
func (b *builder) labelText(label mapping.Opt[float64], keys ...string) string {
	if v, ok := label.Get(); ok {
		return text(v)
	}
	return b.text(keys...)
}

// pascals sets a pressure level that is no whole number of hectopascals.
func (b *builder) pascals(l mapping.Labels) error {
	level := b.labelText(l.Level, "level", "levelist")
	return b.setAll([][2]string{{"typeOfFirstFixedSurface", "100"}, {"scaleFactorOfFirstFixedSurface", "0"}, {"scaledValueOfFirstFixedSurface", level}})
}

// structuralKeys are keys that sections were chosen by.
var structuralKeys = []string{"productDefinitionTemplateNumber", "numberOfTimeRanges", "numberOfTimeRange", "startStep", "stepType", "paramId"}

// restKeys are keys for writing a field again that nothing else gives.
var restKeys = []string{"generatingProcessIdentifier", "typeOfGeneratingProcess", "backgroundProcess"}

// rest sets the keys that tell fields apart and do not have their values yet.
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
