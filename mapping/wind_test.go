package mapping_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

func TestNorthward(t *testing.T) {
	for name, want := range map[string]string{"u": "v", "10u": "10v", "u10": "v10", "u10n": "v10n", "u_tropopause": "v_tropopause", "uv": "", "gust": "", "": ""} {
		if got := mapping.Northward(name); got != want {
			t.Errorf("%q: %q, expected %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"eastward_wind": "northward_wind", "eastward_sea_water_velocity": "northward_sea_water_velocity", "wind_speed": ""} {
		if got := mapping.NorthwardStandard(name); got != want {
			t.Errorf("%q: %q, expected %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"x_wind": "y_wind", "grid_eastward_wind": "grid_northward_wind", "x_stress": "", "eastward_wind": ""} {
		if got := mapping.AcrossStandard(name); got != want {
			t.Errorf("%q: %q, expected %q", name, got, want)
		}
	}
	if !mapping.AlongMeridians("reduced_gg") || mapping.AlongMeridians("rotated_ll") {
		t.Error("the rows of rotated_ll lie along parallels, or those of reduced_gg do not")
	}
}
