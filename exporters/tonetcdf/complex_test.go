package tonetcdf_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestComplexBack holds that complex numbers come back with both parts, also where one is NaN, of
// any bits, or infinite.
func TestComplexBack(t *testing.T) {
	part := ncwrite.Atomic(netcdf.Double)
	number := &netcdf.Type{Class: netcdf.Compound, Name: "complex", Size: 16,
		Fields: []netcdf.Field{{Name: "r", Type: part}, {Name: "i", Offset: 8, Type: part}}}
	units := []netcdf.Attr{{Name: "units", Type: ncwrite.Atomic(netcdf.Char), Value: "m"}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 3}}, Types: []*netcdf.Type{number}}
	for _, name := range []string{"finite", "whole", "mixed"} {
		root.Vars = append(root.Vars, &ncwrite.Var{Name: name, Type: number, Dims: []string{"x"}, Attrs: units})
	}
	nan, inf := math.Float64frombits(0x7ff8<<48), math.Inf(1)
	w, path := create(t, netcdf.NetCDF4, root)
	for i, numbers := range [][]float64{
		{1, 2, 3, 4, 5, 6}, {1, 2, nan, nan, -inf, -inf}, {nan, 2, 3, -inf, math.Float64frombits(0xfff8000000000001), math.Copysign(0, -1)},
	} {
		data, err := binary.Append(nil, binary.LittleEndian, numbers)
		if err == nil {
			err = w.Write(t.Context(), root.Vars[i], []uint64{0}, []uint64{3}, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, split := range []fromnetcdf.Split{fromnetcdf.SplitFile, fromnetcdf.SplitVariable} {
		back, notes := export(t, fromNetCDF(t, path, split), tonetcdf.Options{})
		if len(notes) > 0 {
			t.Errorf("warnings %q", notes)
		}
		for _, v := range root.Vars {
			want, got := make([]byte, 3*16), make([]byte, 3*16)
			if err := open(t, path).Root().Var(v.Name).Read(t.Context(), want, nil, nil); err != nil {
				t.Fatal(err)
			}
			other := open(t, back).Root().Var(v.Name)
			if err := other.Read(t.Context(), got, nil, nil); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) || other.Type.Name != "complex" || other.Attr("units") == nil {
				t.Errorf("%s: %x of type %s, expected %x", v.Name, got, other.Type.Name, want)
			}
		}
	}
}

// TestRefusedNames leaves out a variable whose type netCDF refuses, and writes the others.
func TestRefusedNames(t *testing.T) {
	back, notes := export(t, fromNetCDF(t, "testdata/members.h5", fromnetcdf.SplitFile), tonetcdf.Options{})
	root := open(t, back).Root()
	if root.Var("plain") == nil || root.Var("odd") != nil {
		t.Errorf("%d variables, expected plain alone", len(root.Vars))
	}
	for _, name := range []string{"odd", "pairs", "waves"} {
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, "variable "+name+" is left out") }) {
			t.Errorf("no warning names %s: %q", name, notes)
		}
	}
}
