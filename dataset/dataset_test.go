package dataset_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// open builds the dataset of GRIB files.
func open(t testing.TB, opts dataset.Options, names ...string) (*dataset.Dataset, dataset.Fields) {
	t.Helper()
	a, err := archive.Open(t.Context(), names, archive.Options{Dataset: opts, Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if len(a.Bad) > 0 {
		t.Error(a.Bad)
	}
	return a.Set, a
}

// head is a variable as one line: t(step: 2, latitude: 73).
func head(v *dataset.Variable) string {
	if v == nil {
		return "not there"
	}
	dims := make([]string, len(v.Dims))
	for i, d := range v.Dims {
		dims[i] = fmt.Sprintf("%s: %d", d, v.Shape[i])
	}
	return fmt.Sprintf("%s(%s)", v.Name, strings.Join(dims, ", "))
}

func holes(v *dataset.Variable) (n int) {
	for _, ref := range v.Refs() {
		if ref < 0 {
			n++
		}
	}
	return n
}

// TestForecast is example 1 of the rules: 352 fields of a forecast, on 12 types of level.
func TestForecast(t *testing.T) {
	d, _ := open(t, dataset.Options{}, "../fixtures/grib/gfs_2p50_f000.grib2")
	for path, want := range map[string]struct {
		head  string
		holes int
	}{
		"t":            {"t(isobaricInhPa: 31, latitude: 73, longitude: 144)", 0},
		"absv":         {"absv(isobaricInhPa: 31, latitude: 73, longitude: 144)", 5},
		"o3mr":         {"o3mr(isobaricInhPa: 31, latitude: 73, longitude: 144)", 14},
		"wavh5":        {"wavh5(latitude: 73, longitude: 144)", 0},
		"t_surface":    {"t_surface(latitude: 73, longitude: 144)", 0},
		"t_tropopause": {"t_tropopause(latitude: 73, longitude: 144)", 0},
		"t2m":          {"t2m(latitude: 73, longitude: 144)", 0},
		"st":           {"st(depthBelowLandLayer: 4, latitude: 73, longitude: 144)", 0},
		"r_sigmaLayer": {"r_sigmaLayer(sigmaLayer: 4, latitude: 73, longitude: 144)", 0},
	} {
		v := d.Variable(path)
		if head(v) != want.head || holes(v) != want.holes {
			t.Errorf("%s: %s with %d holes, expected %s with %d", path, head(v), holes(v), want.head, want.holes)
		}
	}
	if len(d.Groups) != 1 || d.Report.Duplicates() != 0 {
		t.Errorf("%d groups, %d duplicates; expected one group and none", len(d.Groups), d.Report.Duplicates())
	}
	for line := range d.Report.Lines() {
		if line.Path == "" {
			t.Errorf("%s is not shown: %s", line.Where, line.Why)
		}
	}
	if got := d.Variable("t2m").Attr("coordinates"); got != "time step heightAboveGround_2 valid_time" {
		t.Errorf("coordinates of t2m: %q", got)
	}
	levels := values(t, d.Variable("isobaricInhPa"))
	if levels[0] != 1000 || levels[30] != 1 || !slices.IsSortedFunc(levels, func(a, b float64) int { return int(b - a) }) {
		t.Errorf("pressure levels %v, expected 1000 to 1", levels)
	}
	// Layers from 0.44 to 0.72 and to 1, from 0.33 to 1, and from 0.72 to 0.94.
	if middles := values(t, d.Variable("sigmaLayer")); !slices.Equal(middles, []float64{.58, .665, .72, .83}) {
		t.Errorf("sigma layers %v, expected their middles", middles)
	}
	if bounds := values(t, d.Variable("depthBelowLandLayer_bounds")); !slices.Equal(bounds, []float64{0, .1, .1, .4, .4, 1, 1, 2}) {
		t.Errorf("bounds of the soil layers: %v", bounds)
	}
}

func values(t *testing.T, v *dataset.Variable) []float64 {
	t.Helper()
	if v == nil {
		t.Fatal("the coordinate is not there")
	}
	data, err := v.Data()
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for i := 0; i+8 <= len(data); i += 8 {
		bits := uint64(0)
		for j := range 8 {
			bits |= uint64(data[i+j]) << (8 * j)
		}
		if v.DType == tgm.Int64 {
			out = append(out, float64(int64(bits)))
		} else {
			out = append(out, math.Float64frombits(bits))
		}
	}
	return out
}

// TestEnsemble is example 2 of the rules.
func TestEnsemble(t *testing.T) {
	const file = "../fixtures/grib/cfgrib/era5-levels-members.grib"
	d, c := open(t, dataset.Options{}, file)
	if got, want := head(d.Variable("t")), "t(number: 10, time: 4, isobaricInhPa: 2, latitude: 61, longitude: 120)"; got != want {
		t.Fatalf("%s, expected %s", got, want)
	}
	if got := head(d.Variable("valid_time")); got != "valid_time(time: 4)" {
		t.Errorf("%s, expected valid_time(time: 4)", got)
	}
	ctx := context.Background()
	// ecCodes: grib_get -w number=3,dataDate=20170102,dataTime=0,level=500,shortName=t -l 51,9,1
	got, shape, err := d.Select("t").Label("number", 3).Nearest("time", 1483315200).Label("isobaricInhPa", 500).
		Nearest("latitude", 50.8).Nearest("longitude", -351).Floats(ctx, c)
	if err != nil || len(shape) != 0 || len(got) != 1 {
		t.Fatalf("%v of shape %v, %v", got, shape, err)
	}
	all, shape, err := d.Select("t").Label("isobaricInhPa", 500).Slice("latitude", 40, 60).At("longitude", 3).Floats(ctx, c)
	if err != nil || !slices.Equal(shape, []int{10, 4, 7}) {
		t.Fatalf("shape %v, %v; expected 10 x 4 x 7", shape, err)
	}
	if at := (3*4 + 2) * 7; all[at+3] != got[0] {
		t.Errorf("the slice has %v where the point has %v", all[at:at+7], got[0])
	}
	for _, bad := range []*dataset.Selection{
		d.Select("nothing"), d.Select("t").Label("number", 99), d.Select("t").At("step", 0), d.Select("t").At("number", 10),
	} {
		if _, _, err := bad.Floats(ctx, c); err == nil {
			t.Error("a wrong selection was accepted")
		}
	}
}

// fields makes objects of labels.
func fields(entries ...map[string]any) dataset.Objects {
	return func(yield func(dataset.Object, error) bool) {
		for i, base := range entries {
			if base["name"] == nil {
				base["name"] = "x"
			}
			if base["reference_time"] == nil {
				base["reference_time"] = "2026-01-01T00:00:00Z"
			}
			o := dataset.Object{Ref: i, Where: fmt.Sprintf("field %d", i), Base: mapping.Read(base), Shape: []uint64{2}, DType: tgm.Float64}
			if !yield(o, nil) {
				return
			}
		}
	}
}

func step(hours int64, more ...any) map[string]any {
	m := map[string]any{"step": hours, "step_units": "h"}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	return m
}

func build(t *testing.T, opts dataset.Options, entries ...map[string]any) *dataset.Dataset {
	t.Helper()
	d, err := dataset.Build(fields(entries...), opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func heads(d *dataset.Dataset) (all []string) {
	for _, g := range d.Groups {
		for _, v := range g.Variables {
			if !v.Coordinate {
				all = append(all, head(v))
			}
		}
	}
	return all
}

func TestVariables(t *testing.T) {
	mars := func(key string, value any) map[string]any { return map[string]any{key: value} }
	repro := func(stepType, stepRange string) map[string]any {
		return map[string]any{"stepType": stepType, "stepRange": stepRange}
	}
	for _, test := range []struct {
		name    string
		opts    dataset.Options
		entries []map[string]any
		want    []string
	}{
		{"steps", dataset.Options{}, []map[string]any{step(0), step(6), step(3)}, []string{"x(step: 3, dim_0: 2)"}},
		{"analysis and step 0 merge", dataset.Options{},
			[]map[string]any{step(0, "mars", mars("type", "an")), step(6, "mars", mars("type", "fc"))}, []string{"x(step: 2, dim_0: 2)"}},
		{"types that collide split", dataset.Options{},
			[]map[string]any{step(0, "mars", mars("type", "an")), step(0, "mars", mars("type", "fc"))}, []string{"x(dim_0: 2)", "x_fc(dim_0: 2)"}},
		{"the control is member 0", dataset.Options{},
			[]map[string]any{step(0, "mars", mars("type", "cf")), step(0, "mars", mars("type", "pf"), "number", int64(1))},
			[]string{"x(number: 2, dim_0: 2)"}},
		{"windows", dataset.Options{},
			[]map[string]any{step(5, "grib_repro", repro("accum", "0-5")), step(5, "grib_repro", repro("accum", "4-5"))},
			[]string{"x(dim_0: 2)", "x_1h(dim_0: 2)"}},
		{"from the start", dataset.Options{},
			[]map[string]any{step(5, "grib_repro", repro("accum", "0-5")), step(6, "grib_repro", repro("accum", "0-6"))},
			[]string{"x(step: 2, dim_0: 2)"}},
		{"windows of one length", dataset.Options{},
			[]map[string]any{step(12, "grib_repro", repro("max", "6-12")), step(6, "grib_repro", repro("max", "0-6")), step(0, "grib_repro", repro("max", "0-0"))},
			[]string{"x(step: 3, dim_0: 2)"}},
		{"from the start, of several lengths", dataset.Options{}, []map[string]any{
			step(6, "grib_repro", repro("accum", "0-6")), step(12, "grib_repro", repro("accum", "0-12")), step(12, "grib_repro", repro("accum", "6-12"))},
			[]string{"x(step: 2, dim_0: 2)", "x_6h(step: 2, dim_0: 2)"}},
		{"derived kinds", dataset.Options{},
			[]map[string]any{step(0), step(0, "product", map[string]any{"derivedForecast": int64(2)})},
			[]string{"x(dim_0: 2)", "x_es(dim_0: 2)"}},
		{"what differs is in the name", dataset.Options{}, []map[string]any{
			step(0, "product", map[string]any{"instrumentType": int64(207), "satelliteNumber": int64(51), "scaledValueOfCentralWaveNumber": int64(10800)}),
			step(0, "product", map[string]any{"instrumentType": int64(207), "satelliteNumber": int64(51), "scaledValueOfCentralWaveNumber": int64(12000)}),
			step(0, "product", map[string]any{"instrumentType": int64(207), "satelliteNumber": int64(52), "scaledValueOfCentralWaveNumber": int64(10800)})},
			[]string{"x(dim_0: 2)", "x_12000(dim_0: 2)", "x_52(dim_0: 2)"}},
		{"windows of other statistics", dataset.Options{}, []map[string]any{
			step(12, "grib_repro", repro("accum", "6-12")), step(12, "grib_repro", repro("diff", "6-12")), step(12, "grib_repro", repro("rms", "6-12"))},
			[]string{"x(dim_0: 2)", "x_6h(dim_0: 2)", "x_6h_rms(dim_0: 2)"}},
		{"percentiles", dataset.Options{},
			[]map[string]any{step(0, "product", map[string]any{"percentileValue": int64(10)}), step(0, "product", map[string]any{"percentileValue": int64(90)})},
			[]string{"x(percentile: 2, dim_0: 2)"}},
		{"thresholds", dataset.Options{}, []map[string]any{
			step(0, "product", map[string]any{"scaleFactorOfLowerLimit": int64(1), "scaledValueOfLowerLimit": int64(5)}),
			step(0, "product", map[string]any{"scaleFactorOfLowerLimit": int64(0), "scaledValueOfLowerLimit": int64(1)})},
			[]string{"x(threshold: 2, dim_0: 2)"}},
		{"valid time", dataset.Options{Time: dataset.TimeValid}, []map[string]any{
			step(0, "valid_time", "2026-01-01T00:00:00Z"), step(6, "valid_time", "2026-01-01T06:00:00Z")},
			[]string{"x(valid_time: 2, dim_0: 2)"}},
		{"always times", dataset.Options{AlwaysTime: true}, []map[string]any{step(0)}, []string{"x(time: 1, step: 1, dim_0: 2)"}},
		{"level 0 beside others of a type that is not known", dataset.Options{},
			[]map[string]any{step(0, "level_type", "other", "level", int64(0)), step(0, "level_type", "other", "level", int64(5))},
			[]string{"x(other: 2, dim_0: 2)"}},
		{"level 0 alone", dataset.Options{}, []map[string]any{step(0, "level_type", "other", "level", int64(0))}, []string{"x(dim_0: 2)"}},
		{"a layer without a bottom", dataset.Options{}, []map[string]any{
			step(0, "level_type", "depthBelowLandLayer", "top", int64(28), "bottom", int64(100)), step(0, "level_type", "depthBelowLandLayer")},
			[]string{"x(dim_0: 2)", "x_1(dim_0: 2)"}},
		{"a layer whose bottom is missing, beside others", dataset.Options{}, []map[string]any{
			step(0, "level_type", "depthBelowLandLayer", "top", int64(28), "bottom", int64(100)), step(0, "level_type", "depthBelowLandLayer", "level", int64(100))},
			[]string{"x(depthBelowLandLayer: 2, dim_0: 2)"}},
		{"days of a climatology", dataset.Options{}, []map[string]any{
			step(0, "reference_time", "", "mars", mars("date", int64(402))), step(0, "reference_time", "", "mars", mars("date", int64(401)))},
			[]string{"x(dim_0: 2)", "x_401(dim_0: 2)"}},
		{"intervals that differ in the end that the file says", dataset.Options{}, []map[string]any{
			step(24, "valid_time", "2026-01-02T00:00:00Z"), step(24, "valid_time", "2026-01-03T00:00:00Z"), step(48, "valid_time", "2026-01-04T00:00:00Z")},
			[]string{"x(step: 2, dim_0: 2)", "x_1(step: 2, dim_0: 2)"}},
		{"some without a step", dataset.Options{}, []map[string]any{step(0), step(6), {"name": "x"}}, []string{"x(step: 2, dim_0: 2)", "x_1(dim_0: 2)"}},
		{"CF names", dataset.Options{Names: dataset.NamesCF},
			[]map[string]any{step(0, "name", "2t", "number", int64(0)), step(6, "name", "2t", "number", int64(1)), step(6, "name", "2t", "number", int64(0)), step(0, "name", "2t", "number", int64(1))},
			[]string{"t2m(realization: 2, forecast_period: 2, dim_0: 2)"}},
	} {
		d := build(t, test.opts, test.entries...)
		if got := heads(d); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, expected %v", test.name, got, test.want)
		}
		if d.Report.Duplicates() != 0 {
			t.Errorf("%s: %d duplicates", test.name, d.Report.Duplicates())
		}
	}
}

// Variables of one step that are valid at different times have a time of validity each. Variables
// with the same share it.
func TestTimesOfValidity(t *testing.T) {
	at := func(name string, hours int64, valid string) map[string]any {
		return step(hours, "name", name, "valid_time", "2026-01-"+valid+":00:00Z")
	}
	d := build(t, dataset.Options{}, at("a", 12, "01T12"), at("a", 24, "02T00"), at("b", 12, "01T18"), at("b", 24, "02T06"),
		at("c", 12, "01T18"), at("c", 24, "02T06"), at("d", 12, "01T12"))
	for name, want := range map[string]string{"a": "valid_time", "b": "valid_time_1", "c": "valid_time_1", "d": "valid_time"} {
		coordinates, _ := d.Variable(name).Attr("coordinates").(string)
		if got := strings.Fields(coordinates); !slices.Contains(got, want) {
			t.Errorf("%s has the coordinates %v, expected %s", name, got, want)
		}
	}
	start := float64(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	for name, want := range map[string][]float64{"valid_time": {start + 12*3600, start + 24*3600}, "valid_time_1": {start + 18*3600, start + 30*3600}} {
		if got := values(t, d.Variable(name)); !slices.Equal(got, want) {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
}

// Steps of more than 292 years have no type in xarray, which does not open a dataset that declares it.
func TestLongSteps(t *testing.T) {
	d := build(t, dataset.Options{}, map[string]any{"step": int64(1), "step_units": "C", "valid_time": "2126-01-01T00:00:00Z"},
		map[string]any{"step": int64(4), "step_units": "C", "valid_time": "2426-01-01T00:00:00Z"})
	v := d.Variable("step")
	if v == nil || v.Attr("units") != "s" || v.Attr("dtype") != nil {
		t.Fatalf("step is %v", v)
	}
	const century = 36524 * 86400
	if got := values(t, v); !slices.Equal(got, []float64{century, 4*century + 86400}) {
		t.Errorf("steps %v, expected one century and four", got)
	}
}

// The values of layers are tops, middles or bottoms: the first of these that no two layers share.
func TestValuesOfLayers(t *testing.T) {
	for _, test := range []struct{ layers, want []float64 }{
		{[]float64{0, 7, 7, 28}, []float64{0, 7}},
		{[]float64{0, 100, 0, 300}, []float64{50, 150}},
		{[]float64{0, 30, 0, 90, 30, 60}, []float64{30, 60, 90}},
		{[]float64{0, 30, 0, 90, 30, 60, 50, 60}, []float64{0, 0, 30, 50}},
	} {
		var entries []map[string]any
		for i := 0; i < len(test.layers); i += 2 {
			entries = append(entries, step(0, "level_type", "other", "top", test.layers[i], "bottom", test.layers[i+1]))
		}
		if got := values(t, build(t, dataset.Options{}, entries...).Variable("other")); !slices.Equal(got, test.want) {
			t.Errorf("layers %v: %v, expected %v", test.layers, got, test.want)
		}
	}
}

// Numbers of levels of edition 1 are in other units than in edition 2.
func TestUnitsOfLevels(t *testing.T) {
	d, _ := open(t, dataset.Options{}, "../fixtures/grib/cfgrib/soil-surface-level-mix.grib")
	if v := d.Variable("depthBelowLandLayer_7"); v == nil || v.Attr("units") != "cm" {
		t.Errorf("the layer from 7 to 28 cm is %v", v)
	}
	if v := d.Variable("depthBelowLandLayer_100"); v == nil || v.Attr("units") != "cm" {
		t.Errorf("the layer from 100 cm is %v", v)
	}
	d = build(t, dataset.Options{}, step(0, "level_type", "depthBelowLandLayer", "top", int64(28), "bottom", int64(100)),
		step(0, "level_type", "depthBelowLandLayer", "level", int64(100)))
	if got := values(t, d.Variable("depthBelowLandLayer_bounds")); !slices.Equal(got[:3], []float64{28, 100, 100}) || !math.IsNaN(got[3]) {
		t.Errorf("bounds %v, expected 28 to 100, and from 100", got)
	}
	d, _ = open(t, dataset.Options{}, "../fixtures/grib/gfs_2p50_f000.grib2")
	if got := d.Variable("depthBelowLandLayer").Attr("units"); got != "m" {
		t.Errorf("layers of edition 2 are in %v", got)
	}
}

// Constituents that have one parameter have standard names of their own, if there are any.
func TestConstituents(t *testing.T) {
	d, _ := open(t, dataset.Options{}, "../fixtures/grib/earthkit/chem-cams.grib")
	var got []string
	for _, v := range d.Groups[0].Variables {
		if v.Attr("GRIB_shortName") != nil {
			got = append(got, fmt.Sprint(v.Attr("GRIB_constituentType"), " ", v.Attr("standard_name")))
		}
	}
	slices.Sort(got)
	if want := []string{"0 mass_fraction_of_ozone_in_air", "4 mass_fraction_of_carbon_monoxide_in_air", "7 <nil>"}; !slices.Equal(got, want) {
		t.Errorf("constituents and names %q, expected %q", got, want)
	}
}

func TestDuplicates(t *testing.T) {
	for which, shown := range map[dataset.Duplicates]int{dataset.DuplicatesLast: 1, dataset.DuplicatesFirst: 0} {
		d := build(t, dataset.Options{Duplicates: which}, step(0), step(0))
		if ref, ok := d.Variable("x").Ref([]uint64{0}); !ok || ref != shown {
			t.Errorf("%v: object %d is shown, expected %d", which, ref, shown)
		}
		hidden := 0
		for line := range d.Report.Lines() {
			if line.Why != "" {
				hidden++
			}
		}
		if d.Report.Duplicates() != 1 || hidden != 1 {
			t.Errorf("%v: %d duplicates, %d hidden; expected 1", which, d.Report.Duplicates(), hidden)
		}
	}
	if _, err := dataset.Build(fields(step(0), step(0)), dataset.Options{Duplicates: dataset.DuplicatesError}); err == nil || !strings.Contains(err.Error(), "field 0 and field 1") {
		t.Errorf("error %v, expected both fields by name", err)
	}
}

// A variable with few of its combinations is split into full blocks.
func TestSparseVariablesAreSplit(t *testing.T) {
	var entries []map[string]any
	for i := range int64(20) {
		entries = append(entries, step(i, "number", i))
	}
	d := build(t, dataset.Options{}, entries...)
	if got := len(heads(d)); got < 2 {
		t.Errorf("%v, expected several variables", heads(d))
	}
	shown := 0
	for line := range d.Report.Lines() {
		if line.Path != "" {
			shown++
		}
	}
	if shown != 20 {
		t.Errorf("%d of 20 objects are shown", shown)
	}
	if got := d.Report.Splits(); len(got) != 1 || !strings.Contains(got[0], "20 fields are 5 %") {
		t.Errorf("the report says %q, expected one split of 20 fields, 5 %% of the combinations", got)
	}
}

func TestPrint(t *testing.T) {
	var out strings.Builder
	if err := build(t, dataset.Options{}, step(0), step(6)).Print(t.Context(), &out, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Dimensions:  (step: 2, dim_0: 2)", "  * step                     (step) int64 0s 6h", "time                     int64 2026-01-01T00:00:00", "    x                        (step, dim_0) float64"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// A parameter that ecCodes does not know has a name with its numbers, and ecCodes' short name.
func TestUnknownParameter(t *testing.T) {
	d, _ := open(t, dataset.Options{}, "../fixtures/grib/gfs_2p50_f000.grib2")
	v := d.Variable("unknown_0_3_196")
	if v == nil || v.Attr("GRIB_shortName") != "unknown" {
		t.Errorf("unknown_0_3_196 is %v", v)
	}
}
