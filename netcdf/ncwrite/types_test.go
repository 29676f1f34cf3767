package ncwrite_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

func atomic(c netcdf.Class) *netcdf.Type { return ncwrite.Atomic(c) }

// userTypes returns a type of each kind that a group can define.
func userTypes() []*netcdf.Type {
	enum := &netcdf.Type{Class: netcdf.Enum, Name: "cloud", Size: 1, Base: atomic(netcdf.UByte),
		Members: []netcdf.EnumMember{{Name: "clear", Value: 0}, {Name: "missing", Value: 255}}}
	opaque := &netcdf.Type{Class: netcdf.Opaque, Name: "key", Size: 5, Tag: "five bytes"}
	sequence := &netcdf.Type{Class: netcdf.Vlen, Name: "row", Base: atomic(netcdf.Short)}
	plain := &netcdf.Type{Class: netcdf.Compound, Name: "point", Size: 24, Fields: []netcdf.Field{
		{Name: "id", Offset: 0, Type: atomic(netcdf.Int)},
		{Name: "xy", Offset: 8, Type: &netcdf.Type{Class: netcdf.Array, Size: 8, Base: atomic(netcdf.Float), Shape: []int{2}}},
		{Name: "cloud", Offset: 16, Type: enum},
	}}
	rich := &netcdf.Type{Class: netcdf.Compound, Name: "station", Fields: []netcdf.Field{
		{Name: "name", Type: atomic(netcdf.String)},
		{Name: "values", Type: sequence},
		{Name: "at", Type: plain},
		{Name: "key", Type: opaque},
	}}
	return []*netcdf.Type{enum, opaque, sequence, plain, rich}
}

func record(fields ...any) netcdf.Record {
	var r netcdf.Record
	for i := 0; i < len(fields); i += 2 {
		r = append(r, struct {
			Name  string
			Value any
		}{fields[i].(string), fields[i+1]})
	}
	return r
}

// TestUserTypes writes variables and attributes of types that the file defines.
func TestUserTypes(t *testing.T) {
	types := userTypes()
	point := func(n int64) netcdf.Record {
		return record("id", n, "xy", []float64{1.5, float64(n)}, "cloud", uint64(255))
	}
	values := []any{
		[]uint64{0, 255, 0},
		[]byte("abcdefghijklmno"),
		[]any{[]int64{1, -2}, []int64{}, []int64{3}},
		[]netcdf.Record{point(1), point(-2), point(3)},
		[]netcdf.Record{
			record("name", "one", "values", []int64{7, 8}, "at", point(4), "key", []byte("12345")),
			record("name", "", "values", []int64{}, "at", point(5), "key", []byte("67890")),
			record("name", "drei°", "values", []int64{9}, "at", point(6), "key", []byte("vwxyz")),
		},
	}
	root := &ncwrite.Group{Types: types, Dims: []*netcdf.Dim{{Name: "x", Len: 3}}}
	inner := &ncwrite.Group{Name: "inner"}
	root.Groups = []*ncwrite.Group{inner}
	for i, typ := range types {
		root.Attrs = append(root.Attrs, netcdf.Attr{Name: "a_" + typ.Name, Type: typ, Value: values[i]})
		inner.Vars = append(inner.Vars, &ncwrite.Var{Name: "v_" + typ.Name, Type: typ, Dims: []string{"x"}},
			&ncwrite.Var{Name: "c_" + typ.Name, Type: typ, Dims: []string{"x"}, ChunkShape: []uint64{2}, Filters: []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(2)}})
	}
	b := write(t, netcdf.NetCDF4, root, func(w *ncwrite.Writer) {
		for i, v := range inner.Vars {
			if err := w.WriteValues(t.Context(), v, nil, nil, values[i/2]); err != nil {
				t.Fatal(err)
			}
		}
	})
	f := open(t, b)
	for i, typ := range types {
		a := f.Root().Attr("a_" + typ.Name)
		if a == nil || a.Err != nil || !reflect.DeepEqual(a.Value, values[i]) {
			t.Errorf("attribute of type %s: %v, want %v", typ.Name, a, values[i])
			continue
		}
		if got := f.Root().Types[i]; typeText(got) != typeText(typ) {
			t.Errorf("type %s, want %s", typeText(got), typeText(typ))
		}
		g := f.Root().Groups[0]
		v, c := g.Var("v_"+typ.Name), g.Var("c_"+typ.Name)
		if elements(t, v) != elements(t, c) || v.Type.Name != typ.Name {
			t.Errorf("variables of type %s: %s and %s", typ.Name, elements(t, v), elements(t, c))
		}
	}
	if got := elements(t, f.Root().Groups[0].Var("v_row")); got != "[0100feff  0300]" {
		t.Errorf("sequences %s", got)
	}
	names, err := f.Root().Groups[0].Var("c_station").Member("name")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := names.ReadStrings(t.Context(), nil, nil); err != nil || fmt.Sprintf("%q", text) != `["one" "" "drei°"]` {
		t.Errorf("names %q, error %v", text, err)
	}
}

func TestStrings(t *testing.T) {
	fixed := atomic(netcdf.String)
	fixed.TextBytes = 6
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "t", Unlimited: true}, {Name: "n", Len: 6}},
		Vars: []*ncwrite.Var{
			{Name: "text", Type: atomic(netcdf.String), Dims: []string{"t"}},
			{Name: "fixed", Type: fixed, Dims: []string{"t"}},
			{Name: "chars", Type: atomic(netcdf.Char), Dims: []string{"t", "n"}},
			{Name: "scalar", Type: atomic(netcdf.String)},
			{Name: "unwritten", Type: atomic(netcdf.String), Dims: []string{"n"}},
		},
	}
	text := []string{"a", "", "größe", "d", "e"}
	b := write(t, netcdf.NetCDF4, root, func(w *ncwrite.Writer) {
		for _, v := range root.Vars[:3] {
			for i, s := range text {
				start, count := []uint64{uint64(i), 0}[:len(v.Dims)], []uint64{1, 6}[:len(v.Dims)]
				if err := w.WriteStrings(t.Context(), v, start, count, []string{s}); err != nil && len(s) <= 6 {
					t.Fatal(err)
				}
			}
		}
		if err := w.WriteStrings(t.Context(), root.Vars[3], nil, nil, []string{strings.Repeat("long", 30000)}); err != nil {
			t.Fatal(err)
		}
	})
	f := open(t, b)
	for name, want := range map[string]string{"text": `["a" "" "größe" "d" "e"]`, "fixed": `["a" "" "" "d" "e"]`,
		"chars": `["a" "" "" "d" "e"]`, "unwritten": `["" "" "" "" "" ""]`} {
		got, err := f.Root().Var(name).ReadStrings(t.Context(), nil, nil)
		if err != nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("%s: %q, want %s, error %v", name, got, want, err)
		}
	}
	if got, err := f.Root().Var("scalar").ReadStrings(t.Context(), nil, nil); err != nil || len(got[0]) != 120000 {
		t.Errorf("long text of %d bytes, error %v", len(got[0]), err)
	}
}

// TestDimensions resolves names through groups. It keeps coordinate variables apart from other
// variables with the name of a dimension.
func TestDimensions(t *testing.T) {
	f64 := atomic(netcdf.Double)
	inner := &ncwrite.Group{Name: "in", Dims: []*netcdf.Dim{{Name: "x", Len: 4}}, Vars: []*ncwrite.Var{
		{Name: "near", Type: f64, Dims: []string{"y", "x"}},
		{Name: "far", Type: f64, Dims: []string{"/x", "/in/x"}},
		{Name: "x", Type: f64, Dims: []string{"x", "y"}},
	}}
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "x", Len: 2}, {Name: "y", Len: 3}, {Name: "z", Len: 5}, {Name: "u", Unlimited: true}},
		Vars: []*ncwrite.Var{
			{Name: "z", Type: f64, Dims: []string{"z"}}, // the order differs from the order of the dimensions
			{Name: "x", Type: f64, Dims: []string{"x"}},
			{Name: "y", Type: f64, Dims: []string{"x"}},
			{Name: "square", Type: f64, Dims: []string{"x", "x", "u"}},
		},
		Groups: []*ncwrite.Group{inner},
	}
	f := open(t, write(t, netcdf.NetCDF4, root, func(*ncwrite.Writer) {}))
	var got []string
	for _, g := range []*netcdf.Group{f.Root(), f.Root().Groups[0]} {
		for _, d := range g.Dims {
			got = append(got, fmt.Sprintf("%s=%d", d.Name, d.Len))
		}
		for _, v := range g.Vars {
			s := v.Name
			for _, d := range v.Dims {
				s += fmt.Sprintf(":%s%d", d.Name, d.Len)
			}
			got = append(got, s)
		}
	}
	want := "x=2 y=3 z=5 u=0 z:z5 x:x2 y:x2 square:x2:x2:u0 x=4 near:y3:x4 far:x2:x4 x:x4:y3"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// TestRefused lists models that cannot be written.
func TestRefused(t *testing.T) {
	x := func() []*netcdf.Dim { return []*netcdf.Dim{{Name: "x", Len: 2}} }
	v := func(change func(*ncwrite.Var)) *ncwrite.Group {
		v := &ncwrite.Var{Name: "v", Type: atomic(netcdf.Int), Dims: []string{"x"}}
		change(v)
		return &ncwrite.Group{Dims: x(), Vars: []*ncwrite.Var{v}}
	}
	for _, c := range []struct {
		kind netcdf.Kind
		root *ncwrite.Group
		want string
	}{
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Dims[0] = "y" }), "/v: there is no dimension y"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Name = "a/b" }), "slash"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Name = "" }), "no name"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Type = nil }), "no type"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.ChunkShape = []uint64{3} }), "chunks of 3 on dimension x of length 2"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.ChunkShape = []uint64{1, 1} }), "2 axes for 1"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Filters = []netcdf.Filter{ncwrite.Deflate(10)} }), "deflate level 10"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Attrs = []netcdf.Attr{{Name: "CLASS", Type: atomic(netcdf.Int)}} }), "reserved"},
		{netcdf.NetCDF4, v(func(v *ncwrite.Var) { v.Type = &netcdf.Type{Class: netcdf.Half} }), `no type "half"`},
		{netcdf.NetCDF4Classic, v(func(v *ncwrite.Var) { v.Type = atomic(netcdf.UInt) }), `no type "uint"`},
		{netcdf.CDF2, v(func(v *ncwrite.Var) { v.Type = atomic(netcdf.String) }), `no type "string"`},
		{netcdf.CDF1, v(func(v *ncwrite.Var) { v.Filters = []netcdf.Filter{ncwrite.Shuffle()} }), "no chunks and no filters"},
		{netcdf.CDF1, v(func(v *ncwrite.Var) {
			v.Attrs = []netcdf.Attr{{Name: "a", Type: atomic(netcdf.Byte), Value: []int64{200}}}
		}), "/v:a: element 0: 200 is not a number of type"},
		{netcdf.CDF5, &ncwrite.Group{Groups: []*ncwrite.Group{{Name: "g"}}}, "CDF-5 has no groups"},
		{netcdf.CDF1, &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 1 << 31}}}, "dimension of length 2147483648"},
		{netcdf.CDF5, &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "t", Unlimited: true}, {Name: "u", Unlimited: true}}}, "unlimited dimension after t"},
		{netcdf.NetCDF4Classic, &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x"}}}, "length 0"},
		{netcdf.NetCDF4, &ncwrite.Group{Dims: append(x(), x()...)}, "second dimension"},
		{netcdf.NetCDF4, &ncwrite.Group{Dims: x(), Groups: []*ncwrite.Group{{Name: "x"}}}, "dimension of the name of a group"},
		{netcdf.NetCDF4, &ncwrite.Group{Types: []*netcdf.Type{{Class: netcdf.Enum, Name: "e", Base: atomic(netcdf.Float)}}}, "expected an integer"},
		{"CDF-3", &ncwrite.Group{}, `format "CDF-3" is not supported`},
	} {
		w, err := ncwrite.Create(new(memory), c.kind, c.root)
		if err == nil {
			err = w.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected %q", err, c.want)
		}
		if e := (*ncwrite.ModelError)(nil); c.kind != "CDF-3" && !errors.As(err, &e) {
			t.Errorf("error %v is no ModelError", err)
		}
	}
}

// TestRefusedElements lists calls that fail and leave the writer usable.
func TestRefusedElements(t *testing.T) {
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 2}}, Vars: []*ncwrite.Var{
		{Name: "v", Type: atomic(netcdf.Int), Dims: []string{"x"}}, {Name: "s", Type: atomic(netcdf.String), Dims: []string{"x"}}}}
	write(t, netcdf.NetCDF4, root, func(w *ncwrite.Writer) {
		v, s, ctx := root.Vars[0], root.Vars[1], t.Context()
		for want, err := range map[string]error{
			"3 elements from 0":          w.Write(ctx, v, []uint64{0}, []uint64{3}, make([]byte, 12)),
			"5 bytes for elements of 4":  w.Write(ctx, v, nil, nil, make([]byte, 5)),
			"1 elements for a box of 2":  w.Write(ctx, v, nil, []uint64{2}, make([]byte, 4)),
			"entries for 1 dimensions":   w.Write(ctx, v, []uint64{0, 0}, nil, make([]byte, 4)),
			"not written as bytes":       w.Write(ctx, s, nil, nil, make([]byte, 32)),
			"is not in the file":         w.Write(ctx, &ncwrite.Var{Name: "other"}, nil, nil, nil),
			"text for type":              w.WriteStrings(ctx, v, nil, nil, []string{"a", "b"}),
			"not written as sequences":   w.WriteRagged(ctx, v, nil, nil, &netcdf.Ragged{}),
			"the variable has no chunks": w.WriteChunk(ctx, v, []uint64{0}, 0, []byte{1}),
			"value of Go type int":       w.WriteValues(ctx, v, nil, nil, 5),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, expected %q", err, want)
			}
		}
	})
}
