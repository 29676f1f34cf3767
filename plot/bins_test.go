package plot

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/look"
)

// TestBins demands the same values under pixels whether points are held or pass by.
func TestBins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	scattered, region, rows := &look.Grid{}, &look.Grid{}, &look.Grid{Rows: 60, Cols: 80}
	for range 5000 {
		scattered.Lat = append(scattered.Lat, math.Asin(2*random.Float64()-1)/degree)
		scattered.Lon = append(scattered.Lon, 360*random.Float64())
		region.Lat = append(region.Lat, 30+20*random.Float64())
		region.Lon = append(region.Lon, 350+30*random.Float64())
	}
	for j := range rows.Rows {
		for i := range rows.Cols {
			rows.Lat = append(rows.Lat, 40+0.3*float64(j)+0.01*float64(i))
			rows.Lon = append(rows.Lon, -20+0.4*float64(i)-0.02*float64(j))
		}
	}
	reduced := &look.Grid{}
	for j := range 90 {
		lat := 89 - 2*float64(j)
		n := 20 + int(160*math.Cos(lat*degree))
		for i := range n {
			reduced.Lat, reduced.Lon = append(reduced.Lat, lat), append(reduced.Lon, float64(i)*360/float64(n))
		}
	}
	size := image.Pt(180, 90)
	place := func(x, y int) (lat, lon float64, ok bool) {
		return 90 - 2*(float64(y)+0.5), -180 + 2*(float64(x)+0.5), true
	}
	for name, g := range map[string]*look.Grid{"scattered": scattered, "region": region, "rows": rows, "reduced": reduced} {
		area, err := extentOf(g)
		if err != nil {
			t.Fatal(err)
		}
		want, err := newHeldBins(g, area).lookup(size, place)
		if err != nil {
			t.Fatal(err)
		}
		b, err := newBins(g, area)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.lookup(size, place)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, i := range want {
			if i >= 0 {
				found++
			}
		}
		if !slices.Equal(got, want) || found < 20 {
			n := 0
			for k := range got {
				if got[k] != want[k] {
					n++
				}
			}
			t.Errorf("%s: %d pixels differ, %d have a value", name, n, found)
		}
		rows, err := newParallels(g)
		if err != nil {
			t.Fatal(err)
		}
		if (rows != nil) != (name == "reduced") {
			t.Errorf("%s: rows along parallels: %v", name, rows != nil)
		}
		if rows == nil {
			continue
		}
		if got, err = rows.lookup(size, place); err != nil {
			t.Fatal(err)
		}
		for k, i := range got {
			lat, lon, _ := place(k%size.X, k/size.X)
			at := func(i int32) float64 { return square(unit(lat, lon), unit(g.Lat[i], g.Lon[i])) }
			if (i < 0) != (want[k] < 0) || i >= 0 && math.Abs(at(i)-at(want[k])) > 1e-6 {
				t.Errorf("%s: at %v %v: point %d, want %d", name, lat, lon, i, want[k])
			}
		}
	}
}
