package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/tet"
)

// A tetSource is a .tet file of a test: variables along lat and lon, whose values begin with base.
type tetSource struct {
	name string
	vars []string
	lats []string
	base float32
}

func (s *tetSource) write(t *testing.T, dir string) string {
	t.Helper()
	const lons = 3
	var specs []tet.DatasetSpec
	meta := tet.Metadata{Datasets: make(map[string]tet.DatasetMetadata)}
	for _, name := range s.vars {
		specs = append(specs, tet.DatasetSpec{Name: name, DType: tet.Float32, Shape: []int64{int64(len(s.lats)), lons}})
		meta.Datasets[name] = tet.DatasetMetadata{DimNames: []string{"lat", "lon"}, Attrs: map[string]string{"units": "K"},
			Coords: map[string]tet.CoordAxis{"lat": {Labels: s.lats}, "lon": {Labels: []string{"0", "10", "20"}}}}
	}
	path := filepath.Join(dir, s.name)
	w, err := tet.Create(path, specs, tet.WriterOptions{Metadata: meta})
	if err != nil {
		t.Fatal(err)
	}
	for i := range specs {
		var data []byte
		for k := range len(s.lats) * lons {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(s.base+float32(100*i+k)))
		}
		if err := w.WriteArray(context.Background(), i, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// shownTet lists the variables of the dataset of files: group, name, first value, latitudes.
func shownTet(t *testing.T, files ...string) (lines []string, apart string) {
	t.Helper()
	a, err := archive.Open(t.Context(), files, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, g := range a.Set.Groups {
		floats := func(name string) []float64 {
			if g.Variable(name) == nil {
				return nil
			}
			values, _, err := a.Set.Select(strings.Trim(g.Name+"/"+name, "/")).Floats(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
		for _, v := range g.Variables {
			if !v.Coordinate {
				lines = append(lines, fmt.Sprintf("%s%s%v from %v: %v", g.Name+"/", v.Name, v.Dims, floats(v.Name)[0], floats(v.Dims[0])))
			}
		}
	}
	return lines, a.Set.Report.Apart()
}

// TestTetFilesStayApart: .tet files with the same names and lengths of dimensions keep their own axes,
// given directly and in one file of messages.
func TestTetFilesStayApart(t *testing.T) {
	dir := t.TempDir()
	a := (&tetSource{"a.tet", []string{"t"}, []string{"-90", "0", "90"}, 1000}).write(t, dir)
	b := (&tetSource{"b.tet", []string{"rain", "snow"}, []string{"10", "15", "20"}, 5000}).write(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	runs(t, "convert", "-q", "-o", at("a.tgm"), a)
	runs(t, "convert", "-q", "-o", at("b.tgm"), b)
	runs(t, "convert", "-q", "-o", at("both.tgm"), a, b)
	runs(t, "convert", "-q", "--split-by", "dataset", "-o", at("split.tgm"), a, b)
	runs(t, "cat", "-o", at("cat.tgm"), at("a.tgm"), at("b.tgm"))
	runs(t, "merge", "-o", at("merge.tgm"), at("a.tgm"), at("b.tgm"))
	runs(t, "merge", "--sort", "name", "-o", at("sorted.tgm"), at("a.tgm"), at("b.tgm"))
	runs(t, "merge", "-o", at("twice.tgm"), at("a.tgm"), at("b.tgm"), at("a.tgm"))
	for _, files := range [][]string{
		{a, b}, {at("a.tgm"), at("b.tgm")}, {a, at("b.tgm")}, {at("both.tgm")}, {at("split.tgm")}, {at("cat.tgm")}, {at("merge.tgm")}, {at("sorted.tgm")},
		{at("twice.tgm")},
	} {
		lines, apart := shownTet(t, files...)
		for i := range lines {
			_, lines[i], _ = strings.Cut(lines[i], "/") // the names of the groups differ
		}
		slices.Sort(lines)
		want := []string{
			"rain[lat lon] from 5000: [10 15 20]", "snow[lat lon] from 5100: [10 15 20]", "t[lat lon] from 1000: [-90 0 90]",
		}
		if !slices.Equal(lines, want) || !strings.HasPrefix(apart, "2 .tet files are groups: lat differs between ") {
			t.Errorf("%s:\n%s\n%s", files, strings.Join(lines, "\n"), apart)
		}
	}
	for _, in := range [][]string{{at("both.tgm")}, {a, b}} {
		var stderr bytes.Buffer
		root := newRoot()
		root.SetErr(&stderr)
		code := run(t.Context(), root, append([]string{"to-netcdf", "-o", at("out.nc")}, in...), &stderr)
		if code != cli.ExitOK || !strings.Contains(stderr.String(), "2 .tet files are groups") {
			t.Errorf("to-netcdf %s: %d, %s", in, code, &stderr)
		}
		lines, _ := shownTet(t, at("out.nc"))
		if len(lines) != 3 || !strings.HasSuffix(lines[1], "/rain[lat lon] from 5000: [10 15 20]") {
			t.Errorf("to-netcdf %s: %q", in, lines)
		}
	}
	lines, _ := shownTet(t, a, b)
	if want := "b/rain[lat lon] from 5000: [10 15 20]"; !slices.Contains(lines, want) {
		t.Errorf("%q, expected %s", lines, want)
	}
}

// TestTetFilesOfOneGrid: files that agree on their axes, and name no variable alike, are one dataset.
func TestTetFilesOfOneGrid(t *testing.T) {
	dir := t.TempDir()
	lats := []string{"-90", "0", "90"}
	a := (&tetSource{"a.tet", []string{"t"}, lats, 1000}).write(t, dir)
	b := (&tetSource{"b.tet", []string{"rain"}, lats, 5000}).write(t, dir)
	again := (&tetSource{"again.tet", []string{"t"}, lats, 7000}).write(t, dir)
	both := filepath.Join(dir, "both.tgm")
	runs(t, "convert", "-q", "-o", both, a, b)
	for _, files := range [][]string{{a, b}, {both}} {
		lines, apart := shownTet(t, files...)
		if want := []string{"/t[lat lon] from 1000: [-90 0 90]", "/rain[lat lon] from 5000: [-90 0 90]"}; !slices.Equal(lines, want) || apart != "" {
			t.Errorf("%s: %q, %s", files, lines, apart)
		}
	}
	lines, apart := shownTet(t, a, again)
	if want := []string{"a/t[lat lon] from 1000: [-90 0 90]", "again/t[lat lon] from 7000: [-90 0 90]"}; !slices.Equal(lines, want) ||
		!strings.HasSuffix(apart, "have t") {
		t.Errorf("%q, %s", lines, apart)
	}
}

// TestTetBesideOthers: a .tet file does not get the axes of a netCDF file.
func TestTetBesideOthers(t *testing.T) {
	dir := t.TempDir()
	nc := &sourceFile{number: 1, vars: []string{"t"}, times: []float64{0}, since: "2020-01-01", lats: []float64{50, 60, 70}, title: "A"}
	nc.write(t, filepath.Join(dir, "a.nc"))
	b := (&tetSource{"b.tet", []string{"rain"}, []string{"10", "15", "20"}, 5000}).write(t, dir)
	lines, apart := shownTet(t, filepath.Join(dir, "a.nc"), b)
	if want := "b/rain[lat lon] from 5000: [10 15 20]"; !slices.Contains(lines, want) || !strings.Contains(apart, "b.tet is a group: ") {
		t.Errorf("%q, %s", lines, apart)
	}
}
