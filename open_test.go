package tgmconv_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/netcdf"
)

// TestOpen opens files of each format, and compares the values of a packed variable with those that
// package netcdf reads.
func TestOpen(t *testing.T) {
	for path, name := range map[string]string{
		"fixtures/netcdf/cf_temperature.nc": "temperature",
		"fixtures/tet/tetpy/weather.tet":    "t2m",
		"fixtures/grib/sanity.grib2":        "",
	} {
		ds, err := tgmconv.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer ds.Close()
		if text := ds.String(); !strings.Contains(text, "Dimensions:") || len(ds.Bad()) > 0 {
			t.Errorf("%s: %s, bad %v", path, text, ds.Bad())
		}
		for _, v := range ds.Variables() {
			n := uint64(1)
			for _, length := range v.Shape() {
				n *= length
			}
			values, err := v.Float64s(t.Context())
			if err != nil || uint64(len(values)) != n {
				t.Errorf("%s: %s: %d values of shape %v, error %v", path, v.Path(), len(values), v.Shape(), err)
			}
			if v.Path() == name && strings.HasSuffix(path, ".nc") {
				compare(t, path, name, values)
			}
		}
		if name != "" && ds.Variable(name) == nil || ds.Variable("nothing") != nil {
			t.Errorf("%s: variables %v", path, ds.Variables())
		}
	}
}

func compare(t *testing.T, path, name string, values []float64) {
	f, err := netcdf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := f.Root().Var(name).Float64s(t.Context(), nil, nil)
	if err != nil || fmt.Sprint(values) != fmt.Sprint(want) { // NaN is not equal to itself
		t.Errorf("%s: %v, error %v, expected %v", name, values, err, want)
	}
}

func TestOpenNothing(t *testing.T) {
	if _, err := tgmconv.Open(t.Context()); err == nil {
		t.Error("no paths are opened")
	}
	if _, err := tgmconv.Open(t.Context(), filepath.Join(t.TempDir(), "none.grib2")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, expected that the file does not exist", err)
	}
	if _, err := tgmconv.Open(t.Context(), "README.md"); err == nil {
		t.Error("a text is opened")
	}
}
