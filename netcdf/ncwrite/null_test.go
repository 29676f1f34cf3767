package ncwrite_test

import (
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestNull writes strings that are null pointers, reads them, and copies the file.
func TestNull(t *testing.T) {
	text := ncwrite.Atomic(netcdf.String)
	v := &ncwrite.Var{Name: "v", Type: text, Dims: []string{"x"}, Attrs: []netcdf.Attr{{Name: "a", Type: text, Value: []string{"", "b", ""}, Null: []int{2}}}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 4}}, Vars: []*ncwrite.Var{v}}
	out := new(memory)
	w, err := ncwrite.Create(out, netcdf.NetCDF4, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.WriteStrings(t.Context(), v, nil, nil, []string{"a", ncwrite.Null, "", ncwrite.Null}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := copied(netcdf.NetCDF4, open(t, out.b))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range [][]byte{out.b, again} {
		root := open(t, b).Root()
		nulls(t, root.Var("v"), []string{"a", "", "", ""}, []bool{false, true, false, true})
		if a := root.Var("v").Attr("a"); !reflect.DeepEqual(a.Value, []string{"", "b", ""}) || !reflect.DeepEqual(a.Null, []int{2}) {
			t.Errorf("%d: attribute %+v", i, a)
		}
	}
}

func nulls(t *testing.T, v *netcdf.Var, want []string, null []bool) {
	t.Helper()
	texts, err := v.ReadTexts(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(texts.Strings(), want) {
		t.Errorf("%s: %q, expected %q", v.Path, texts.Strings(), want)
	}
	for i, is := range null {
		if texts.Null(i) != is {
			t.Errorf("%s: element %d is null: %v, expected %v", v.Path, i, texts.Null(i), is)
		}
	}
}
