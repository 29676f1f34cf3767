package grib_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// encoders are all ways to write integers.
func encoders() []grib.Encoder {
	return []grib.Encoder{
		{Packing: grib.PackSimple}, {Packing: grib.PackCCSDS}, {Packing: grib.PackComplex},
		{Packing: grib.PackComplex, SpatialDifferencing: 1}, {Packing: grib.PackComplex, SpatialDifferencing: 2},
	}
}

// draft is a field on a grid of 1 degree over Europe, with no values yet.
func draft(t testing.TB, points *int) grib.Draft {
	t.Helper()
	g, err := geometry.FromGeometry(map[string]any{
		"gridType": "regular_ll", "edition": 2, "gridDefinitionTemplateNumber": 0, "numberOfDataPoints": 61 * 41, "Ni": 61, "Nj": 41,
		"scanningMode": 0, "shapeOfTheEarth": 6, "earthIsOblate": 0, "radius": 6371229,
		"latitudeOfFirstGridPointInDegrees": 70, "longitudeOfFirstGridPointInDegrees": 345, "latitudeOfLastGridPointInDegrees": 30,
		"longitudeOfLastGridPointInDegrees": 45, "iDirectionIncrementInDegrees": 1, "jDirectionIncrementInDegrees": 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	d := grib.Draft{}
	if d.Grid, err = g.Section(false); err != nil {
		t.Fatal(err)
	}
	id := grib.Identification{Centre: 98, Significance: 1, Time: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), TypeOfData: 1}
	if d.Identification, err = id.Section(); err != nil {
		t.Fatal(err)
	}
	d.Product, err = grib.ProductSection(0, map[string]int64{
		"typeOfGeneratingProcess": 2, "generatingProcessIdentifier": 153, "indicatorOfUnitForForecastTime": 1, "forecastTime": 6,
		"typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 2,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	*points = g.NumberOfDataPoints
	return d
}

// temperatures are smooth values with noise.
func temperatures(n int) []float64 {
	rng := rand.New(rand.NewPCG(3, 1))
	v := make([]float64, n)
	for i := range v {
		v[i] = 280 + 20*math.Sin(float64(i)/61/7)*math.Cos(float64(i%61)/11) + 0.3*rng.NormFloat64()
	}
	return v
}

// onlyField parses a message of one field.
func onlyField(t testing.TB, b []byte) *grib.Field {
	t.Helper()
	m, err := grib.ParseMessage(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Fields()) != 1 || len(m.Data) != len(b) {
		t.Fatalf("%d fields in %d of %d bytes", len(m.Fields()), len(m.Data), len(b))
	}
	return m.Fields()[0]
}

// TestEncodeValues writes values in every packing, with and without missing points, and reads them.
func TestEncodeValues(t *testing.T) {
	var n int
	d := draft(t, &n)
	all := append(encoders(), grib.Encoder{Packing: grib.PackIEEE32}, grib.Encoder{Packing: grib.PackIEEE64})
	for _, e := range all {
		for _, bits := range []int{1, 7, 12, 16, 24, 32} {
			for _, gaps := range []bool{false, true} {
				e.Bits, e.DecimalScale = bits, bits%3-1
				d.Values, d.Missing = temperatures(n), nil
				if gaps {
					d.Missing = bitmask.New(n)
					for i := 5; i < n; i += 3 {
						d.Missing.Set(i)
					}
					d.Values[0] = math.NaN()
				}
				checkValues(t, e, d)
			}
		}
	}
}

func checkValues(t *testing.T, e grib.Encoder, d grib.Draft) {
	t.Helper()
	b, err := e.Encode(nil, d)
	if err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
	got, missing, err := onlyField(t, b).Decode(nil)
	if err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
	lo, hi := slices.Min(d.Values[1:]), slices.Max(d.Values[1:])
	tolerance := 1.01 * (hi - lo) / float64(uint64(1)<<e.Bits-1)
	switch e.Packing {
	case grib.PackIEEE32:
		tolerance = 2e-5
	case grib.PackIEEE64:
		tolerance = 0
	default:
		tolerance += 1e-4 // of the reference, a float of 32 bits
	}
	for i, v := range d.Values {
		gone := math.IsNaN(v) || d.Missing.Get(i)
		if gone != missing.Get(i) || !gone && !(math.Abs(got[i]-v) <= tolerance) {
			t.Errorf("%+v: value %d is %v (missing: %v), expected %v (missing: %v) to %v", e, i, got[i], missing.Get(i), v, gone, tolerance)
			return
		}
	}
}

// TestEncodeSeveral: sections that are the same are not repeated.
func TestEncodeSeveral(t *testing.T) {
	var n int
	a := draft(t, &n)
	a.Values = temperatures(n)
	b := a
	b.Values = slices.Repeat([]float64{5}, n)
	message, err := grib.Encoder{}.Encode([]byte("before"), a, b, a)
	if err != nil {
		t.Fatal(err)
	}
	m, err := grib.ParseMessage(message[len("before"):], 0)
	if err != nil || len(m.Fields()) != 3 {
		t.Fatalf("%v, expected a message of three fields", err)
	}
	if v, _, err := m.Fields()[1].Decode(nil); err != nil || !slices.Equal(v, b.Values) {
		t.Errorf("the constant field: %v, error %v", v[:3], err)
	}
	if m.Fields()[2].Sections()[2].Offset != m.Fields()[0].Sections()[2].Offset {
		t.Error("section 3 is repeated")
	}
}

// TestRepack writes every field of the samples that has integers in every packing, and expects the
// same values.
func TestRepack(t *testing.T) {
	fields := 0
	for _, name := range fixtures(t) {
		f, err := grib.Open(name, grib.WithSkipBad())
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range f.Messages() {
			if err != nil || m.Edition != 2 || len(m.Data) > 1<<20 {
				continue
			}
			for _, field := range m.Fields()[:1] {
				if repack(t, fmt.Sprint(name, " ", m.Index), field) {
					fields++
				}
			}
		}
		f.Close()
	}
	if t.Logf("%d fields", fields); fields < 300 {
		t.Errorf("%d fields, expected 300 and more", fields)
	}
}

func repack(t *testing.T, name string, f *grib.Field) bool {
	t.Helper()
	want, _, err := f.Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.Header().Draft()
	if err != nil {
		t.Fatal(err)
	}
	if d.Quantised, err = f.Integers(); err != nil {
		return false
	}
	for _, e := range encoders() {
		b, err := e.Encode(nil, d)
		if err != nil {
			t.Errorf("%s, %+v: %v", name, e, err)
			continue
		}
		got, _, err := onlyField(t, b).Decode(nil)
		if err != nil || !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("%s, %+v: other values (%v)", name, e, err)
		}
	}
	return true
}

func TestEncodeRefuses(t *testing.T) {
	var n int
	good := draft(t, &n)
	good.Values = temperatures(n)
	for name, change := range map[string]func(*grib.Draft, *grib.Encoder){
		"no values":        func(d *grib.Draft, _ *grib.Encoder) { d.Values = nil },
		"too few values":   func(d *grib.Draft, _ *grib.Encoder) { d.Values = d.Values[1:] },
		"no grid":          func(d *grib.Draft, _ *grib.Encoder) { d.Grid = nil },
		"product for grid": func(d *grib.Draft, _ *grib.Encoder) { d.Grid = d.Product },
		"33 bits":          func(_ *grib.Draft, e *grib.Encoder) { e.Bits = 33 },
		"order 3":          func(_ *grib.Draft, e *grib.Encoder) { e.Packing, e.SpatialDifferencing = grib.PackComplex, 3 },
		"packing 9":        func(_ *grib.Draft, e *grib.Encoder) { e.Packing = 9 },
		"infinity":         func(d *grib.Draft, _ *grib.Encoder) { d.Values = slices.Clone(d.Values); d.Values[3] = math.Inf(1) },
		"discipline":       func(d *grib.Draft, _ *grib.Encoder) { d.Discipline = 300 },
		"a short mask":     func(d *grib.Draft, _ *grib.Encoder) { d.Missing = bitmask.New(7) },
		"integers too wide": func(d *grib.Draft, _ *grib.Encoder) {
			d.Quantised = &grib.Quantised{N: n, Bits: 3, Samples: slices.Repeat([]uint32{8}, n)}
		},
		"reference": func(d *grib.Draft, _ *grib.Encoder) { d.Quantised = &grib.Quantised{N: n, Reference: math.Pi} },
	} {
		d, e := good, grib.Encoder{}
		change(&d, &e)
		var build *grib.BuildError
		if b, err := e.Encode(nil, d); !errors.As(err, &build) || b != nil {
			t.Errorf("%s: %v, expected a BuildError", name, err)
		}
	}
	for name, keys := range map[string]map[string]int64{
		"unknown": {"shortName": 3}, "too large": {"parameterNumber": 256}, "negative": {"parameterNumber": -1}, "no range": {"numberOfTimeRanges": -1},
	} {
		if _, err := grib.ProductSection(8, keys, nil); err == nil {
			t.Errorf("%s key: no error", name)
		}
	}
	if _, err := grib.ProductSection(99, nil, nil); err == nil {
		t.Error("template 4.99: no error")
	}
}
