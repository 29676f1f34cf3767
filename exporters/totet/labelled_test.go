package totet_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/tet"
)

// TestExportDataset writes a labelled GRIB file, chunked as it is and otherwise, and compares every
// value with the dataset's.
func TestExportDataset(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{"../../fixtures/grib/cfgrib/era5-levels-members.grib"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, test := range []struct {
		opts  totet.Options
		chunk []int64
	}{
		{totet.Options{}, []int64{1, 1, 1, 61, 120}},
		{totet.Options{Codec: "raw", Chunks: []int64{2, 3, 1, 50, 120}}, []int64{2, 3, 1, 50, 120}},
	} {
		path := filepath.Join(t.TempDir(), "members.tet")
		report, err := totet.ExportDataset(t.Context(), a.Set, a, output(t, path), test.opts)
		if err != nil {
			t.Fatal(err)
		}
		if report.Datasets != 4 { // z, t, and the coordinates that are too long for labels
			t.Errorf("%d datasets, expected 4", report.Datasets)
		}
		f, err := tet.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		compareDataset(t, f, a.Set, a, "t", test.chunk)
	}
}

func compareDataset(t *testing.T, f *tet.File, set *dataset.Dataset, fields dataset.Fields, name string, chunk []int64) {
	t.Helper()
	d, ok := f.Dataset(name)
	if !ok {
		t.Fatalf("no dataset %s", name)
	}
	if fmt.Sprint(d.ChunkShape) != fmt.Sprint(chunk) {
		t.Errorf("chunks %v, expected %v", d.ChunkShape, chunk)
	}
	a, err := d.Read(t.Context(), tet.Selection{}, tet.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := set.Select(name).Floats(t.Context(), fields)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want {
		if got := math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*i:])); got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
			t.Fatalf("element %d is %v, expected %v", i, got, v)
		}
	}
	meta := f.Metadata().Datasets[name]
	if got := meta.Coords["isobaricInhPa"].Labels; !slices.Equal(got, []string{"850", "500"}) {
		t.Errorf("labels %q", got)
	}
	if got := meta.Coords["time"].Labels[1]; got != "2017-01-01T12:00:00Z" {
		t.Errorf("the second time is %q", got)
	}
	if meta.Attrs["units"] != "K" || meta.Attrs["crs.grid_mapping_name"] != "latitude_longitude" {
		t.Errorf("attributes %v", meta.Attrs)
	}
}

// TestCoordinatesOfPoints keeps the names of coordinates that are datasets; scalar ones are
// attributes.
func TestCoordinatesOfPoints(t *testing.T) {
	f := labelled(t, "../../fixtures/grib/cfgrib/lambert_grid.grib")
	attrs := f.Metadata().Datasets["nlwrs"].Attrs
	if attrs["coordinates"] != "latitude longitude" || attrs["step"] != "64800" {
		t.Errorf("coordinates %q and step %q, expected latitude longitude and 64800", attrs["coordinates"], attrs["step"])
	}
}
