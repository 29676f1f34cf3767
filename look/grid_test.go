package look

import (
	"testing"

	"github.com/tgmconv/tgmconv/grib/geometry"
)

// TestComputedGrid compares coordinates that are computed in parts with coordinates that are held
// as a whole.
func TestComputedGrid(t *testing.T) {
	parsed, err := geometry.FromGeometry(map[string]any{
		"edition": int64(2), "gridType": "healpix", "numberOfDataPoints": int64(12 * 128 * 128), "Nside": int64(128), "ordering": int64(0), "gridDefinitionTemplateNumber": int64(150), "radius": 6371229.0,
		"longitudeOfFirstGridPointInDegrees": 45.0,
	})
	if err != nil {
		t.Fatal(err)
	}
	points, err := parsed.Points()
	if err != nil {
		t.Fatal(err)
	}
	held, computed := &Grid{}, &Grid{points: points}
	if held.Lat, held.Lon, err = parsed.Coordinates(); err != nil {
		t.Fatal(err)
	}
	if held.Len() <= 2*blockPoints || computed.Len() != held.Len() {
		t.Fatalf("%d points, of the other grid %d", held.Len(), computed.Len())
	}
	next := 0
	err = computed.Blocks(func(first int, lat, lon []float64) {
		if first != next {
			t.Errorf("point %d after %d", first, next-1)
		}
		next += len(lat)
		for i := range lat {
			if lat[i] != held.Lat[first+i] || lon[i] != held.Lon[first+i] {
				t.Fatalf("point %d lies at %v %v, expected %v %v", first+i, lat[i], lon[i], held.Lat[first+i], held.Lon[first+i])
			}
		}
	})
	if err != nil || next != held.Len() {
		t.Errorf("%d points, expected %d: %v", next, held.Len(), err)
	}
	places := computed.Places()
	for _, i := range []int{0, 5, 1023, 1024, 70000, 3, held.Len() - 1} {
		if lat, lon, err := places.At(i); err != nil || lat != held.Lat[i] || lon != held.Lon[i] {
			t.Errorf("point %d lies at %v %v, expected %v %v: %v", i, lat, lon, held.Lat[i], held.Lon[i], err)
		}
	}
	for _, p := range [][2]float64{{50, 8}, {-33, 151}, {90, 0}, {0.1, 359.9}} {
		want, _ := held.Nearest(p[0], p[1])
		if got, err := computed.Nearest(p[0], p[1]); err != nil || got != want {
			t.Errorf("%v: point %d is nearest, expected %d: %v", p, got, want, err)
		}
	}
}
