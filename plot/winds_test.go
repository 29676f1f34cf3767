package plot

import (
	"image"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/look"
)

// TestWindDirection demands that winds point along their way on the map, and on maps with upright meridians as on a
// compass.
func TestWindDirection(t *testing.T) {
	g := &look.Grid{Separable: true, Rows: 37, Cols: 72}
	for j := range g.Rows {
		g.Lat = append(g.Lat, 90-5*float64(j))
	}
	for i := range g.Cols {
		g.Lon = append(g.Lon, 5*float64(i))
	}
	r := image.Rect(0, 0, 400, 400)
	for _, name := range []string{"latlon", "mercator", "stereographic", "lambert", "orthographic"} {
		m, err := newMaps().of(g, name)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(m.aspect()-1) > 0.1 {
			r.Max.Y = int(400 / m.aspect())
		}
		some := 0
		for _, place := range [][2]float64{{60, 30}, {20, -50}, {50, 0}, {35, 60}, {-30, 20}} {
			x, y, ok := m.pixel(place[0], place[1], r)
			if !ok || !image.Pt(int(x), int(y)).In(r) {
				continue
			}
			some++
			for _, wind := range [][2]float64{{10, 0}, {0, 10}, {7, 7}, {-3, 8}} {
				w, ok := m.wind(r, x, y, wind[0], wind[1])
				if !ok {
					t.Fatalf("%s: no wind at %v", name, place)
				}
				const way = 1e-4
				dx, dy := wind[0], -wind[1]
				if !m.straight() {
					x2, y2, _ := m.pixel(place[0]+way*wind[1], place[1]+way*wind[0]/math.Cos(place[0]*degree), r)
					dx, dy = x2-x, y2-y
				}
				length := math.Hypot(dx, dy)
				if math.Hypot(w.x-dx/length, w.y-dy/length) > 0.01 {
					t.Errorf("%s: at %v the wind %v points to %.3f %.3f, expected %.3f %.3f", name, place, wind, w.x, w.y, dx/length, dy/length)
				}
			}
		}
		if some < 2 {
			t.Errorf("%s: %d places on the map", name, some)
		}
	}
}
