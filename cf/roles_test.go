package cf_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/tgmconv/tgmconv/cf"
)

func texts(m map[string]string) cf.Attributes {
	return func(name string) (string, bool) {
		text, ok := m[name]
		return text, ok
	}
}

func TestRoleOf(t *testing.T) {
	for _, c := range []struct {
		dims  []string
		attrs map[string]string
		want  cf.Role
	}{
		{[]string{"x"}, nil, cf.Data},
		{[]string{"v"}, nil, cf.Coordinates},
		{[]string{"v", "length"}, nil, cf.Coordinates},
		{nil, map[string]string{"axis": "T"}, cf.Coordinates},
		{nil, map[string]string{"_CoordinateAxisType": "Lat"}, cf.Coordinates},
		{nil, map[string]string{"positive": "down", "units": "m"}, cf.Coordinates},
		{nil, map[string]string{"standard_name": "latitude"}, cf.Coordinates},
		{nil, map[string]string{"standard_name": "air_temperature", "units": "K"}, cf.Data},
		{nil, map[string]string{"standard_name": "ocean_s_coordinate"}, cf.Coordinates},
		{nil, map[string]string{"units": "degreesE"}, cf.Coordinates},
		{nil, map[string]string{"units": "degree"}, cf.Data},
		{nil, map[string]string{"units": "days since 1950-01-01"}, cf.Coordinates},
		{nil, map[string]string{"units": "days"}, cf.Data},
		{nil, map[string]string{"grid_mapping_name": ""}, cf.GridMappings},
		{nil, map[string]string{"flag_masks": ""}, cf.Flags},
		{nil, map[string]string{"flag_meanings": "good bad"}, cf.Flags},
	} {
		if got := cf.RoleOf("v", c.dims, texts(c.attrs)); got != c.want {
			t.Errorf("v(%v) with %v: %q, expected %q", c.dims, c.attrs, got, c.want)
		}
	}
}

func TestReferences(t *testing.T) {
	got := map[string]cf.Role{}
	cf.References(texts(map[string]string{
		"coordinates": "lat lon", "bounds": "lat_bnds", "climatology": "clim", "grid_mapping": "crs: x y",
		"formula_terms": "a: ap ps: psurf", "cell_measures": "area: cell_area", "units": "K", "face_coordinates": "fx",
	}), func(name string, role cf.Role) { got[name] = role })
	want := map[string]cf.Role{
		"lat": cf.Coordinates, "lon": cf.Coordinates, "fx": cf.Coordinates, "lat_bnds": cf.Bounds, "clim": cf.Bounds,
		"crs": cf.GridMappings, "x": cf.GridMappings, "y": cf.GridMappings,
		"ap": cf.FormulaTerms, "psurf": cf.FormulaTerms, "cell_area": cf.CellMeasures,
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

func ExampleRoleOf() {
	attrs := map[string]string{"standard_name": "longitude", "units": "degrees_east"}
	fmt.Println(cf.RoleOf("nav_lon", []string{"y", "x"}, func(name string) (string, bool) {
		text, ok := attrs[name]
		return text, ok
	}))
	// Output: coordinates
}
