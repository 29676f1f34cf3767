package projection_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/internal/plot/projection"
)

func ExampleProjection() {
	p := projection.Mercator{Lon0: 10}
	x, y, _ := p.Forward(45, 10)
	fmt.Printf("%.4f %.4f\n", x, y)
	// Output: 0.0000 0.8814
}

// TestInverse demands that Inverse undoes Forward.
func TestInverse(t *testing.T) {
	for name, p := range map[string]projection.Projection{
		"plate carrée":        projection.PlateCarree{Lon0: 20, Scale: 1.5},
		"mercator":            projection.Mercator{Lon0: -90},
		"north":               projection.Stereographic{Lon0: 10},
		"south":               projection.Stereographic{Lon0: 10, South: true},
		"lambert north":       projection.NewLambert(8, 50, 50),
		"lambert two":         projection.NewLambert(-95, 25, 60),
		"lambert south":       projection.NewLambert(25, -30, -60),
		"orthographic":        projection.Orthographic{Lat0: 40, Lon0: 10},
		"orthographic, south": projection.Orthographic{Lat0: -40, Lon0: 200},
	} {
		tried := 0
		for lat := -85.0; lat <= 85; lat += 10 {
			for lon := -175.0; lon < 180; lon += 10 {
				x, y, ok := p.Forward(lat, lon)
				if !ok {
					continue
				}
				tried++
				lat2, lon2, ok := p.Inverse(x, y)
				if !ok || math.Abs(lat2-lat) > 1e-6 || math.Abs(math.Remainder(lon2-lon, 360)) > 1e-6 {
					t.Errorf("%s: %v, %v becomes %v, %v (%v)", name, lat, lon, lat2, lon2, ok)
				}
			}
		}
		if tried < 200 {
			t.Errorf("%s: %d places are on the map, expected 200 or more", name, tried)
		}
	}
}
