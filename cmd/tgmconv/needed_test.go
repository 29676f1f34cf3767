package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// writeNeeding writes a netCDF file in which t needs a coordinate and its bounds, a grid mapping, and an
// ancillary variable; nothing needs other.
func writeNeeding(t *testing.T, path string) {
	t.Helper()
	variable := doubles
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Len: 2}, {Name: "y", Len: 3}, {Name: "nv", Len: 2}}}
	root.Vars = []*ncwrite.Var{
		variable("other", []string{"y"}, nil),
		variable("time", []string{"time"}, []string{"units", "days since 2000-01-01", "bounds", "time_bnds"}),
		variable("time_bnds", []string{"time", "nv"}, nil),
		variable("crs", nil, []string{"grid_mapping_name", "latitude_longitude"}),
		variable("height", nil, []string{"units", "m"}),
		variable("y", []string{"y"}, []string{"units", "degrees_north"}),
		variable("t_error", []string{"time", "y"}, nil),
		variable("t", []string{"time", "y"}, []string{"grid_mapping", "crs", "ancillary_variables", "t_error", "coordinates", "height"}),
	}
	writeDoubles(t, path, root, [][]uint64{{3}, {2}, {2, 2}, nil, nil, {3}, {2, 3}, {2, 3}})
}

// writeRagged writes a netCDF file in which v is a ragged array, of which counts says how many elements
// belong together, and lies on geometries, of which nodes has the numbers of nodes.
func writeRagged(t *testing.T, path string) {
	t.Helper()
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "obs", Len: 4}, {Name: "station", Len: 2}}}
	root.Vars = []*ncwrite.Var{
		doubles("other", []string{"station"}, nil),
		doubles("counts", []string{"station"}, []string{"sample_dimension", "obs"}),
		doubles("nodes", []string{"station"}, nil),
		doubles("shapes", nil, []string{"geometry_type", "line", "node_count", "nodes"}),
		doubles("v", []string{"obs"}, []string{"geometry", "shapes"}),
	}
	writeDoubles(t, path, root, [][]uint64{{2}, {2}, {2}, nil, {4}})
}

// doubles is a variable with attributes: names, each followed by its text.
func doubles(name string, dims, attrs []string) *ncwrite.Var {
	v := &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Double), Dims: dims}
	for i := 0; i < len(attrs); i += 2 {
		v.Attrs = append(v.Attrs, netcdf.Attr{Name: attrs[i], Type: ncwrite.Atomic(netcdf.Char), Value: attrs[i+1]})
	}
	return v
}

// writeDoubles writes variables of shapes.
func writeDoubles(t *testing.T, path string, root *ncwrite.Group, shapes [][]uint64) {
	t.Helper()
	nctest.Write(t, path, netcdf.CDF2, root, func(w *ncwrite.Writer) error {
		for i, v := range root.Vars {
			n := uint64(1)
			for _, length := range shapes[i] {
				n *= length
			}
			values := make([]float64, n)
			for k := range values {
				values[k] = float64(100*i + k)
			}
			if err := w.WriteValues(t.Context(), v, make([]uint64, len(shapes[i])), shapes[i], values); err != nil {
				return err
			}
		}
		return nil
	})
}

// variablesOf are the names of the variables of a file or store.
func variablesOf(t *testing.T, path string) []string {
	t.Helper()
	names := make(map[string]bool)
	switch filepath.Ext(path) {
	case ".zarr":
		found, err := filepath.Glob(filepath.Join(path, "*", "zarr.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			names[filepath.Base(filepath.Dir(name))] = true
		}
	case ".json":
		var doc struct {
			Refs map[string]any `json:"refs"`
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		for key := range doc.Refs {
			if name, isArray := strings.CutSuffix(key, "/.zarray"); isArray {
				names[name] = true
			}
		}
	default:
		a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		for _, g := range a.Set.Groups {
			for _, v := range g.Variables {
				names[v.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// TestNeededGoesAlong: every verb that writes chosen objects writes what these need, and nothing else.
func TestNeededGoesAlong(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeNeeding(t, at("in.nc"))
	other := &sourceFile{number: 1, vars: []string{"rain"}, times: []float64{0, 1}, since: "1990-01-01", lats: []float64{10, 20, 30}, title: "other"}
	other.write(t, at("other.nc"))
	tetFile := (&tetSource{"in.tet", []string{"t", "rain"}, []string{"-90", "0", "90"}, 1000}).write(t, dir)
	runs(t, "convert", "-q", "-o", at("in.tgm"), at("in.nc"))
	runs(t, "convert", "-q", "--split-by", "variable", "-o", at("split.tgm"), at("in.nc"))
	runs(t, "convert", "-q", "-o", at("other.tgm"), at("other.nc"))
	runs(t, "merge", "-o", at("merged.tgm"), at("other.tgm"), at("in.tgm"))
	runs(t, "convert", "-q", "-o", at("tet.tgm"), tetFile)
	needed := []string{"crs", "height", "t", "t_error", "time", "time_bnds", "y"}
	labels := []string{"lat", "lon", "t"}
	for _, c := range []struct {
		inputs []string
		want   []string
	}{
		{[]string{at("in.nc")}, needed}, {[]string{at("in.tgm")}, needed}, {[]string{at("split.tgm")}, needed}, {[]string{at("merged.tgm")}, needed},
		{[]string{at("other.nc"), at("in.nc")}, needed}, {[]string{tetFile}, labels}, {[]string{at("tet.tgm")}, labels},
	} {
		for verb, out := range map[string]string{"to-netcdf": "out.nc", "to-zarr": "out.zarr", "refs": "out.json", "copy": "out.tgm"} {
			if verb == "copy" && filepath.Ext(c.inputs[0]) != ".tgm" {
				continue
			}
			runs(t, append([]string{verb, "-w", "name=t", "-o", at(out)}, c.inputs...)...)
			if got := variablesOf(t, at(out)); !slices.Equal(got, c.want) {
				t.Errorf("%s -w name=t %s: %q, expected %q", verb, c.inputs, got, c.want)
			}
			if err := os.RemoveAll(at(out)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestVariableFlag: --variable also takes the variables that a variable needs.
func TestVariableFlag(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeNeeding(t, at("in.nc"))
	writeRagged(t, at("ragged.nc"))
	for _, c := range []struct {
		in, variable string
		want         []string
	}{
		{"in.nc", "t", []string{"crs", "height", "t", "t_error", "time", "time_bnds", "y"}},
		{"ragged.nc", "v", []string{"counts", "nodes", "shapes", "v"}},
	} {
		for verb, out := range map[string]string{"to-netcdf": "out.nc", "to-zarr": "out.zarr"} {
			runs(t, verb, "--variable", c.variable, "-o", at(out), at(c.in))
			if got := variablesOf(t, at(out)); !slices.Equal(got, c.want) {
				t.Errorf("%s --variable %s %s: %q, expected %q", verb, c.variable, c.in, got, c.want)
			}
			if err := os.RemoveAll(at(out)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestBareFileIsNoted: a netCDF file without variables is in the report, or written, where others have
// variables.
func TestBareFileIsNoted(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeNeeding(t, at("in.nc"))
	bare := &ncwrite.Group{Attrs: []netcdf.Attr{{Name: "title", Type: ncwrite.Atomic(netcdf.Char), Value: "nothing"}}}
	nctest.Write(t, at("bare.nc"), netcdf.CDF2, bare, func(*ncwrite.Writer) error { return nil })
	runs(t, "convert", "-q", "-o", at("in.tgm"), at("in.nc"))
	runs(t, "convert", "-q", "-o", at("bare.tgm"), at("bare.nc"))
	runs(t, "merge", "-o", at("merged.tgm"), at("in.tgm"), at("bare.tgm"))
	runs(t, "merge", "-o", at("first.tgm"), at("bare.tgm"), at("in.tgm"))
	runs(t, "cat", "-o", at("cat.tgm"), at("in.tgm"), at("bare.tgm"))
	for _, files := range [][]string{{at("merged.tgm")}, {at("first.tgm")}, {at("cat.tgm")}, {at("in.nc"), at("bare.nc")}} {
		a, err := archive.Open(t.Context(), files, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		notes := a.Set.Report.Notes()
		if len(notes) != 1 || !strings.HasSuffix(notes[0], "a netCDF file without variables is not shown; its attributes: title") {
			t.Errorf("%s: notes %q", files, notes)
		}
	}
	runs(t, "to-netcdf", "-q", "-o", at("out")+"/", at("merged.tgm"))
	if files, err := filepath.Glob(filepath.Join(at("out"), "*.nc")); err != nil || len(files) != 2 {
		t.Errorf("to-netcdf wrote %s, %v", files, err)
	}
}
