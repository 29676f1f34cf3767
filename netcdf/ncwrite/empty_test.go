package ncwrite_test

import (
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestEmptyDimension writes netCDF-4 files with dimensions of length 0 that do not grow, as the
// scales of HDF5 files are.
func TestEmptyDimension(t *testing.T) {
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "none"}, {Name: "x", Len: 2}}, Vars: []*ncwrite.Var{
		{Name: "none", Type: atomic(netcdf.Double), Dims: []string{"none"}}, {Name: "v", Type: atomic(netcdf.Int), Dims: []string{"x", "none"}},
		{Name: "s", Type: atomic(netcdf.String), Dims: []string{"none"}}}}
	f := open(t, write(t, netcdf.NetCDF4, root, func(*ncwrite.Writer) {}))
	dims := f.Root().Dims
	if len(dims) != 2 || dims[0].Name != "none" || dims[0].Len != 0 || dims[0].Unlimited {
		t.Errorf("dimensions %+v, expected none of length 0 and x", dims)
	}
	for _, v := range root.Vars {
		got := f.Root().Var(v.Name)
		if got == nil || len(got.Dims) != len(v.Dims) || got.Dims[len(v.Dims)-1] != dims[0] {
			t.Errorf("variable %s: %+v, expected dimensions %v", v.Name, got, v.Dims)
		}
	}
}

// TestEmptyCharacter writes the zero byte as a character in a compound, and expects an empty text
// when it is read.
func TestEmptyCharacter(t *testing.T) {
	record := &netcdf.Type{Class: netcdf.Compound, Name: "record", Size: 2, Fields: []netcdf.Field{
		{Name: "c", Type: atomic(netcdf.Char)}, {Name: "n", Type: atomic(netcdf.Byte), Offset: 1}}}
	want := []netcdf.Record{{{Name: "c", Value: ""}, {Name: "n", Value: int64(1)}}, {{Name: "c", Value: "a"}, {Name: "n", Value: int64(2)}}}
	root := &ncwrite.Group{Types: []*netcdf.Type{record}, Attrs: []netcdf.Attr{{Name: "a", Type: record, Value: want}}}
	f := open(t, write(t, netcdf.NetCDF4, root, func(*ncwrite.Writer) {}))
	a := f.Root().Attrs
	if len(a) != 1 || !reflect.DeepEqual(a[0].Value, any(want)) {
		t.Errorf("attributes %+v, expected %+v", a, want)
	}
}
