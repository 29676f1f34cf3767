package serve

import (
	"slices"
	"testing"
)

func TestLabelChunks(t *testing.T) {
	l := make(ChunkLengths)
	l.Add([]string{"time", "step", "y", "x"}, []uint64{1, 1, 50, 100})
	l.Add([]string{"step", "y", "z"}, []uint64{1, 60, 7})
	for _, c := range []struct {
		name        string
		dims        []string
		shape, want []uint64
	}{
		{"valid_time", []string{"time", "step"}, []uint64{4, 64}, []uint64{1, 1}},
		{"valid_time", []string{"time", "step"}, []uint64{4, 65}, []uint64{4, 65}},
		{"valid_time", []string{"time", "step"}, []uint64{1 << 40, 1 << 40}, []uint64{1 << 40, 1 << 40}},
		{"step", []string{"step"}, []uint64{9}, []uint64{9}},
		{"step_bounds", []string{"step", "bounds"}, []uint64{9, 2}, []uint64{1, 2}},
		{"latitude", []string{"y", "x"}, []uint64{90, 180}, []uint64{90, 100}},
		{"a", []string{"z"}, []uint64{5}, []uint64{5}},
		{"empty", []string{"step", "x"}, []uint64{0, 3}, []uint64{1, 3}},
		{"crs", nil, nil, []uint64{}},
	} {
		if got := l.Label(c.name, c.dims, c.shape); !slices.Equal(got, c.want) {
			t.Errorf("%s %v %v: chunks %v, expected %v", c.name, c.dims, c.shape, got, c.want)
		}
	}
}

func TestLabelsAreCutAsFields(t *testing.T) {
	s := datasetStore(t, "../fixtures/grib/cfgrib/era5-levels-members.grib", DatasetOptions{})
	field, _ := readArray(t, s, "t")
	label, data := readArray(t, s, "valid_time")
	_, times := readArray(t, s, "time")
	if want := field.ChunkShape[1:2]; !slices.Equal(label.ChunkShape, want) || label.Shape[0] < 2 {
		t.Errorf("chunks %v of %v, expected %v", label.ChunkShape, label.Shape, want)
	}
	if !slices.Equal(data, times) { // the only step is 0
		t.Errorf("times of validity %x, expected %x", data, times)
	}
}
