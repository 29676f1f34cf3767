package coast

import (
	"math"
	"testing"
)

func TestLines(t *testing.T) {
	lines, err := Lines()
	if err != nil {
		t.Fatal(err)
	}
	coasts, borders := 0, 0
	near := math.Inf(1) // to Land's End
	for _, l := range lines {
		if l.Border {
			borders++
		} else {
			coasts++
		}
		for i, p := range l.Points {
			if math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 180 {
				t.Errorf("a point at %v", p)
			}
			if i > 0 && math.Abs(p.Lon-l.Points[i-1].Lon) > 20 {
				t.Errorf("a line from %v to %v", l.Points[i-1], p)
			}
			near = min(near, math.Hypot(p.Lon+5.7, p.Lat-50.1))
		}
	}
	if coasts < 100 || borders < 100 || near > 0.5 {
		t.Errorf("%d coasts and %d borders, Land's End at %v degrees", coasts, borders, near)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(packed)
	f.Fuzz(func(_ *testing.T, b []byte) { parse(b) })
}
