package look

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNearestOf compares the points that are nearest to many places with those found one by one.
func TestNearestOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 100, 50000} {
		g := new(Grid)
		for range n {
			g.Lat, g.Lon = append(g.Lat, 180/math.Pi*math.Asin(2*r.Float64()-1)), append(g.Lon, 360*r.Float64())
		}
		g.Lat = append(g.Lat, math.NaN())
		g.Lon = append(g.Lon, 5)
		lats, lons := []float64{90, -90, 0}, []float64{0, 10, -180}
		for range 50 {
			lats, lons = append(lats, 180*r.Float64()-90), append(lons, 720*r.Float64()-360)
		}
		all, err := g.NearestOf(lats, lons, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range all {
			if want, err := g.Nearest(lats[i], lons[i]); err != nil || got != want {
				t.Errorf("of %d points %d is nearest to %v %v, expected %d: %v", n, got, lats[i], lons[i], want, err)
			}
		}
	}
	rows := &Grid{Lat: []float64{10, 0, -10}, Lon: []float64{0, 10, 20, 30}, Separable: true, Rows: 3, Cols: 4}
	for _, g := range []*Grid{rows, {Lat: []float64{10, 10, 0, 0}, Lon: []float64{0, 10, 0, 10}}} {
		odd, err := g.NearestOf([]float64{9, 0}, []float64{1, 1}, func(i int) bool { return i%2 == 1 })
		if all, _ := g.NearestOf([]float64{9}, []float64{1}, nil); err != nil || odd[0] != 1 || odd[1]%2 != 1 || all[0] != 0 {
			t.Errorf("among odd points %v, of all %v: %v", odd, all, err)
		}
		if none, err := g.NearestOf([]float64{9, 0}, []float64{1, 1}, func(int) bool { return false }); err != nil || none[0] != -1 || none[1] != -1 {
			t.Errorf("among none: %v, %v", none, err)
		}
	}
	if at, err := new(Grid).Nearest(1, 2); at != -1 || err != nil {
		t.Errorf("a grid without points: point %d, %v", at, err)
	}
}
