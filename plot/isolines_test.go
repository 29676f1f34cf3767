package plot

import (
	"image"
	"math"
	"testing"
)

// TestTrace demands that isolines lie where the values are the level: rings around a peak, lines across a slope.
func TestTrace(t *testing.T) {
	const w, h = 60, 40
	cone, slope := make([]float64, w*h), make([]float64, w*h)
	for k := range cone {
		x, y := float64(k%w)+0.5, float64(k/w)+0.5
		cone[k], slope[k] = math.Hypot(x-30, y-20), x
	}
	rings := trace(cone, w, h, 10)
	if len(rings) != 1 {
		t.Fatalf("%d lines around a peak, expected 1", len(rings))
	}
	ring := rings[0]
	if ring[0] != ring[len(ring)-1] {
		t.Errorf("the ring goes from %v to %v", ring[0], ring[len(ring)-1])
	}
	for _, p := range ring {
		if d := math.Hypot(p.x-30, p.y-20); math.Abs(d-10) > 0.05 {
			t.Errorf("%v lies %v from the peak, expected 10", p, d)
		}
	}
	lines := trace(slope, w, h, 12.25)
	if len(lines) != 1 || len(lines[0]) != h {
		t.Fatalf("%d lines across a slope", len(lines))
	}
	for _, p := range lines[0] {
		if math.Abs(p.x-12.25) > 1e-9 {
			t.Errorf("%v lies on the line of 12.25", p)
		}
	}
	slope[20*w+12] = math.NaN()
	if lines := trace(slope, w, h, 12.25); len(lines) != 2 {
		t.Errorf("%d lines, expected 2, with a gap at a missing value", len(lines))
	}
	saddle := []float64{1, 0, 0, 1}
	if lines := trace(saddle, 2, 2, 0.4); len(lines) != 2 {
		t.Errorf("%d lines through a saddle, expected 2", len(lines))
	}
}

func TestClip(t *testing.T) {
	r := image.Rect(0, 0, 10, 10)
	runs := clipped([]point{{-5, 5}, {5, 5}, {15, 5}, {15, -5}, {5, -5}, {5, 5}}, r)
	if len(runs) != 2 || runs[0][0] != (point{0, 5}) || runs[0][len(runs[0])-1] != (point{10, 5}) || runs[1][0] != (point{5, 0}) {
		t.Errorf("%v", runs)
	}
	if got := simplified([]point{{0, 0}, {1, 0.01}, {2, 0}, {2, 2}}, 0.1); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

func TestConversion(t *testing.T) {
	for _, c := range []struct {
		from  string
		to    []string
		value float64
		want  float64
		name  string
	}{
		{"K", []string{"degC", "hPa"}, 273.15, 0, "°C"},
		{"Pa", []string{"degC", "hPa"}, 101325, 1013.25, "hPa"},
		{"m s**-1", []string{"kt"}, 1852.0 / 3600, 1, "kt"},
		{"m**2 s**-2", []string{"dam"}, 98066.5, 1000, "dam"},
		{"kg m**-2", []string{"mm"}, 3, 3, "mm"},
		{"degC", []string{"K"}, 0, 273.15, "K"},
	} {
		convert, name := conversion(c.from, c.to)
		if convert == nil || name != c.name || math.Abs(convert([]float64{c.value})[0]-c.want) > 1e-9 {
			t.Errorf("%v %s in %v: %s", c.value, c.from, c.to, name)
		}
	}
	for _, from := range []string{"W m**-2", "", "~"} {
		if convert, _ := conversion(from, []string{"degC", "%"}); convert != nil {
			t.Errorf("%q is changed", from)
		}
	}
}

// TestBarb demands that a barb points to where the wind comes from, with its lines at the side of lower pressure.
func TestBarb(t *testing.T) {
	for _, south := range []bool{false, true} {
		c, err := newCanvas(101, 101)
		if err != nil {
			t.Fatal(err)
		}
		barb(c, c.Bounds(), wind{at: point{50.5, 50.5}, x: 1, south: south}, 65, 40) // from the west
		var dark [4]int                                                              // west, east, north, south
		for y := range 101 {
			for x := range 101 {
				if c.RGBAAt(x, y).R > 128 {
					continue
				}
				if x < 49 {
					dark[0]++
				} else if x > 52 {
					dark[1]++
				}
				if y < 49 {
					dark[2]++
				} else if y > 52 {
					dark[3]++
				}
			}
		}
		low, high := dark[2], dark[3]
		if south {
			low, high = high, low
		}
		if dark[0] < 80 || dark[1] > 0 || low < 50 || high > 0 {
			t.Errorf("south %v: dark pixels at the west, east, north and south: %v", south, dark)
		}
	}
}
