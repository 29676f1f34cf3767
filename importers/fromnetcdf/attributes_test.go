package fromnetcdf

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

func TestAttributesInMetadata(t *testing.T) {
	units := &netcdf.Type{Class: netcdf.Compound, Fields: []netcdf.Field{
		{Name: "speed", Type: &netcdf.Type{Class: netcdf.Array, Shape: []int{5}, Base: &netcdf.Type{Class: netcdf.Char}}}}}
	list := []netcdf.Attr{
		{Name: "good", Type: &netcdf.Type{Class: netcdf.Int}, Value: []int64{7}},
		{Name: "large", Type: &netcdf.Type{Class: netcdf.UInt64}, Value: []uint64{1 << 63}},
		{Name: "latin", Type: &netcdf.Type{Class: netcdf.Char}, Value: "caf\xe9\x00"},
		{Name: "text", Type: &netcdf.Type{Class: netcdf.String}, Value: []string{"a"}},
		{Name: "sequences", Type: &netcdf.Type{Class: netcdf.Vlen}, Value: []any{[]int64{1, 2}, []int64{3}}},
		{Name: "compound", Type: &netcdf.Type{Class: netcdf.Compound}, Value: []netcdf.Record{{{Name: "x", Value: 1.5}, {Name: "n", Value: uint64(1 << 63)}}}},
		{Name: "units", Type: units, Value: []netcdf.Record{{{Name: "speed", Value: []string{"m", "/", "s", "", ""}}}}},
		{Name: "broken", Type: &netcdf.Type{Class: netcdf.Int}, Err: errors.New("damaged")},
	}
	var attrs mapping.Attributes
	if err := new(file).fileAttrs(&attrs, "g", list); err != nil {
		t.Fatal(err)
	}
	values, types := typedMaps(&attrs, "g")
	want := map[string]any{"good": int64(7), "large": "9223372036854775808", "latin": "café", "text": "a",
		"sequences": []any{[]int64{1, 2}, []int64{3}}, "compound": map[string]any{"x": 1.5, "n": "9223372036854775808"},
		"units": map[string]any{"speed": "m/s"}}
	if !reflect.DeepEqual(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
	if types["large"] != "uint64" || types["latin"] != "char" || types["text"] != "string" || types["compound"] != "compound" {
		t.Errorf("types %v", types)
	}
	if notes := attrNotes("", list); len(notes) != 1 || !strings.Contains(notes[0], "damaged") {
		t.Errorf("notes %q", notes)
	}
}
