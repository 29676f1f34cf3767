package coast

import (
	"math"
	"testing"
)

func TestLines(t *testing.T) {
	for d, least := range map[Detail]int{Scale110m: 7000, Scale50m: 40000, Scale10m: 150000} {
		lines, err := Lines(d)
		if err != nil {
			t.Fatal(err)
		}
		coasts, borders, points := 0, 0, 0
		near := math.Inf(1) // to Land's End
		for _, l := range lines {
			if l.Border {
				borders++
			} else {
				coasts++
			}
			points += len(l.Points)
			for i, p := range l.Points {
				if math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 180 {
					t.Errorf("detail %d: a point at %v", d, p)
				}
				if i > 0 && math.Abs(p.Lon-l.Points[i-1].Lon) > 25 {
					t.Errorf("detail %d: a line from %v to %v", d, l.Points[i-1], p)
				}
				near = min(near, math.Hypot(p.Lon+5.72, p.Lat-50.07))
			}
		}
		if coasts < 100 || borders < 100 || points < least || near > []float64{0.5, 0.1, 0.02}[d] {
			t.Errorf("detail %d: %d coasts, %d borders, %d points, Land's End at %v degrees", d, coasts, borders, points, near)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(packed110m)
	f.Fuzz(func(_ *testing.T, b []byte) { parse(b) })
}
