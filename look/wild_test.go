package look_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/look"
)

const wild = "../fixtures/netcdf/wild"

// wildFields lists the slices of a file of fixtures/netcdf/wild.
func wildFields(t *testing.T, name string, opts look.Options) []*look.Field {
	t.Helper()
	opts.Slices = true
	l := look.NewLister(opts)
	a, err := archive.List(t.Context(), []string{filepath.Join(wild, name)}, archive.Options{Select: l.Add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	fields, err := l.Fields(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// TestWild compares files in the style of models, satellites and floats with results of xarray,
// cftime and pyproj, see interop/netcdf/make_wild.py: the time of each slice, the value nearest to
// a place, and where it lies.
func TestWild(t *testing.T) {
	text, err := os.ReadFile("testdata/wild.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		File, Variable string
		Slices         []struct {
			Time            string
			Lat, Lon, Value float64
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		var fields []*look.Field
		for _, f := range wildFields(t, c.File, look.Options{}) {
			if f.Name == c.Variable {
				fields = append(fields, f)
			}
		}
		if len(fields) != len(c.Slices) || len(fields) == 0 {
			t.Errorf("%s: %d slices of %s, expected %d", c.File, len(fields), c.Variable, len(c.Slices))
			continue
		}
		for i, want := range c.Slices {
			f := fields[i]
			grid, err := f.Grid(t.Context())
			if err != nil {
				t.Errorf("%s: %v", c.File, err)
				continue
			}
			n, err := grid.Nearest(47.1, 9.2)
			if err != nil {
				t.Fatal(err)
			}
			lat, lon, err := grid.Places().At(n)
			if err != nil {
				t.Fatal(err)
			}
			values, err := f.Values(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(lat-want.Lat) < 2e-6) || !(math.Abs(math.Remainder(lon-want.Lon, 360)) < 2e-6) || !(math.Abs(values[n]-want.Value) < 1e-5) || f.ValidTime() != want.Time {
				t.Errorf("%s: slice %d of %s is %v at %v %v at %q, expected %+v", c.File, i, c.Variable, values[n], lat, lon, f.ValidTime(), want)
			}
		}
	}
}

// TestWildOthers wants no slices of coordinates and of what describes grids, and texts to be known as texts.
func TestWildOthers(t *testing.T) {
	for file, want := range map[string]map[string]bool{
		"wrf.nc":     {"T2": true, "T": true, "Times": false},
		"roms.nc":    {"temp": true, "ubar": true, "spherical": false},
		"rotated.nc": {"tas": true},
		"goes.nc":    {"Rad": true},
		"argo.nc":    {"TEMP": true, "JULD": true, "PLATFORM_NUMBER": false, "DATA_TYPE": false, "DIRECTION": false},
		"ugrid.nc":   {"depth": true, "level": true},
		"mpas.nc":    {"ssh": true},
		"names.nc":   {"columns": true, "last": true, "gw": false},
	} {
		got := make(map[string]bool)
		for _, f := range wildFields(t, file, look.Options{}) {
			got[f.Name] = f.HasGrid()
			if f.Text != (f.Name == "Times" || file == "argo.nc" && f.Name != "TEMP" && f.Name != "JULD") {
				t.Errorf("%s: %s is text: %v", file, f.Name, f.Text)
			}
		}
		for name, placed := range want {
			if has, ok := got[name]; !ok || has != placed {
				t.Errorf("%s: %s is there: %v, with a place: %v, expected %v", file, name, ok, has, placed)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v, expected %v", file, got, want)
		}
	}
}
