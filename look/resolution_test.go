package look_test

import (
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/look"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct{ lat, lon, otherLat, otherLon, want float64 }{
		{0, 0, 0, 0, 0}, {0, 0, 0, 90, math.Pi / 2 * 6371}, {90, 0, -90, 77, math.Pi * 6371}, {50, 359, 50, 1, 142.96}, {10, 20, 10.001, 20, 0.1112},
	} {
		if got := look.Distance(test.lat, test.lon, test.otherLat, test.otherLon); math.Abs(got-test.want) > 1e-3*test.want+1e-9 {
			t.Errorf("from %v %v to %v %v: %v km, expected %v", test.lat, test.lon, test.otherLat, test.otherLon, got, test.want)
		}
	}
}

func TestSpacing(t *testing.T) {
	g := &look.Grid{Separable: true, Rows: 2, Cols: 3, Lat: []float64{0, 1}, Lon: []float64{10, 12, 13}}
	if got := g.Spacing(1); math.Abs(got-222.4) > 0.1 {
		t.Errorf("%v km, expected 222.4", got)
	}
	if got := (&look.Grid{Lat: []float64{1}, Lon: []float64{1}}).Spacing(0); got != 0 {
		t.Errorf("%v km of a grid without rows, expected 0", got)
	}
}
