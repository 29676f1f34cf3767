package look

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func meanOf(a *Areas, values []float64) float64 {
	w := &weighing{areas: a}
	var runs []Run
	for len(values) > 0 { // in parts
		n := min(7, len(values))
		first := uint64(0)
		if len(runs) > 0 {
			first = runs[len(runs)-1].First + 7
		}
		runs = append(runs, Run{first, values[:n]})
		values = values[n:]
	}
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(runs)) {
		w.add(runs[i])
	}
	return w.mean()
}

// TestAreaMean compares with known means: of the square of the sine of the latitude, which is a
// third on the globe, and of a constant.
func TestAreaMean(t *testing.T) {
	var lat, lon []float64
	for y := 89.5; y > -90; y-- {
		lat = append(lat, y)
	}
	for x := 0.0; x < 360; x += 2 {
		lon = append(lon, x)
	}
	var points []int // of reduced rows
	reduced := []float64{}
	regular, pointLat, pointLon := []float64{}, []float64{}, []float64{}
	value := func(y float64) float64 { s := math.Sin(y * degree); return s * s }
	for j, y := range lat {
		n := 20 + min(j, len(lat)-1-j)
		points = append(points, n)
		reduced = append(reduced, slices.Repeat([]float64{value(y)}, n)...)
		for _, x := range lon {
			regular, pointLat, pointLon = append(regular, value(y)), append(pointLat, y), append(pointLon, x)
		}
	}
	curved, err := curvedAreas(pointLat, pointLon, len(lat), len(lon))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		areas  *Areas
		values []float64
	}{
		"separable": {separableAreas(lat, lon), regular},
		"reduced":   {rowAreas(lat, points), reduced},
		"curved":    {curved, regular},
		"twice":     {separableAreas(lat, lon), append(slices.Clone(regular), regular...)},
	} {
		if got := meanOf(c.areas, c.values); math.Abs(got-1.0/3) > 1e-4 {
			t.Errorf("%s: mean %v, expected a third", name, got)
		}
		constant := slices.Repeat([]float64{7}, c.areas.n)
		constant[3], constant[5] = math.NaN(), math.Inf(1)
		if got := meanOf(c.areas, constant); math.Abs(got-7) > 1e-13 {
			t.Errorf("%s: mean of 7 is %v", name, got)
		}
	}
	total := 0.0
	for _, area := range curved.points {
		total += area
	}
	if math.Abs(total-4*math.Pi) > 2e-3 {
		t.Errorf("the cells have %v together, expected %v", total, 4*math.Pi)
	}
}

func TestBands(t *testing.T) {
	sin := func(y float64) float64 { return math.Sin(y * degree) }
	for _, c := range []struct{ lat, want []float64 }{
		{[]float64{90, 0, -90}, []float64{1 - sin(45), 2 * sin(45), 1 - sin(45)}},        // with poles
		{[]float64{30, 20}, []float64{sin(35) - sin(25), sin(25) - sin(15)}},             // a region
		{[]float64{-60, 10, 80}, []float64{1 - sin(25), sin(45) + sin(25), 1 - sin(45)}}, // to both poles
		{[]float64{12}, []float64{1}},
	} {
		got := bands(c.lat)
		for j := range got {
			if math.Abs(got[j]-c.want[j]) > 1e-15 {
				t.Errorf("%v: %v, expected %v", c.lat, got, c.want)
				break
			}
		}
	}
}

func TestWidths(t *testing.T) {
	if got := widths([]float64{350, 0, 10, 30}); !slices.Equal(got, []float64{10, 10, 15, 20}) {
		t.Errorf("%v", got)
	}
}

func TestNoCells(t *testing.T) {
	if _, err := curvedAreas([]float64{1, 2}, []float64{1, 2}, 1, 2); err == nil {
		t.Error("one row has cells")
	}
	nan := math.NaN()
	if _, err := curvedAreas([]float64{1, 1, 0, nan}, []float64{1, 2, 1, nan}, 2, 2); err == nil {
		t.Error("a point beside the earth has a cell")
	}
}

// The last row of a grid whose increment is wrong would have most of the area.
func TestUnevenRows(t *testing.T) {
	for _, c := range []struct {
		gridType string
		lat      []float64
		ok       bool
	}{
		{"regular_ll", []float64{90, 45, 0, -45, -90}, true},
		{"regular_ll", []float64{90, 88, 86, -90}, false},
		{"regular_ll", []float64{10, 9.999, 9.998}, true},
		{"regular_ll", []float64{-90, -60, 90}, false},
		{"regular_gg", []float64{88, 80, 20, -20, -80, -88}, true},
		{"regular_ll", []float64{90, -90}, true},
	} {
		if err := evenRows(c.gridType, c.lat); (err == nil) != c.ok {
			t.Errorf("%s, rows at %v: %v", c.gridType, c.lat, err)
		}
	}
}
