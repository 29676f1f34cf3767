package togrib

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/look"
)

// TestPointsGrid: latitudes and longitudes of the points of a grid give its description again.
func TestPointsGrid(t *testing.T) {
	octahedral := []int64{20, 24, 28, 32, 32, 28, 24, 20}
	g, err := geometry.FromGeometry(map[string]any{
		"gridType": "reduced_gg", "edition": 2, "gridDefinitionTemplateNumber": 40, "numberOfDataPoints": 208, "Nj": 8, "N": 4,
		"pl": octahedral, "latitudeOfFirstGridPointInDegrees": 73.799, "longitudeOfFirstGridPointInDegrees": 0,
		"latitudeOfLastGridPointInDegrees": -73.799, "longitudeOfLastGridPointInDegrees": 348.75,
	})
	if err != nil {
		t.Fatal(err)
	}
	lat, lon, err := g.Coordinates()
	if err != nil {
		t.Fatal(err)
	}
	field := &look.Field{Dims: []string{"values"}}
	got, err := gridOf(t.Context(), field, &look.Grid{Lat: lat, Lon: lon})
	if err != nil {
		t.Fatal(err)
	}
	if pl, _ := got["pl"].([]int64); got["gridType"] != "reduced_gg" || got["N"] != int64(4) || !slices.Equal(pl, octahedral) {
		t.Errorf("the octahedral grid became %v", got)
	}
	lon[30] += 0.5
	if _, err := gridOf(t.Context(), field, &look.Grid{Lat: lat, Lon: lon}); err == nil {
		t.Error("a point that lies elsewhere was accepted")
	}

	lat, lon = nil, nil
	for i := range 12 {
		lat, lon = append(lat, 60-float64(i/4)*10), append(lon, float64(i%4)*5)
	}
	if got, err = gridOf(t.Context(), field, &look.Grid{Lat: lat, Lon: lon}); err != nil || got["gridType"] != "regular_ll" || got["Ni"] != int64(4) || got["Nj"] != int64(3) {
		t.Errorf("the rows of a regular grid became %v (%v)", got, err)
	}
	for _, bad := range [][2][]float64{{{1, 2, 3}, {1, 2, 3}}, {{1, 1, 1}, {1, 2, 3}}, {{2, 2, 1}, {1, 2, 1}}, {{1, 2}, {1}}} {
		if _, err := gridOf(t.Context(), field, &look.Grid{Lat: bad[0], Lon: bad[1]}); err == nil {
			t.Errorf("points %v became a grid", bad)
		}
	}
}
