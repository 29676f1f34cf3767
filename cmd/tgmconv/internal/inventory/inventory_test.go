package inventory_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/inventory"
)

const (
	gribFile   = "../../../../fixtures/grib/cfgrib/era5-levels-members.grib"
	netcdfFile = "../../../../fixtures/netcdf/cf_temperature_deflate.nc"
)

func values(found inventory.Found, key string) []string {
	return slices.Sorted(maps.Keys(found[key]))
}

func TestOf(t *testing.T) {
	keys := []string{"shortName", "typeOfLevel", "long_name", "nothing"}
	for _, c := range []struct {
		what  string
		files []string
		opts  inventory.Options
		want  map[string][]string
	}{
		{"no file", nil, inventory.Options{}, map[string][]string{"shortName": nil, "typeOfLevel": nil, "long_name": nil, "nothing": nil}},
		{"GRIB", []string{gribFile}, inventory.Options{}, map[string][]string{
			"shortName": {"t", "z"}, "typeOfLevel": {"isobaricInhPa"}, "long_name": {"Geopotential", "Temperature"},
		}},
		{"what is no file", []string{"-", "https://example.org/a.grib", "gone", "."}, inventory.Options{}, nil},
	} {
		got := inventory.Of(t.Context(), c.files, keys, c.opts)
		if len(got) != len(c.want) {
			t.Errorf("%s: found %v, expected %v", c.what, got, c.want)
		}
		for key, want := range c.want {
			if _, ok := got[key]; !ok || !slices.Equal(values(got, key), want) {
				t.Errorf("%s: %s has the values %q, expected %q", c.what, key, values(got, key), want)
			}
		}
	}
}

// TestUsualKeys: GRIB and netCDF files have some of the usual keys, and no value has a separator of values.
func TestUsualKeys(t *testing.T) {
	for name, want := range map[string]string{gribFile: "levelist", netcdfFile: "units"} {
		found := inventory.Of(t.Context(), []string{name}, inventory.UsualKeys(), inventory.Options{})
		if len(found[want]) == 0 || len(found["name"]) == 0 {
			t.Errorf("%s: found %v, expected name and %s", name, found, want)
		}
	}
}

func Example() {
	found := inventory.Of(context.Background(), []string{gribFile}, inventory.UsualKeys(), inventory.Options{})
	fmt.Println(slices.Sorted(maps.Keys(found["level"])))
	// Output: [500 850]
}
