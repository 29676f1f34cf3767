package totet_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/tet"
)

// TestPackedFloats writes packed floating-point numbers as the values that they mean, where these
// are of the same type.
func TestPackedFloats(t *testing.T) {
	const source = "../../fixtures/netcdf/made/packed_floats.nc"
	src := fromnetcdf.New([]importers.Input{{Name: source}}, fromnetcdf.Options{})
	defer src.Close()
	var message bytes.Buffer
	if _, err := importers.Convert(t.Context(), src, &message, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.tgm")
	if err := os.WriteFile(path, message.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	objects, _ := exported(t, totet.Options{}, path)
	direct := labelled(t, source)
	for what, f := range map[string]*tet.File{"labelled": labelled(t, path), "objects": objects} {
		for _, name := range []string{"f32", "f64"} {
			want := values(t, direct, name)
			for i, v := range values(t, f, name) {
				if v != want[i] && !(math.IsNaN(v) && math.IsNaN(want[i])) {
					t.Errorf("%s, %s: value %d is %v, expected %v", what, name, i, v, want[i])
				}
			}
			d, _ := f.Dataset(name)
			if attrs := d.Metadata().Attrs; attrs["scale_factor"] != "" {
				t.Errorf("%s, %s: values with the attributes %v", what, name, attrs)
			}
			other, _ := direct.Dataset(name)
			if got, labels := d.Metadata().Coords["x"].Labels, other.Metadata().Coords["x"].Labels; len(got) != 6 || got[5] != labels[5] {
				t.Errorf("%s, %s: labels %v, expected %v", what, name, got, labels)
			}
		}
	}
}
