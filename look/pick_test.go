package look_test

import (
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/look"
)

// TestElementsAt compares single values with the values of whole fields, also in slices of
// variables.
func TestElementsAt(t *testing.T) {
	for _, file := range []string{
		"../fixtures/grib/cfgrib/fields_with_missing_values.grib", "../fixtures/grib/cfgrib/alternate-scanning.grib",
		"../fixtures/grib/cfgrib/reduced_gg.grib", "../fixtures/netcdf/cf_temperature_deflate.nc", "../fixtures/netcdf/tetration_cf_3d.nc",
	} {
		fields := list(t, file, look.Options{Slices: true})
		slices := 0
		for group := range look.Together(fields, 5) {
			slices = max(slices, len(group))
			at := make([][]uint64, len(group))
			for i, f := range group {
				n := uint64(1)
				for _, length := range f.Shape {
					n *= length
				}
				at[i] = []uint64{n - 1, 0, n / 2, n / 3, n / 3}
			}
			picked, err := look.ElementsAt(t.Context(), group, at)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range group {
				whole, err := f.Elements(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for k, n := range at[i] {
					a, b := picked[i].Float(k), whole.Float(int(n))
					if math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b)) || picked[i].Missing(k) != whole.Missing(int(n)) {
						t.Errorf("%s: %s: element %d is %v, expected %v", file, f.Where, n, a, b)
					}
					if a, b := string(picked[i].AppendText(nil, k)), string(whole.AppendText(nil, int(n))); a != b {
						t.Errorf("%s: %s: element %d is %s, expected %s", file, f.Where, n, a, b)
					}
				}
			}
		}
		if file[len(file)-3:] == ".nc" && slices < 2 {
			t.Errorf("%s: no slices are read together", file)
		}
	}
}
