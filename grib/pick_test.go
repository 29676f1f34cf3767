package grib_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// testPick picks single points of a field, from one to all, and compares them with the values.
func testPick(t *testing.T, f *grib.Field, e expectation, values []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	n := len(values)
	if n == 0 {
		return
	}
	for _, count := range []int{1, 2, n / 50, n / 5, n} {
		at := make([]uint64, count)
		for i := range at {
			at[i] = r.Uint64N(uint64(n))
			if count == n {
				at[i] = uint64(i)
			}
		}
		slices.Sort(at)
		dst := make([]float64, count)
		done, err := f.Pick(dst, at)
		if err != nil {
			t.Errorf("%s: message %d (%s): picking %d points: %v", e.file, e.message, e.packing, count, err)
			return
		}
		if !done {
			if count < n/5 && (e.packing == "grid_simple" || e.packing == "grid_ccsds" || e.packing == "grid_ieee") {
				t.Errorf("%s: message %d (%s): %d points are not picked", e.file, e.message, e.packing, count)
			}
			continue
		}
		for i, k := range at {
			if a, b := math.Float64bits(dst[i]), math.Float64bits(values[k]); a != b && !(math.IsNaN(dst[i]) && math.IsNaN(values[k])) {
				t.Errorf("%s: message %d (%s): point %d is picked as %v, expected %v", e.file, e.message, e.packing, k, dst[i], values[k])
				return
			}
		}
	}
}

func TestPickRefuses(t *testing.T) {
	f := readFields(t, "../fixtures/grib/2t.grib2")[0]
	n, err := f.NumberOfDataPoints()
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][]uint64{{uint64(n)}, {5, 4}} {
		if _, err := f.Pick(make([]float64, len(at)), at); err == nil || !strings.Contains(err.Error(), "ascending numbers") {
			t.Errorf("points %v: %v", at, err)
		}
	}
}
