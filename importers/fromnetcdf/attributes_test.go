package fromnetcdf

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

func TestAttributesThatMetadataCannotHoldAreTold(t *testing.T) {
	list := []netcdf.Attr{
		{Name: "good", Type: &netcdf.Type{Class: netcdf.Int}, Value: []int64{7}},
		{Name: "large", Type: &netcdf.Type{Class: netcdf.UInt64}, Value: []uint64{1 << 63}},
		{Name: "latin", Type: &netcdf.Type{Class: netcdf.Char}, Value: "caf\xe9\x00"},
		{Name: "sequence", Type: &netcdf.Type{Class: netcdf.Vlen}, Value: [][]byte{{1}}},
		{Name: "broken", Type: &netcdf.Type{Class: netcdf.Int}, Err: errors.New("damaged")},
	}
	var attrs mapping.Attributes
	if err := fileAttrs(&attrs, "g", list); err != nil {
		t.Fatal(err)
	}
	values, types := typedMaps(&attrs, "g")
	if want := (map[string]any{"good": int64(7), "large": "9223372036854775808", "latin": "café"}); !reflect.DeepEqual(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
	if types["large"] != "uint64" || types["latin"] != "string" {
		t.Errorf("types %v", types)
	}
	notes := attrNotes("", list)
	if len(notes) != 2 || !strings.Contains(notes[0], "sequence is left out: type vlen") || !strings.Contains(notes[1], "damaged") {
		t.Errorf("notes %q", notes)
	}
}
