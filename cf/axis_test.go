package cf_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/cf"
)

// TestAxisOf has coordinates as conventions, models and tools write them, and variables that only
// resemble them.
func TestAxisOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		attrs map[string]string
		want  cf.Axis
	}{
		{"y0", map[string]string{"units": "degrees_north"}, cf.Latitude},
		{"y0", map[string]string{"standard_name": "longitude"}, cf.Longitude},
		{"a", map[string]string{"_CoordinateAxisType": "Lat"}, cf.Latitude},
		{"clat", map[string]string{"standard_name": "latitude", "units": "radian"}, cf.Latitude},
		{"lat", nil, cf.Latitude},
		{"Longitude", map[string]string{"units": "degrees"}, cf.Longitude},
		{"XLAT_M", map[string]string{"units": "degrees latitude"}, cf.Latitude},
		{"XLONG_U", map[string]string{"units": "degree"}, cf.Longitude},
		{"nav_lon", map[string]string{}, cf.Longitude},
		{"lat_rho", nil, cf.Latitude},
		{"TLONG", nil, cf.Longitude},
		{"gphit", nil, cf.Latitude},
		{"latCell", map[string]string{"units": "rad"}, cf.Latitude},
		{"grid_center_lon", map[string]string{"units": "radians"}, cf.Longitude},
		{"a", map[string]string{"long_name": "Latitude"}, cf.Latitude},
		{"rlat", map[string]string{"standard_name": "grid_latitude", "units": "degrees"}, cf.Y},
		{"rlat", map[string]string{"standard_name": "grid_latitude", "units": "degrees_north"}, cf.Y},
		{"x", map[string]string{"standard_name": "projection_x_coordinate"}, cf.X},
		{"x", map[string]string{"axis": "X", "units": "m"}, cf.X},
		{"x", map[string]string{"_CoordinateAxisType": "GeoX"}, cf.X},
		{"p", map[string]string{"standard_name": "air_pressure", "axis": "Z"}, cf.Z},
		{"p", map[string]string{"standard_name": "air_pressure"}, cf.NoAxis},
		{"lev", map[string]string{"positive": "down"}, cf.Z},
		{"s_rho", map[string]string{"standard_name": "ocean_s_coordinate_g1"}, cf.NoAxis},
		{"s", map[string]string{"standard_name": "ocean_sigma_coordinate"}, cf.Z},
		{"JULD", map[string]string{"units": "days since 1950-01-01"}, cf.T},
		{"latent_heat", nil, cf.NoAxis},
		{"lat_bnds", nil, cf.NoAxis},
		{"latitude", map[string]string{"units": "m"}, cf.NoAxis},
		{"lon", map[string]string{"standard_name": "region"}, cf.NoAxis},
		{"platform", nil, cf.NoAxis},
		{"long_name", nil, cf.NoAxis},
	} {
		if got := cf.AxisOf(c.name, texts(c.attrs)); got != c.want {
			t.Errorf("%s with %v: %q, expected %q", c.name, c.attrs, got, c.want)
		}
	}
}
