package dataset_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// onGrid is a dataset of one field on a grid of three columns and two rows.
func onGrid(t *testing.T, parameters map[string]any) *dataset.Dataset {
	t.Helper()
	m := map[string]any{
		"edition": int64(2), "numberOfDataPoints": int64(6), "Nx": int64(3), "Ny": int64(2), "scanningMode": int64(64),
		"shapeOfTheEarth": int64(6), "earthIsOblate": int64(0), "radius": 6371229.0,
		"latitudeOfFirstGridPointInDegrees": 50.0, "longitudeOfFirstGridPointInDegrees": 10.0,
	}
	for key, value := range parameters {
		m[key] = value
	}
	if _, err := geometry.FromGeometry(m); err != nil {
		t.Fatal(err)
	}
	base := map[string]any{"name": "t", "reference_time": "2026-01-01T00:00:00Z", "geometry": m}
	d, err := dataset.Build(func(yield func(dataset.Object, error) bool) {
		yield(dataset.Object{Where: "f", Base: mapping.Read(base), Shape: []uint64{2, 3}, DType: tgm.Float32}, nil)
	}, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCoordinateReferenceSystems(t *testing.T) {
	lambert := map[string]any{"gridType": "lambert", "gridDefinitionTemplateNumber": int64(30), "LaDInDegrees": 50.0, "LoVInDegrees": 10.0,
		"Latin1InDegrees": 50.0, "Latin2InDegrees": 50.0, "DxInMetres": 2000.0, "DyInMetres": 3000.0}
	polar := map[string]any{"gridType": "polar_stereographic", "gridDefinitionTemplateNumber": int64(20), "LaDInDegrees": 60.0,
		"orientationOfTheGridInDegrees": 10.0, "DxInMetres": 2000.0, "DyInMetres": 3000.0, "projectionCentreFlag": int64(128),
		"latitudeOfFirstGridPointInDegrees": -90.0}
	for _, test := range []struct {
		name       string
		parameters map[string]any
		key        string
		want       any
		wkt        string
	}{
		{"one parallel is a number", lambert, "standard_parallel", 50.0, `METHOD["Lambert Conic Conformal (2SP)",ID["EPSG",9802]]`},
		{"the South Pole", polar, "latitude_of_projection_origin", -90.0, `PARAMETER["Latitude of standard parallel",-60,`},
	} {
		d := onGrid(t, test.parameters)
		crs := d.Variable("crs")
		if got := crs.Attr(test.key); got != test.want {
			t.Errorf("%s: %s is %v, expected %v", test.name, test.key, got, test.want)
		}
		if wkt, _ := crs.Attr("crs_wkt").(string); !strings.Contains(wkt, test.wkt) {
			t.Errorf("%s: no %s in %s", test.name, test.wkt, wkt)
		}
		x, _, err := d.Select("x").Floats(t.Context(), nil)
		if err != nil || math.Abs(x[0]) > 1e-6 || math.Abs(x[2]-4000) > 1e-6 {
			t.Errorf("%s: x is %v, %v", test.name, x, err)
		}
	}
}

// Fields of hybrid levels have the coefficients of their pressure.
func TestHybridCoefficients(t *testing.T) {
	level := func(n int64) map[string]any {
		return step(0, "level", n, "level_type", "hybrid", "grib_repro", map[string]any{"pv": []any{0.0, 20.0, 0.0, 0.0, 0.5, 1.0}})
	}
	d := build(t, dataset.Options{}, level(1), level(2))
	if got := d.Variable("hybrid").Attr("formula_terms"); got != "ap: ap b: b" {
		t.Errorf("formula_terms is %v", got)
	}
	b, _, err := d.Select("b").Floats(t.Context(), nil)
	if err != nil || b[0] != 0.25 || b[1] != 0.75 {
		t.Errorf("b is %v, %v; expected 0.25 and 0.75", b, err)
	}
	if d := build(t, dataset.Options{}, level(2), level(3)); d.Variable("b") != nil {
		t.Error("level 3 of 2 has coefficients")
	}
}

// If two variables have half of the times each, the times are one axis.
func TestTimesAreJoined(t *testing.T) {
	at := func(name, time string) map[string]any { return step(0, "name", name, "reference_time", time) }
	d := build(t, dataset.Options{}, at("a", "2026-01-01T00:00:00Z"), at("a", "2026-02-01T00:00:00Z"),
		at("b", "2026-01-31T00:00:00Z"), at("b", "2026-02-28T00:00:00Z"))
	if v := d.Variable("b"); v.Dims[0] != "time" || v.Shape[0] != 4 {
		t.Errorf("b is %v of %v, expected time of 4", v.Dims, v.Shape)
	}
}
