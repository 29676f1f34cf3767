package tonetcdf_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// A given variable is one of a file that a test writes, with its elements.
type given struct {
	*ncwrite.Var
	data []byte
}

// writeNetCDF writes a file of dimensions and variables and returns its path.
func writeNetCDF(t *testing.T, kind netcdf.Kind, dims []*netcdf.Dim, vars ...given) string {
	t.Helper()
	root := &ncwrite.Group{Dims: dims}
	for _, v := range vars {
		root.Vars = append(root.Vars, v.Var)
	}
	w, path := create(t, kind, root)
	for _, v := range vars {
		if err := w.Write(t.Context(), v.Var, nil, nil, v.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// create begins a file, which is closed at the end of the test.
func create(t *testing.T, kind netcdf.Kind, root *ncwrite.Group) (w *ncwrite.Writer, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "in.nc")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if w, err = ncwrite.Create(file, kind, root); err != nil {
		t.Fatal(err)
	}
	return w, path
}

// sameFile converts a netCDF file and back, and compares the bytes.
func sameFile(t *testing.T, path string) {
	t.Helper()
	out, notes := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil || !bytes.Equal(got, want) || len(notes) > 0 {
		t.Errorf("%d bytes, notes %q, %v, that are not the %d of the source", len(got), notes, err, len(want))
	}
}

// nans32 and nans64 are NaN with several signs and payloads, among numbers.
func nans32() (b []byte) {
	for _, x := range []uint32{0, 0xffc00000, 0x7fc00000, 0x3f800000, 0x7fc00001, 0x7fa00000, 0xc479c000, 0xffffffff, 0xffc00000} {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func nans64() (b []byte) {
	for _, x := range []uint64{0, 0xfff8 << 48, 0x7ff8 << 48, 0x3ff0 << 48, 0x7ff8<<48 + 1, 0x7ff4 << 48, math.Float64bits(-999), math.MaxUint64, 0xfff8 << 48} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// TestBitsOfNaN converts variables and attributes of NaN with other bits than the usual ones.
func TestBitsOfNaN(t *testing.T) {
	f32, f64 := ncwrite.Atomic(netcdf.Float), ncwrite.Atomic(netcdf.Double)
	negative := math.Float64frombits(0xfff8 << 48)
	for _, test := range []struct {
		name string
		fill []float64
	}{{"no fill value", nil}, {"a number", []float64{-999}}, {"NaN", []float64{math.Float64frombits(0x7ff8 << 48)}}, {"another NaN", []float64{negative}}} {
		t.Run(test.name, func(t *testing.T) {
			var of32, of64 []netcdf.Attr
			if test.fill != nil {
				of32 = []netcdf.Attr{{Name: "_FillValue", Type: f32, Value: test.fill}}
				of64 = []netcdf.Attr{{Name: "_FillValue", Type: f64, Value: test.fill}, {Name: "valid_range", Type: f64, Value: []float64{1, negative}}}
			}
			x := []*netcdf.Dim{{Name: "x", Len: 9}}
			sameFile(t, writeNetCDF(t, netcdf.CDF1, x,
				given{&ncwrite.Var{Name: "a", Type: f32, Dims: []string{"x"}, Attrs: of32}, nans32()},
				given{&ncwrite.Var{Name: "b", Type: f64, Dims: []string{"x"}, Attrs: of64}, nans64()}))
		})
	}
}

// TestPadding converts variables whose padding is no fill value.
func TestPadding(t *testing.T) {
	dims := []*netcdf.Dim{{Name: "t", Len: 2, Unlimited: true}, {Name: "x", Len: 3}}
	sameFile(t, writeNetCDF(t, netcdf.CDF2, dims,
		given{&ncwrite.Var{Name: "crs", Type: ncwrite.Atomic(netcdf.Char), Padding: []byte{1, 2, 3}}, []byte("c")},
		given{&ncwrite.Var{Name: "a", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"t", "x"}, Padding: []byte{4, 5}}, []byte("abcdefghijkl")},
		given{&ncwrite.Var{Name: "b", Type: ncwrite.Atomic(netcdf.Byte), Dims: []string{"t", "x"}, Padding: []byte{0}}, []byte("abcdef")}))
}

// TestMissingInPieces converts a variable that is read in pieces and has several fill values.
func TestMissingInPieces(t *testing.T) {
	const n = 9 << 20
	data := make([]byte, 4*n)
	for i := range n {
		x := float32(i % 1000)
		switch {
		case i%(n/10) == 7:
			x = -1
		case i%(n/10) == 8:
			x = -2
		case i%(n/10) == 9:
			x = math.Float32frombits(0xffc00000)
		}
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(x))
	}
	f32 := ncwrite.Atomic(netcdf.Float)
	sameFile(t, writeNetCDF(t, netcdf.CDF1, []*netcdf.Dim{{Name: "y", Len: 9 << 10}, {Name: "x", Len: 1 << 10}},
		given{&ncwrite.Var{Name: "a", Type: f32, Dims: []string{"y", "x"}, Attrs: []netcdf.Attr{
			{Name: "_FillValue", Type: f32, Value: []float64{-1}}, {Name: "missing_value", Type: f32, Value: []float64{-2}}}}, data}))
}

// TestScalarAttributes converts attributes that are scalars as h5py writes them.
func TestScalarAttributes(t *testing.T) {
	attrs := []netcdf.Attr{
		{Name: "text", Type: ncwrite.Atomic(netcdf.String), Value: []string{"one"}, Scalar: true},
		{Name: "list", Type: ncwrite.Atomic(netcdf.String), Value: []string{"one"}},
		{Name: "number", Type: ncwrite.Atomic(netcdf.Double), Value: []float64{math.Float64frombits(0xfff8 << 48)}, Scalar: true},
	}
	path := writeNetCDF(t, netcdf.NetCDF4, nil, given{&ncwrite.Var{Name: "v", Type: ncwrite.Atomic(netcdf.Int), Attrs: attrs}, make([]byte, 4)})
	out, _ := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	scalars := func(path string) (list []bool) {
		for _, a := range open(t, path).Root().Vars[0].Attrs {
			list = append(list, a.Scalar)
		}
		return list
	}
	if got, want := scalars(out), []bool{true, false, true}; !slices.Equal(got, want) || !slices.Equal(scalars(path), want) {
		t.Errorf("scalars %v of %v, want %v", got, scalars(path), want)
	}
}

// TestMembersAndBytes converts compounds of text, sequences, characters and arrays, and opaque
// elements.
func TestMembersAndBytes(t *testing.T) {
	atomic := ncwrite.Atomic
	list := &netcdf.Type{Class: netcdf.Vlen, Name: "list", Base: atomic(netcdf.Short)}
	raw := &netcdf.Type{Class: netcdf.Opaque, Name: "raw", Size: 5}
	array := func(c netcdf.Class, n int) *netcdf.Type {
		return &netcdf.Type{Class: netcdf.Array, Base: atomic(c), Shape: []int{n}, Size: n * atomic(c).Size}
	}
	inner := &netcdf.Type{Class: netcdf.Compound, Name: "inner", Size: 24, Fields: []netcdf.Field{
		{Name: "text", Offset: 0, Type: atomic(netcdf.String)}, {Name: "n", Offset: 16, Type: atomic(netcdf.Int64)}}}
	outer := &netcdf.Type{Class: netcdf.Compound, Name: "outer", Size: 64, Fields: []netcdf.Field{
		{Name: "list", Offset: 0, Type: list}, {Name: "inner", Offset: 16, Type: inner}, {Name: "chars", Offset: 40, Type: array(netcdf.Char, 3)},
		{Name: "pair", Offset: 44, Type: array(netcdf.Float, 2)}, {Name: "raw", Offset: 52, Type: raw}}}
	record := func(text string, sequence ...int64) netcdf.Record {
		return netcdf.Record{{Name: "list", Value: sequence}, {Name: "inner", Value: netcdf.Record{{Name: "text", Value: text}, {Name: "n", Value: int64(len(text))}}},
			{Name: "chars", Value: []byte("ab\x00")}, {Name: "pair", Value: []float64{1, 2.5}}, {Name: "raw", Value: []byte("12\x0045")}}
	}
	v := &ncwrite.Var{Name: "v", Type: outer, Dims: []string{"x"}}
	opaque := &ncwrite.Var{Name: "o", Type: raw, Dims: []string{"x"}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 3}}, Types: []*netcdf.Type{list, raw, inner, outer}, Vars: []*ncwrite.Var{v, opaque}}
	w, path := create(t, netcdf.NetCDF4, root)
	values := []netcdf.Record{record("first", 1, -2, 300), record(""), record("größer", 7)}
	if err := w.WriteValues(t.Context(), v, nil, nil, values); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), opaque, nil, nil, []byte("abcde\x00ghi\x00klmno")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out, notes := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	if len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
	texts := func(path string) (list []string) {
		f := open(t, path)
		for _, v := range f.Root().Vars {
			if v.Type.Class == netcdf.Opaque {
				b := make([]byte, 15)
				if err := v.Read(t.Context(), b, nil, nil); err != nil {
					t.Fatal(err)
				}
				list = append(list, string(b))
				continue
			}
			for _, path := range v.Type.MemberPaths() {
				list = append(list, memberText(t, v, path))
			}
		}
		return list
	}
	if got, want := texts(out), texts(path); !slices.Equal(got, want) || len(want) != 7 {
		t.Errorf("%q, want %q", got, want)
	}
}

// memberText is a member of all elements of a variable.
func memberText(t *testing.T, v *netcdf.Var, path []string) string {
	t.Helper()
	m, err := v.Member(path...)
	if err != nil {
		t.Fatal(err)
	}
	switch m.Type.Class {
	case netcdf.String:
		chars, width, err := m.ReadChars(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%q by %d", chars, width)
	case netcdf.Vlen:
		r, err := m.ReadRagged(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(*r)
	}
	b := make([]byte, m.Size())
	if err := m.Read(t.Context(), b, nil, nil); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%v %x", path, b)
}

// TestBigEndianAttributes converts attributes of numbers in this byte order, which come back in it.
func TestBigEndianAttributes(t *testing.T) {
	attrs := []netcdf.Attr{
		{Name: "short", Type: ncwrite.Atomic(netcdf.Short), Value: []int64{-2, 300}, BigEndian: true},
		{Name: "little", Type: ncwrite.Atomic(netcdf.Short), Value: []int64{-2, 300}},
		{Name: "double", Type: ncwrite.Atomic(netcdf.Double), Value: []float64{1.5}, BigEndian: true, Scalar: true},
		{Name: "nan", Type: ncwrite.Atomic(netcdf.Float), Value: []float64{float64(math.Float32frombits(0xffc00000))}, BigEndian: true},
	}
	path := writeNetCDF(t, netcdf.NetCDF4, nil, given{&ncwrite.Var{Name: "v", Type: ncwrite.Atomic(netcdf.Int), Attrs: attrs}, make([]byte, 4)})
	out, notes := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
	if len(notes) > 0 {
		t.Errorf("warnings %q", notes)
	}
	text := func(path string) (list []string) {
		for _, a := range open(t, path).Root().Vars[0].Attrs {
			list = append(list, fmt.Sprintf("%s %v %v", a.Name, a.Value, a.BigEndian))
		}
		return list
	}
	want := []string{"short [-2 300] true", "little [-2 300] false", "double [1.5] true", "nan [NaN] true"}
	if got, read := text(out), text(path); !slices.Equal(got, want) || !slices.Equal(read, want) {
		t.Errorf("attributes %v of %v, expected %v", got, read, want)
	}
}
