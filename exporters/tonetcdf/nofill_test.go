package tonetcdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// noFillFile writes a variable without a fill value, one with it, and one that is no record.
func noFillFile(t *testing.T) string {
	t.Helper()
	list := []*ncwrite.Var{
		{Name: "bare", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"t"}, NoFill: true},
		{Name: "filled", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"t"}},
		{Name: "fixed", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"x"}, NoFill: true},
	}
	w, path := create(t, netcdf.NetCDF4, &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "t", Len: 2, Unlimited: true}, {Name: "x", Len: 2}}, Vars: list})
	for _, v := range list {
		if err := w.Write(t.Context(), v, []uint64{0}, []uint64{2}, []byte{7, 0, 2, 0}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNoFill holds that variables without a fill value, as nccopy and h5py write them, come back
// without one: readers of the netCDF library take the default fill value, such as -32767, for a
// missing value elsewhere. Where records are absent it is written.
func TestNoFill(t *testing.T) {
	path := noFillFile(t)
	for _, split := range []fromnetcdf.Split{fromnetcdf.SplitFile, fromnetcdf.SplitRecord} {
		got, notes := export(t, fromNetCDF(t, path, split), tonetcdf.Options{})
		if len(notes) > 0 {
			t.Errorf("notes %q", notes)
		}
		if s := noFillOf(t, got); s != "bare true [7 0 2 0] filled false [7 0 2 0] fixed true [7 0 2 0] " {
			t.Errorf("split %v: %s", split, s)
		}
	}
	if s := noFillOf(t, exportSecond(t, fromNetCDF(t, path, fromnetcdf.SplitRecord))); s != "bare false [1 128 2 0] filled false [1 128 2 0] fixed true [7 0 2 0] " {
		t.Errorf("second record alone: %s", s)
	}
}

// noFillOf lists the variables of a file, whether they have no fill value, and their elements.
func noFillOf(t *testing.T, path string) (s string) {
	t.Helper()
	for _, v := range open(t, path).Root().Vars {
		s += fmt.Sprintln(v.Name, v.Storage.NoFill, elements(t, v))
		s = s[:len(s)-1] + " "
	}
	return s
}

// exportSecond writes the second records.
func exportSecond(t *testing.T, f convertedFile) string {
	t.Helper()
	var objects []dataset.Object
	a, err := archive.List(t.Context(), []string{f.path}, archive.Options{Select: func(o *dataset.Object) bool {
		if i, ok := o.Base.RecordIndex(); !ok || i == 1 {
			objects = append(objects, *o)
		}
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	p, err := tonetcdf.NewPlan(t.Context(), dataset.ObjectList(objects), a, tonetcdf.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "out.nc")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := p.Files[0].Write(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOtherFill holds that fill values of an HDF5 file come back that no attribute has. Elements that are not
// written have them.
func TestOtherFill(t *testing.T) {
	said := netcdf.Attr{Name: "_FillValue", Type: ncwrite.Atomic(netcdf.Short), Value: []int64{-1}}
	list := []*ncwrite.Var{
		{Name: "plain", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"x"}},
		{Name: "said", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"x"}, Attrs: []netcdf.Attr{said}},
		{Name: "other", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"x"}, Fill: []byte{1, 2}},
		{Name: "swapped", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"x"}, Fill: []byte{1, 2}, BigEndian: true},
		{Name: "both", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"x"}, Fill: []byte{1, 2}, Attrs: []netcdf.Attr{said}},
		{Name: "scalar", Type: ncwrite.Atomic(netcdf.Char), Fill: []byte{' '}},
	}
	w, path := create(t, netcdf.NetCDF4, &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 2}}, Vars: list})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	fills := func(path string) (s string) {
		for _, v := range open(t, path).Root().Vars {
			s += fmt.Sprintln(v.Name, v.Storage.Fill, elements(t, v))
		}
		return s
	}
	const want = "plain [] [1 128 1 128]\nsaid [] [255 255 255 255]\nother [1 2] [1 2 1 2]\nswapped [1 2] [1 2 1 2]\nboth [1 2] [1 2 1 2]\nscalar [32] [32]\n"
	if got := fills(path); got != want {
		t.Errorf("the source has\n%sexpected\n%s", got, want)
	}
	back, notes := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	if got := fills(back); got != want || len(notes) > 0 {
		t.Errorf("notes %q, and\n%sexpected\n%s", notes, got, want)
	}
	classic, _ := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{Kind: netcdf.CDF2})
	if v := open(t, classic).Root().Var("other"); v.Storage.Fill != nil || fmt.Sprint(elements(t, v)) != "[1 2 1 2]" {
		t.Errorf("in a classic file: fill value %v, elements %v", v.Storage.Fill, elements(t, v))
	}
}
