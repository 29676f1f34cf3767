package plot_test

import (
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/plot"
)

// BenchmarkNearest looks up the cells of a map of as many points as the global grid of ICON has.
func BenchmarkNearest(b *testing.B) {
	const points, rows, cols = 2949120, 1522, 3043
	g := &look.Grid{Lat: make([]float64, points), Lon: make([]float64, points)}
	for i := range points {
		k := i * 1048573 % points // neighbours are not neighbours in memory
		g.Lat[k], g.Lon[k] = math.Asin(2*(float64(i)+0.5)/points-1)*180/math.Pi, math.Mod(float64(float64(i)*137.50776405), 360)
	}
	lats, lons := make([]float64, rows), make([]float64, cols)
	for i := range lats {
		lats[i] = 90 - float64((float64(i)+0.5)*180/rows)
	}
	for i := range lons {
		lons[i] = float64((float64(i) + 0.5) * 360 / cols)
	}
	for b.Loop() {
		n, err := plot.NewNearest(g)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := n.Places(lats, lons); err != nil {
			b.Fatal(err)
		}
	}
}
