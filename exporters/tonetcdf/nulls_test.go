package tonetcdf_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestNullStrings holds that null pointers among strings come back: in variables, whole or as
// records, in members of compounds and in attributes.
func TestNullStrings(t *testing.T) {
	text := ncwrite.Atomic(netcdf.String)
	record := &netcdf.Type{Class: netcdf.Compound, Name: "record", Size: 16, Fields: []netcdf.Field{{Name: "s", Type: text}}}
	null := netcdf.Attr{Name: "a", Type: text, Value: []string{""}, Null: []int{0}}
	v := &ncwrite.Var{Name: "v", Type: text, Dims: []string{"t", "x"}, Attrs: []netcdf.Attr{null}}
	c := &ncwrite.Var{Name: "c", Type: record, Dims: []string{"x"}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "t", Len: 2, Unlimited: true}, {Name: "x", Len: 3}},
		Vars: []*ncwrite.Var{v, c}, Types: []*netcdf.Type{record}, Attrs: []netcdf.Attr{null}}
	source := filepath.Join(t.TempDir(), "source.nc")
	nctest.Write(t, source, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		if err := w.WriteStrings(t.Context(), v, []uint64{0, 0}, []uint64{2, 3}, []string{ncwrite.Null, "", "a", ncwrite.Null, ncwrite.Null, ""}); err != nil {
			return err
		}
		return w.WriteValues(t.Context(), c, nil, nil, []netcdf.Record{{{Name: "s", Value: ""}}, {{Name: "s", Value: ncwrite.Null}}, {{Name: "s", Value: "c"}}})
	})
	for _, split := range []fromnetcdf.Split{fromnetcdf.SplitFile, fromnetcdf.SplitRecord} {
		got, notes := export(t, fromNetCDF(t, source, split), tonetcdf.Options{})
		if len(notes) > 0 {
			t.Errorf("warnings: %q", notes)
		}
		root := open(t, got).Root()
		member, err := root.Var("c").Member("s")
		if err != nil {
			t.Fatal(err)
		}
		for v, want := range map[*netcdf.Var][]bool{root.Var("v"): {true, false, false, true, true, false}, member: {false, true, false}} {
			texts, err := v.ReadTexts(t.Context(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, is := range want {
				if texts.Null(i) != is {
					t.Errorf("split %d, %s: element %d is null: %v, expected %v", split, v.Path, i, texts.Null(i), is)
				}
			}
		}
		for what, list := range map[string][]netcdf.Attr{"file": root.Attrs, "variable": root.Var("v").Attrs} {
			if len(list) != 1 || !reflect.DeepEqual(list[0].Null, []int{0}) {
				t.Errorf("split %d, %s: attributes %+v", split, what, list)
			}
		}
	}
}
