package extract_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tgmconv/tgmconv/extract"
)

func statisticsOf(t *testing.T, names ...string) (list []extract.Statistic) {
	t.Helper()
	for _, name := range names {
		s, err := extract.ParseStatistic(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// TestSummed takes statistics over members. The numbers are from numpy.mean, std and percentile of the
// values that ecCodes decodes, see interop/extract/check_statistics.py.
func TestSummed(t *testing.T) {
	fields := list(t, "grib/cfgrib/era5-levels-members.grib")
	names := []string{"mean", "std", "min", "max", "median", "p10", "count"}
	selection := extract.Selection{Places: []extract.Place{{Lat: 50.1, Lon: 8.7}}}
	var values []float64
	for r, err := range extract.Points(t.Context(), fields, selection) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Name == "t" && r.Level.Value == 850 && r.ValidTime == "2017-01-01T00:00:00Z" {
			values = append(values, r.Value)
		}
	}
	if len(values) != 10 {
		t.Fatalf("%d members", len(values))
	}
	found := make(map[string]extract.Record)
	records := extract.Summed(extract.Points(t.Context(), fields, selection), []extract.Dimension{extract.OverNumber}, statisticsOf(t, names...))
	for r, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		if r.Number.Known {
			t.Errorf("%s has a number", r.Name)
		}
		if strings.HasPrefix(r.Name, "t_") && r.Level.Value == 850 && r.ValidTime == "2017-01-01T00:00:00Z" {
			found[r.Name] = r
		}
	}
	if len(found) != len(names) {
		t.Fatalf("found %d statistics, expected %d", len(found), len(names))
	}
	sum, least := 0.0, math.Inf(1)
	for _, v := range values {
		sum, least = sum+v, min(least, v)
	}
	if d := found["t_mean"].Value - sum/10; math.Abs(d) > 1e-9 {
		t.Errorf("the mean differs by %v", d)
	}
	if r := found["t_min"]; r.Value != least || r.Units != "K" || r.Statistic != "min over number" {
		t.Errorf("%+v", r)
	}
	if r := found["t_count"]; r.Value != 10 || r.Units != "1" {
		t.Errorf("%+v", r)
	}
}

// TestSummedErrors refuses absent dimensions, and unknown statistics.
func TestSummedErrors(t *testing.T) {
	points := extract.Points(t.Context(), list(t, "grib/2t.grib2"), extract.Selection{Positions: [][]uint64{{5}}})
	for _, err := range extract.Summed(points, []extract.Dimension{extract.OverNumber}, statisticsOf(t, "mean")) {
		if err == nil || !strings.Contains(err.Error(), "no field has a number") {
			t.Error(err)
		}
	}
	twice := append(list(t, "grib/2t.grib2"), list(t, "grib/2t.grib2")...)
	points = extract.Points(t.Context(), twice, extract.Selection{Positions: [][]uint64{{5}}})
	for _, err := range extract.Summed(points, []extract.Dimension{extract.OverStep}, statisticsOf(t, "mean")) {
		if err == nil || !strings.Contains(err.Error(), "several fields named 2t") {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "p", "p101", "p-1", "pNaN", "mode"} {
		if s, err := extract.ParseStatistic(name); err == nil {
			t.Errorf("%q is %v", name, s.Name)
		}
	}
}

// TestMeanAndDeviation compares both with gonum. A variance that rounding makes negative must not
// give NaN.
func TestMeanAndDeviation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 300; n++ {
		values, equal := make([]float64, n), slices.Repeat([]float64{1e9 * r.Float64()}, n)
		for i := range values {
			values[i] = 280 + 10*r.NormFloat64()
		}
		for _, x := range [][]float64{values, equal} {
			wantMean, wantStd := stat.PopMeanStdDev(x, nil)
			if math.IsNaN(wantStd) {
				wantStd = 0
			}
			for name, want := range map[string]float64{"mean": wantMean, "std": wantStd} {
				s, err := extract.ParseStatistic(name)
				if err != nil {
					t.Fatal(err)
				}
				if got := s.Of(slices.Clone(x)); !(math.Abs(got-want) <= 1e-12*math.Abs(x[0])) {
					t.Errorf("%s of %d values: %v, expected %v", name, n, got, want)
				}
			}
		}
	}
}
