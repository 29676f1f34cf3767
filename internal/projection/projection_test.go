package projection_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/internal/projection"
)

// mappings are grid mappings with places that pyproj 3 (PROJ 9) computes of them: x, y, latitude, longitude.
//
//go:embed testdata/pyproj.json
var mappings []byte

func mapping(attrs map[string]any) projection.Mapping {
	name, _ := attrs["grid_mapping_name"].(string)
	return projection.Mapping{
		Name: name,
		Numbers: func(key string) (list []float64) {
			switch v := attrs[key].(type) {
			case float64:
				list = []float64{v}
			case []any:
				for _, x := range v {
					list = append(list, x.(float64))
				}
			}
			return list
		},
		Text: func(key string) string { s, _ := attrs[key].(string); return s },
	}
}

// TestPlaces: places equal PROJ's to a millimetre, but for the angles of a satellite, which PROJ takes in
// metres.
func TestPlaces(t *testing.T) {
	var list []struct {
		Attrs  map[string]any
		Points [][4]float64
	}
	if err := json.Unmarshal(mappings, &list); err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		inverse, err := projection.New(mapping(c.Attrs))
		if err != nil {
			t.Errorf("%v: %v", c.Attrs, err)
			continue
		}
		if len(c.Points) < 3 {
			t.Errorf("%v: %d points", c.Attrs, len(c.Points))
		}
		for _, p := range c.Points {
			lat, lon := inverse(p[0], p[1])
			if !(math.Abs(lat-p[2]) < 2e-8) || !(math.Abs(math.Remainder(lon-p[3], 360))*math.Cos(lat*math.Pi/180) < 2e-8) {
				t.Errorf("%v: %v %v is %v %v, expected %v %v", c.Attrs, p[0], p[1], lat, lon, p[2], p[3])
			}
		}
	}
}

// TestNoPlaces: coordinates beside the Earth have no place, and a missing attribute of a grid mapping is an
// error.
func TestNoPlaces(t *testing.T) {
	inverse, err := projection.New(mapping(map[string]any{"grid_mapping_name": "geostationary", "perspective_point_height": 35786023.0}))
	if err != nil {
		t.Fatal(err)
	}
	if lat, lon := inverse(0.15, 0.1); lat == lat || lon == lon {
		t.Errorf("space is at %v %v", lat, lon)
	}
	for _, attrs := range []map[string]any{
		{"grid_mapping_name": "vertical_perspective"},
		{"grid_mapping_name": "geostationary"},
		{"grid_mapping_name": "rotated_latitude_longitude"},
		{"grid_mapping_name": "albers_conical_equal_area"},
		{"grid_mapping_name": "lambert_conformal_conic"},
		{"grid_mapping_name": "sinusoidal"},
		{"grid_mapping_name": "mercator", "earth_radius": -1.0},
	} {
		if _, err := projection.New(mapping(attrs)); err == nil {
			t.Errorf("%v: no error", attrs)
		}
	}
}
