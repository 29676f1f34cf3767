package netcdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestMembers reads every member of a compound, as h5py wrote them (interop/netcdf/typed.py).
func TestMembers(t *testing.T) {
	v := openFixture(t, "made/typed.h5").Root().Var("station")
	if v.Err == nil {
		t.Error("a compound with text in it was read as bytes")
	}
	want := map[string]string{
		"id":        "short [] [-7 300]",
		"at/x":      "float [] [1.5 -1]",
		"at/y":      "double [] [2.5 -2]",
		"corners/x": "array [3] [1 3 5 7 9 11]",
		"corners/y": "array [3] [2 4 6 8 10 12]",
		"name":      "string [] [abcd ef]",
		"note":      "string [] [größe ]",
		"counts":    "array [2] [8 9 65535 0]",
		"colour":    "enum [] [250 1]",
		"levels":    "vlen [] [3 0] [1 2 3]",
	}
	for _, path := range v.Type.MemberPaths() {
		m, err := v.Member(path...)
		if err != nil {
			t.Errorf("%v: %v", path, err)
			continue
		}
		name := strings.Join(path, "/")
		if m.Path != "/station/"+name {
			t.Errorf("path %s of member %s", m.Path, name)
		}
		if got := fmt.Sprintf("%v %v %s", m.Type.Class, m.Type.Shape, printed(t, m)); got != want[name] {
			t.Errorf("%s: %s, expected %s", name, got, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("no member %s", name)
	}
	if _, err := v.Member("at", "z"); err == nil {
		t.Error("a member that is not there was found")
	}
	if _, err := v.Member("id", "x"); err == nil {
		t.Error("a member of a number was found")
	}
}

// TestMemberOfChunks reads one member of compounds in chunks, most of which are not stored.
func TestMemberOfChunks(t *testing.T) {
	v := openFixture(t, "made/typed.h5").Root().Var("chunked")
	y, err := v.Member("y")
	if err != nil {
		t.Fatal(err)
	}
	if got := printed(t, y); got != "[2 8 8 8 8 8 8 8 8 8 8 8]" {
		t.Errorf("y is %s, expected 2 and eleven fill values of 8", got)
	}
	box := make([]byte, 16)
	if err := y.Read(context.Background(), box, []uint64{0, 0}, []uint64{2, 1}); err != nil {
		t.Fatal(err)
	}
	if a, b := float64At(box, 0), float64At(box, 1); a != 2 || b != 8 {
		t.Errorf("the first column begins with %v, %v, expected 2, 8", a, b)
	}
}

func float64At(b []byte, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
}

// printed writes all elements of a variable.
func printed(t *testing.T, v *Var) string {
	t.Helper()
	ctx := context.Background()
	var err error
	var list any
	switch v.Type.Class {
	case String, Char:
		list, err = v.ReadStrings(ctx, nil, nil)
	case Vlen:
		var r *Ragged
		if r, err = v.ReadRagged(ctx, nil, nil); err == nil {
			return fmt.Sprint(r.Counts, numbersOf(v.Type.Base, r.Values))
		}
	default:
		b := make([]byte, v.Size())
		err = v.Read(ctx, b, nil, nil)
		list = numbersOf(v.Type, b)
	}
	if err != nil {
		t.Errorf("%s: %v", v.Path, err)
	}
	return fmt.Sprint(list)
}

func numbersOf(t *Type, b []byte) any {
	for t.Class == Array || t.Class == Enum {
		t = t.Base
	}
	return attrValue(t.Class, b)
}

func TestTypedAttributes(t *testing.T) {
	f := openFixture(t, "made/typed.h5")
	v := f.Root().Var("station")
	point := func(x, y float64) Record { return Record{{Name: "x", Value: x}, {Name: "y", Value: y}} }
	for name, want := range map[string]any{
		"points":      []Record{point(1, 2), point(3, 4)},
		"ragged":      []any{[]int64{1, 2}, []int64{3}},
		"colour":      []uint64{250},
		"scalar_text": []string{"é"},
		"chars":       "abc",
		"first": []Record{{{Name: "id", Value: int64(-7)}, {Name: "at", Value: point(1.5, 2.5)},
			{Name: "corners", Value: []Record{point(1, 2), point(3, 4), point(5, 6)}}, {Name: "name", Value: "abcd"},
			{Name: "note", Value: "größe"}, {Name: "counts", Value: []uint64{8, 9}}, {Name: "colour", Value: uint64(250)},
			{Name: "levels", Value: []int64{1, 2, 3}}}},
	} {
		a := v.Attr(name)
		if a == nil || a.Err != nil || !reflect.DeepEqual(a.Value, want) {
			t.Errorf("%s: %+v, expected %v", name, a, want)
		}
	}
	if c := v.Attr("scalar_text").Type; c.Class != String || !c.UTF8 {
		t.Errorf("scalar_text is of type %+v, expected a UTF-8 string", c)
	}
	if c := v.Attr("chars").Type; c.Class != Char {
		t.Errorf("chars is of type %+v, expected char", c)
	}
	to := v.Attr("to").Value.([]Ref)
	if len(to) != 1 || f.PathOf(to[0]) != "/chunked" {
		t.Errorf("to is %v, expected a reference to /chunked", to)
	}
}

func TestText(t *testing.T) {
	root := openFixture(t, "made/typed.h5").Root()
	ctx := context.Background()
	for _, c := range []struct {
		name, encoding, chars string
		width                 int
		strings               []string
	}{
		{"texts", "utf-8", "größer\x00\x00\x00\x00\x00\x00\x00\x00b\x00\x00\x00\x00\x00\x00\x00", 8, []string{"größer", "", "b"}},
		{"fixed", "ascii", "ab\x00\x00\x00abcde", 5, []string{"ab", "abcde"}},
		{"one", "utf-8", "alone", 5, []string{"alone"}},
	} {
		v := root.Var(c.name)
		chars, width, err := v.ReadChars(ctx, nil, nil)
		if err != nil || string(chars) != c.chars || width != c.width {
			t.Errorf("%s: %q of %d, %v; expected %q of %d", c.name, chars, width, err, c.chars, c.width)
		}
		if s, err := v.ReadStrings(ctx, nil, nil); err != nil || !slices.Equal(s, c.strings) {
			t.Errorf("%s: %q, %v; expected %q", c.name, s, err, c.strings)
		}
		if e := v.Encoding(); e != c.encoding {
			t.Errorf("%s: encoding %q, expected %q", c.name, e, c.encoding)
		}
	}
}

// TestCharText reads rows of characters as strings.
func TestCharText(t *testing.T) {
	v := openFixture(t, "record_with_char.nc").Root()
	var char *Var
	for _, x := range v.Vars {
		if x.Type.Class == Char {
			char = x
		}
	}
	chars, width, err := char.ReadChars(context.Background(), nil, nil)
	if err != nil || width != int(char.Shape()[len(char.Shape())-1]) || len(chars) != int(char.Len()) {
		t.Fatalf("%d characters in rows of %d, %v", len(chars), width, err)
	}
	s, err := char.ReadStrings(context.Background(), nil, nil)
	if err != nil || len(s) != len(chars)/width || s[0] != strings.TrimRight(string(chars[:width]), "\x00") {
		t.Errorf("%q, %v, of %q", s, err, chars)
	}
	if _, err := v.Var("time").ReadStrings(context.Background(), nil, nil); err == nil {
		t.Error("numbers were read as text")
	}
}

func TestRaggedAndReferences(t *testing.T) {
	f := openFixture(t, "made/typed.h5")
	root := f.Root()
	if got := printed(t, root.Var("levels")); got != "[2 0 0 1] [1.5 2.5 3.5]" {
		t.Errorf("levels: %s", got)
	}
	paths := map[string][]string{"refs": {"/station", "/", ""}, "regions": {"/chunked", ""}}
	for name, want := range paths {
		refs, err := root.Var(name).ReadRefs(context.Background(), nil, nil)
		if err != nil || len(refs) != len(want) {
			t.Errorf("%s: %v, %v", name, refs, err)
			continue
		}
		for i, r := range refs {
			if f.PathOf(r) != want[i] || r.Region != (name == "regions") {
				t.Errorf("%s[%d]: %+v is %q, expected %q", name, i, r, f.PathOf(r), want[i])
			}
		}
	}
	times := root.Var("times")
	if times.Type.Tag != "NUMPY:<M8[s]" || times.Type.Size != 8 {
		t.Errorf("times: %+v, expected opaque of 8 bytes", times.Type)
	}
	var unsupported *UnsupportedError
	if _, err := times.ReadRefs(context.Background(), nil, nil); !errors.As(err, &unsupported) {
		t.Errorf("opaque data read as references: %v", err)
	}
	if c := root.Var("colour").Type; c.Class != Enum || !reflect.DeepEqual(c.Members, []EnumMember{{"blue", 250}, {"green", 1}, {"red", 0}}) {
		t.Errorf("colour: %+v", c)
	}
}
