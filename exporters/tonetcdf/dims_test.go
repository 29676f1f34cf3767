package tonetcdf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestDimensionsOfOtherGroups converts variables on dimensions of other groups. Others of the same name hide
// them, or they lie in a group beside. It also converts sequences on two dimensions, the second one
// unlimited.
func TestDimensionsOfOtherGroups(t *testing.T) {
	f32 := ncwrite.Atomic(netcdf.Float)
	lists := &netcdf.Type{Class: netcdf.Vlen, Name: "list", Base: ncwrite.Atomic(netcdf.Int)}
	hidden := &ncwrite.Var{Name: "hidden", Type: f32, Dims: []string{"/x", "x"}}
	beside := &ncwrite.Var{Name: "beside", Type: f32, Dims: []string{"/a/only"}}
	ragged := &ncwrite.Var{Name: "ragged", Type: lists, Dims: []string{"y", "t"}}
	root := &ncwrite.Group{
		Dims:  []*netcdf.Dim{{Name: "x", Len: 2}, {Name: "y", Len: 2}, {Name: "t", Len: 2, Unlimited: true}},
		Types: []*netcdf.Type{lists},
		Vars:  []*ncwrite.Var{ragged},
		Groups: []*ncwrite.Group{
			{Name: "a", Dims: []*netcdf.Dim{{Name: "x", Len: 3}, {Name: "only", Len: 4}}, Vars: []*ncwrite.Var{hidden}},
			{Name: "b", Vars: []*ncwrite.Var{beside}},
		},
	}
	w, path := create(t, netcdf.NetCDF4, root)
	for _, v := range []struct {
		v     *ncwrite.Var
		count []uint64
		bytes int
	}{{hidden, []uint64{2, 3}, 24}, {beside, []uint64{4}, 16}} {
		if err := w.Write(t.Context(), v.v, make([]uint64, len(v.count)), v.count, make([]byte, v.bytes)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out, notes := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	if len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
	names := func(path string) map[string][]string {
		all := make(map[string][]string)
		for v, dims := range open(t, path).DimNames() {
			all[v.Path] = dims
		}
		return all
	}
	want := map[string][]string{"/a/hidden": {"/x", "x"}, "/b/beside": {"/a/only"}, "/ragged": {"y", "t"}}
	if got := names(path); !reflect.DeepEqual(got, want) {
		t.Errorf("dimensions %v were written, want %v", got, want)
	}
	if got := names(out); !reflect.DeepEqual(got, want) {
		t.Errorf("dimensions %v, want %v", got, want)
	}
}

// TestHeaderFree converts a classic file with room after its header and after its elements, and
// compares the bytes.
func TestHeaderFree(t *testing.T) {
	v := &ncwrite.Var{Name: "v", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"t", "x"}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "t", Unlimited: true}, {Name: "x", Len: 3}}, Vars: []*ncwrite.Var{v}}
	path := filepath.Join(t.TempDir(), "in.nc")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := ncwrite.Create(file, netcdf.CDF2, root, ncwrite.WithHeaderFree(1000, []byte("old")), ncwrite.WithTail([]byte("tail"), 7))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), v, []uint64{0, 0}, []uint64{2, 3}, []byte("abcdefghijkl")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if free := open(t, path).HeaderFree; free != 1000 {
		t.Errorf("%d bytes are free after the header, want 1000", free)
	}
	out, _ := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v, that are not the %d of the source", len(got), err, len(want))
	}
}
