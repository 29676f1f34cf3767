package fromgrib

import (
	"testing"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/importers"
)

// TestPlausibleCoords: the claims of a constant field of few bytes are limited.
func TestPlausibleCoords(t *testing.T) {
	reduced := &geometry.Grid{PL: make([]int, 2*2560)}
	for _, c := range []struct {
		name          string
		grid          *geometry.Grid
		axis          bool
		points, bytes int
		want          bool
	}{
		{"a field of 2000 x 2000 points", &geometry.Grid{}, false, 4_000_000, 200, true},
		{"more points than bytes stand for", &geometry.Grid{}, false, 40_000_000, 200, false},
		{"as many in a large message", &geometry.Grid{}, false, 40_000_000, 1_000_000, true},
		{"axes", &geometry.Grid{}, true, 40_000_000, 200, true},
		{"O2560", reduced, false, 26_306_560, 11_000, true},
		{"parallels that are too long", reduced, false, 5120 * 65535, 11_000, false},
		{"a grid that cannot be read", nil, false, 40_000_000, 200, false},
	} {
		g := &grid{Grid: c.grid, coords: []*importers.Coord{{Axis: c.axis}}}
		if got := plausibleCoords(g, c.points, int64(c.bytes)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
