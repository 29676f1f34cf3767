package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/tgm"
)

// largeGrid is a Lambert grid of 2100 rows of 2000 points: more than are computed at once.
var largeGrid = map[string]any{
	"gridType": "lambert", "edition": int64(2), "gridDefinitionTemplateNumber": int64(30), "numberOfDataPoints": int64(4200000),
	"Nx": int64(2000), "Ny": int64(2100), "scanningMode": int64(64), "shapeOfTheEarth": int64(6), "earthIsOblate": int64(0), "radius": 6371229.0,
	"latitudeOfFirstGridPointInDegrees": 40.0, "longitudeOfFirstGridPointInDegrees": 2.0, "LaDInDegrees": 46.5, "LoVInDegrees": 5.0,
	"DxInMetres": 100.0, "DyInMetres": 100.0, "Latin1InDegrees": 46.0, "Latin2InDegrees": 47.0,
	"latitudeOfSouthernPoleInDegrees": 0.0, "longitudeOfSouthernPoleInDegrees": 0.0, "projectionCentreFlag": int64(0),
}

// TestLargeCoordinates reads regions of coordinates that are not computed as a whole.
func TestLargeCoordinates(t *testing.T) {
	g := newGrid(largeGrid, []uint64{2100, 2000}, nil)
	if g.parsed == nil {
		t.Fatal("the grid was not understood")
	}
	want := make([][]float64, 2)
	var err error
	if want[0], want[1], err = g.parsed.Coordinates(); err != nil {
		t.Fatal(err)
	}
	vars, _ := g.variables()
	for i, name := range []string{"latitude", "longitude"} {
		v := vars[slices.IndexFunc(vars, func(v *Variable) bool { return v.Name == name })]
		all := floatBytes(want[i])
		if part := v.RegionShape(); part == nil || part[0]*part[1]*8 > regionBytes || part[1] != 2000 {
			t.Errorf("%s: parts of shape %d", name, part)
		}
		var joined []byte
		for start, count := range v.Regions() {
			data, err := v.Region(start, count)
			if err != nil {
				t.Fatal(err)
			}
			joined = append(joined, data...)
		}
		if !bytes.Equal(joined, all) {
			t.Errorf("%s: the parts are not the whole", name)
		}
		data, err := v.Region([]uint64{7, 1990}, []uint64{2, 5})
		if at := 8 * (7*2000 + 1990); err != nil || !bytes.Equal(data, append(slices.Clone(all[at:at+40]), all[at+16000:at+16040]...)) {
			t.Errorf("%s: %v, a region differs", name, err)
		}
		for _, bad := range [][2][]uint64{{{0, 0}, {1}}, {{0, 1999}, {1, 2}}, {{2101, 0}, {0, 1}}} {
			if _, err := v.Region(bad[0], bad[1]); err == nil {
				t.Errorf("%s: a region from %d on with %d elements was read", name, bad[0], bad[1])
			}
		}
		if v.Work() < 2 {
			t.Errorf("%s takes no more work than a number that is read", name)
		}
		s := &Selection{v: v, axes: [][]int{{3, 9}, {1}}, drop: make([]bool, 2)}
		if values, _, err := s.Floats(t.Context(), nil); err != nil || !slices.Equal(values, []float64{want[i][6001], want[i][18001]}) {
			t.Errorf("%s: %v %v", name, values, err)
		}
	}
}

// TestLargeAxis: a row of more points than any grid has takes no memory, and its labels are missing.
func TestLargeAxis(t *testing.T) {
	const points = 1 << 30
	m := map[string]any{
		"gridType": "regular_ll", "edition": int64(2), "gridDefinitionTemplateNumber": int64(0), "numberOfDataPoints": int64(points),
		"Ni": int64(points), "Nj": int64(1), "scanningMode": int64(0), "shapeOfTheEarth": int64(6), "earthIsOblate": int64(0), "radius": 6371229.0,
		"latitudeOfFirstGridPointInDegrees": 0.0, "longitudeOfFirstGridPointInDegrees": 0.0, "latitudeOfLastGridPointInDegrees": 0.0,
		"longitudeOfLastGridPointInDegrees": 359.0, "iDirectionIncrementInDegrees": 0.1, "jDirectionIncrementInDegrees": 0.1,
	}
	parsed, err := geometry.FromGeometry(m)
	if err != nil || !parsed.Separable() {
		t.Fatal(err)
	}
	vars, _ := newGrid(m, []uint64{1, points}, nil).variables()
	var texts []string
	for _, v := range vars {
		texts = append(texts, v.Name+v.Summary())
	}
	if got := fmt.Sprint(texts); got != "[latitude NaN longitude NaN NaN NaN ... NaN NaN NaN]" {
		t.Error(got)
	}
	var r Report
	r.missingCoordinates(newGrid(m, []uint64{1, points}, nil), &Group{})
	r.missingCoordinates(newGrid(largeGrid, []uint64{2100, 2000}, nil), &Group{})
	if notes := r.Notes(); len(notes) != 1 || !strings.HasSuffix(notes[0], "more rows or columns than any grid in use") {
		t.Errorf("notes %q", notes)
	}
}

// TestRegion reads a part of values that are at hand.
func TestRegion(t *testing.T) {
	v := &Variable{Name: "x", Shape: []uint64{2, 3}, DType: tgm.Uint8, data: func() ([]byte, error) { return []byte{1, 2, 3, 4, 5, 6}, nil }}
	if data, err := v.Region([]uint64{0, 1}, []uint64{2, 2}); err != nil || !bytes.Equal(data, []byte{2, 3, 5, 6}) {
		t.Error(data, err)
	}
	if v.RegionShape() != nil {
		t.Error("values at hand are read in parts")
	}
	if _, err := (&Variable{Name: "held", Shape: []uint64{2}}).Region([]uint64{0}, []uint64{1}); err == nil {
		t.Error("values of objects were computed")
	}
}
