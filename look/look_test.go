package look_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

func list(t testing.TB, file string, opts look.Options) []*look.Field {
	t.Helper()
	l := look.NewLister(opts)
	if !filepath.IsAbs(file) {
		file = filepath.Join("../fixtures", file)
	}
	a, err := archive.List(t.Context(), []string{file}, archive.Options{Select: l.Add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	fields, err := l.Fields(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

func clauses(t testing.TB, text string) mapping.Clauses {
	t.Helper()
	c, err := mapping.ParseClauses([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestGRIB(t *testing.T) {
	fields := list(t, "grib/gfs_2p50_f000.grib2", look.Options{Where: clauses(t, "shortName=t,level>=500,level<=850")})
	if len(fields) == 0 {
		t.Fatal("no fields")
	}
	for _, f := range fields {
		if f.Name != "t" || f.Units != "K" || f.LongName != "Temperature" || f.Level.Value < 500 || f.Level.Value > 850 {
			t.Errorf("%s %s %q at %v", f.Name, f.Units, f.LongName, f.Level)
		}
	}
	f := fields[len(fields)-1]
	g, err := f.Grid(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	values, err := f.Values(t.Context())
	if err != nil || len(values) != g.Len() {
		t.Fatalf("%d values on a grid of %d points: %v", len(values), g.Len(), err)
	}
	i, err := g.Nearest(51.1, 9.9)
	if err != nil {
		t.Fatal(err)
	}
	if lat, lon, err := g.Places().At(i); err != nil || lat != 50 || lon != 10 {
		t.Errorf("the point nearest to 51.1 N 9.9 E lies at %v, %v", lat, lon)
	}
	if want := "2017-03-22 00:00 +0h"; f.Labels()[:len(want)] != want {
		t.Errorf("labels %q, expected %q and the level", f.Labels(), want)
	}
}

func TestSlices(t *testing.T) {
	whole := list(t, "netcdf/cf_temperature.nc", look.Options{})
	if len(whole) != 1 || len(whole[0].Shape) != 3 || whole[0].HasGrid() {
		t.Fatalf("%d fields of a file with one variable of three axes", len(whole))
	}
	all, err := whole[0].Values(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slicesOf := list(t, "netcdf/cf_temperature.nc", look.Options{Slices: true})
	if len(slicesOf) != 3 {
		t.Fatalf("%d slices, expected 3", len(slicesOf))
	}
	for i, f := range slicesOf {
		values, err := f.Values(t.Context())
		if err != nil || !slices.Equal(values, all[20*i:20*i+20]) {
			t.Errorf("slice %d: %v, %v", i, values, err)
		}
		if want := fmt.Sprintf("2020-01-%02d 00:00", i+1); f.Labels() != want {
			t.Errorf("slice %d has the labels %q, expected %q", i, f.Labels(), want)
		}
		if g, err := f.Grid(t.Context()); err != nil || !g.Separable || g.Len() != 20 {
			t.Errorf("slice %d: grid %v, %v", i, g, err)
		}
	}
	one := list(t, "netcdf/cf_temperature.nc", look.Options{Slices: true, Where: clauses(t, "time>2020-01-02T12")})
	if len(one) != 1 {
		t.Errorf("%d slices after 2 January, expected 1", len(one))
	}
}

// TestText demands that texts of values read back as the values, and are no longer than they must
// be.
func TestText(t *testing.T) {
	f := list(t, "grib/2t.grib2", look.Options{})[0]
	e, err := f.Elements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < e.Len(); i += 997 {
		var back float64
		if _, err := fmt.Sscan(string(e.AppendText(nil, i)), &back); err != nil || back != e.Float(i) {
			t.Fatalf("value %v is written as %s", e.Float(i), e.AppendText(nil, i))
		}
	}
}

func TestDescribeDegenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, values := range [][]float64{nil, {nan}, {inf, -inf}, {1}, {1, 1}, {-math.MaxFloat64, math.MaxFloat64}, {5e-324, 0}} {
		s := look.Describe(slices.Clone(values), nil, 20)
		total := 0.0
		if s.Histogram != nil {
			for _, n := range s.Histogram.Counts {
				total += n
			}
		}
		if int(total) != s.Count-s.Missing-s.Infinite {
			t.Errorf("%v: %v of %d values are in the histogram", values, total, s.Count)
		}
	}
}

// TestArrays: arrays with names for their axes are fields of their own kind, or have slices.
func TestArrays(t *testing.T) {
	if n := len(list(t, "tgm/named_axes.tgm", look.Options{Slices: true})); n != 9 {
		t.Errorf("%d slices, expected 3 steps of 2 levels and of a field without one", n)
	}
	fields := list(t, "tgm/named_axes.tgm", look.Options{Slices: true, Arrays: true, Where: clauses(t, "name=ta,step=12")})
	if len(fields) != 2 {
		t.Fatalf("%d slices, expected 2", len(fields))
	}
	for i, level := range []float64{1000, 850} {
		f := fields[i]
		if f.Level.Value != level || f.LevelType != "isobaricInhPa" || f.Step.Value.Hours() != 12 || !f.HasGrid() || f.Attributes["standard_name"] != "air_temperature" {
			t.Errorf("slice %d: level %v %s, step %v, attributes %v", i, f.Level, f.LevelType, f.Step, f.Attributes)
		}
	}
}

// TestPackedFloats: floating-point numbers with a factor are packed numbers too, in a netCDF file
// and in the message that it becomes.
func TestPackedFloats(t *testing.T) {
	const file = "netcdf/tetration_cf_3d.nc"
	message := filepath.Join(t.TempDir(), "a.tgm")
	out, err := os.Create(message)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	source := fromnetcdf.New([]importers.Input{{Name: filepath.Join("../fixtures", file)}}, fromnetcdf.Options{})
	defer source.Close()
	if _, err := importers.Convert(t.Context(), source, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	opts := look.Options{Where: clauses(t, "name=temperature")}
	want, err := list(t, file, opts)[0].Values(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := list(t, message, opts)[0]
	got, err := f.Values(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) || got[0] > -27300 {
		t.Errorf("values of the message begin with %v, of the file with %v", got[:3], want[:3])
	}
	elements, err := f.Elements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if elements.Float(0) != want[0] {
		t.Errorf("first element %v, expected %v", elements.Float(0), want[0])
	}
}

// TestLargePackedFloats: large fields, which are read part by part, are unpacked too.
func TestLargePackedFloats(t *testing.T) {
	const n = 3 << 20
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i % 100)
	}
	message := filepath.Join(t.TempDir(), "a.tgm")
	out, err := os.Create(message)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
	array := tgm.ArrayOf(values)
	object, err := tgm.EncodeArray(array, tgm.Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	packed := map[string]any{"name": "t", "netcdf": map[string]any{"scale_factor": 0.5, "add_offset": 10.0}}
	if err := w.Append(object, packed); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := list(t, message, look.Options{})[0]
	s, err := f.Describe(t.Context(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	elements, err := f.Elements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Min != 10 || s.Max != 59.5 || elements.Float(n-1) != 10+0.5*values[n-1] {
		t.Errorf("%v to %v, the last %v, expected 10 to 59.5, %v", s.Min, s.Max, elements.Float(n-1), 10+0.5*values[n-1])
	}
}

// TestAreaMeans compares with means that numpy computed from the coordinates of ecCodes: with the
// differences of sines halfway between parallels.
func TestAreaMeans(t *testing.T) {
	for file, want := range map[string]float64{
		"grib/2t.grib2": 287.462401495, "grib/cfgrib/reduced_gg.grib": -0.513838852285,
		"grib/cfgrib/lambert_grid.grib": -2456671.56329, // by the scale of the projection
	} {
		fields := list(t, file, look.Options{})
		s, err := fields[0].Describe(t.Context(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.AreaMean-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s: %.12g, expected %.12g, mean %.12g, %s", file, s.AreaMean, want, s.Mean, s.NoAreaMean)
		}
	}
	for file, want := range map[string]string{"grib/cfgrib/spherical_harmonics.grib": "grid"} {
		s, err := list(t, file, look.Options{})[0].Describe(t.Context(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if s.AreaMean == s.AreaMean || !strings.Contains(s.NoAreaMean, want) {
			t.Errorf("%s: %v, %q", file, s.AreaMean, s.NoAreaMean)
		}
	}
}
