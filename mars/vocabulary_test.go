package mars

import (
	"math"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

// attributes files a flat list of key, value pairs in the group.
func attributes(t *testing.T, group string, keysAndValues ...any) *mapping.Attributes {
	t.Helper()
	a := new(mapping.Attributes)
	file(t, a, group, keysAndValues...)
	return a
}

func file(t *testing.T, a *mapping.Attributes, group string, keysAndValues ...any) {
	t.Helper()
	for i := 0; i < len(keysAndValues); i += 2 {
		if err := a.Set(group, keysAndValues[i].(string), keysAndValues[i+1]); err != nil {
			t.Fatal(err)
		}
	}
}

func TestVocabularyDropsWhatIsMissing(t *testing.T) {
	a := attributes(t, GroupMARS, "class", "od", "number", math.MaxInt32, "step", -math.MaxInt32, "x", "MISSING",
		"y", "not_found", "z", math.NaN(), "levelist", 500, "time", 0)
	file(t, a, GroupGeography, "gridType", "reduced_gg")
	got, err := Vocabulary(a)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"class": "od", "levelist": int64(500), "time": int64(0), "grid": "reduced_gg"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("mars %v, want %v", got, want)
	}
}

func TestArea(t *testing.T) {
	global := []any{"gridType", "regular_ll", "Ni", 1440, "iScansNegatively", 0, "jScansPositively", 0,
		"iDirectionIncrementInDegrees", 0.25, "jDirectionIncrementInDegrees", 0.25,
		"latitudeOfFirstGridPointInDegrees", 90.0, "longitudeOfFirstGridPointInDegrees", 180.0,
		"latitudeOfLastGridPointInDegrees", -90.0, "longitudeOfLastGridPointInDegrees", 179.75}
	for _, c := range []struct {
		what   string
		change []any
		want   []float64
	}{
		{"full circle from 180", nil, []float64{90, -180, -90, 179.75}},
		{"full circle from 0", []any{"longitudeOfFirstGridPointInDegrees", 0.0, "longitudeOfLastGridPointInDegrees", 359.75}, []float64{90, 0, -90, 359.75}},
		{"west of east, part of the circle", []any{"longitudeOfFirstGridPointInDegrees", 350.0, "longitudeOfLastGridPointInDegrees", 10.0, "Ni", 81}, nil},
		{"south to north", []any{"jScansPositively", 1}, nil},
		{"east to west", []any{"iScansNegatively", 1}, nil},
		{"one column", []any{"Ni", 1}, nil},
		{"no increment", []any{"iDirectionIncrementInDegrees", math.MaxInt32}, nil},
		{"rows from south", []any{"latitudeOfFirstGridPointInDegrees", -90.0, "latitudeOfLastGridPointInDegrees", 90.0}, nil},
	} {
		a := attributes(t, GroupGeography, global...)
		file(t, a, GroupGeography, c.change...)
		m, err := Vocabulary(a)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := m["area"].([]float64)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: area %v, want %v", c.what, got, c.want)
		}
	}
}

func TestReproductionAndAllKeys(t *testing.T) {
	a := attributes(t, GroupGeography, "Ni", 4, "gridType", "regular_ll")
	file(t, a, GroupTime, "dataDate", 20260404)
	file(t, a, GroupStatistics, "max", 3.5)
	file(t, a, GroupIdentification, "edition", 2, "marsClass", "od", "subCentre", math.MaxInt32, "endStep", 6)
	got, _ := Reproduction(a)
	want := map[string]any{"Ni": int64(4), "gridType": "regular_ll", "dataDate": int64(20260404), "edition": int64(2), "marsClass": "od"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("grib_repro %v, want %v", got, want)
	}
	got, _ = AllKeys(a)
	want = map[string]any{
		"geography": map[string]any{"Ni": int64(4), "gridType": "regular_ll"}, "time": map[string]any{"dataDate": int64(20260404)},
		"statistics": map[string]any{"max": 3.5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("grib %v, want %v", got, want)
	}
}

func TestLabels(t *testing.T) {
	base := []any{"dataDate", 20240131, "dataTime", 1230, "hour", 12, "minute", 30, "second", 15, "level", 850.0, "typeOfLevel", "isobaricInhPa"}
	for _, c := range []struct {
		what  string
		step  []any
		valid any
		units any
	}{
		{"hours", []any{"endStep", 18, "stepUnits", 1}, "2024-02-01T06:30:15Z", "h"},
		{"minutes", []any{"endStep", 90, "stepUnits", 0}, "2024-01-31T14:00:15Z", "m"},
		{"seconds", []any{"endStep", 50, "stepUnits", 13}, "2024-01-31T12:31:05Z", "s"},
		{"a month after the 31st", []any{"endStep", 1, "stepUnits", 3}, "2024-02-29T12:30:15Z", "M"},
		{"before", []any{"endStep", -1, "stepUnits", 2}, "2024-01-30T12:30:15Z", "D"},
		{"minutes in the text", []any{"endStep", "90m", "stepUnits", 0}, "2024-01-31T14:00:15Z", "m"},
		{"seconds in the text", []any{"endStep", "5s", "stepUnits", 13}, "2024-01-31T12:30:20Z", "s"},
		{"hours as text", []any{"endStep", "18", "stepUnits", 1}, "2024-02-01T06:30:15Z", "h"},
		{"unknown unit", []any{"endStep", 1, "stepUnits", 99}, nil, nil},
	} {
		a := attributes(t, GroupIdentification, base...)
		file(t, a, GroupIdentification, c.step...)
		labels := Labels(a)
		m := labels.Map()
		if m["reference_time"] != "2024-01-31T12:30:15Z" || m["valid_time"] != c.valid || m["step_units"] != c.units {
			t.Errorf("%s: %v", c.what, m)
		}
		if m["level"] != int64(850) || m["level_type"] != "isobaricInhPa" || m["number"] != nil {
			t.Errorf("%s: level labels %v", c.what, m)
		}
	}
	a := attributes(t, GroupIdentification, "dataDate", 20240000, "dataTime", 0, "number", math.MaxInt32, "perturbationNumber", 3)
	labels := Labels(a)
	m := labels.Map()
	if !reflect.DeepEqual(m, map[string]any{"number": int64(3)}) {
		t.Errorf("a climatology's date gives %v", m)
	}
}

func TestLabelsOfDatesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		what string
		keys []any
		want map[string]any
	}{
		{"a climatology of edition 1", []any{"yearOfCentury", 255, "dataDate", 101, "dataTime", 0, "validityDate", 175, "validityTime", 0, "endStep", 0, "stepUnits", 1},
			map[string]any{"step": int64(0), "step_units": "h"}},
		{"a year of five digits", []any{"dataDate", 100000101, "dataTime", 0}, map[string]any{}},
		{"a valid time in such a year", []any{"dataDate", 99991231, "dataTime", 1200, "endStep", 48, "stepUnits", 1},
			map[string]any{"reference_time": "9999-12-31T12:00:00Z", "step": int64(48), "step_units": "h"}},
		{"the time of a forecast, in a field at a local time", []any{"dataDate", 20240501, "dataTime", 600, "hour", 12, "minute", 0, "second", 0},
			map[string]any{"reference_time": "2024-05-01T06:00:00Z"}},
		{"a time range without a step", []any{"dataDate", 20060316, "dataTime", 1200, "validityDate", 20060317, "validityTime", 600},
			map[string]any{"reference_time": "2006-03-16T12:00:00Z", "valid_time": "2006-03-17T06:00:00Z"}},
	} {
		labels := Labels(attributes(t, GroupIdentification, c.keys...))
		if got := labels.Map(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

func TestLevels(t *testing.T) {
	layer := Labels(attributes(t, GroupIdentification, "level", 0.1, "topLevel", 0.1, "bottomLevel", 0.4, "typeOfLevel", "depthBelowLandLayer"))
	want := map[string]any{"level": 0.1, "top": 0.1, "bottom": 0.4, "level_type": "depthBelowLandLayer"}
	if got := layer.Map(); !reflect.DeepEqual(got, want) {
		t.Errorf("a layer: %v, want %v", got, want)
	}
	open := Labels(attributes(t, GroupIdentification, "topLevel", 100.0, "typeOfLevel", "depthBelowLandLayer"))
	want = map[string]any{"level": int64(100), "level_type": "depthBelowLandLayer"}
	if got := open.Map(); !reflect.DeepEqual(got, want) {
		t.Errorf("a layer without a bottom: %v, want %v", got, want)
	}
	level := Labels(attributes(t, GroupIdentification, "level", 500.0, "topLevel", 500.0, "bottomLevel", 500.0))
	if got := level.Map(); !reflect.DeepEqual(got, map[string]any{"level": int64(500)}) {
		t.Errorf("a level: %v", got)
	}
}

// TestOceanLevel has the levelist of an ocean product of edition 1, which ecCodes gives as an
// integer.
func TestProduct(t *testing.T) {
	a := attributes(t, GroupProduct, "percentileValue", 10, "backgroundProcess", 255, "hoursAfterDataCutoff", math.MaxInt32,
		"localTablesVersion", 1, "timeIncrement", []int64{1, 6}, "productDefinitionTemplateNumber", 6)
	want := map[string]any{"percentileValue": int64(10), "localTablesVersion": int64(1), "timeIncrement": []int64{1, 6}, "productDefinitionTemplateNumber": int64(6)}
	if got, _ := Product(a); !reflect.DeepEqual(got, want) {
		t.Errorf("product %v, want %v", got, want)
	}
	all := Labelled{LevelType: true, Step: true, TimeRanges: 1}
	for key, want := range map[string][2]bool{ // without and with all labels
		"percentileValue": {true, true}, "section4Length": {false, false}, "forecastTime": {true, false},
		"scaledValueOfFirstFixedSurface": {true, false}, "lengthOfTimeRange": {true, false}, "timeIncrement": {true, true},
	} {
		if got := [2]bool{Labelled{}.Tells(key), all.Tells(key)}; got != want {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
}
