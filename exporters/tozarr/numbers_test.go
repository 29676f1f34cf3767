package tozarr

import (
	"testing"

	"github.com/tgmconv/tgmconv/zarr"
)

func TestExtremes(t *testing.T) {
	nan := "\x00\x00\x00\x00\x00\x00\xf8\x7f"
	for _, test := range []struct {
		dtype           zarr.DataType
		data            string
		least, greatest string // empty for none
	}{
		{zarr.Int8, "\x05\x80\x7f", "-128", "127"},
		{zarr.Uint8, "\x05\x00\xff", "0", "255"},
		{zarr.Int16, "\x00\x80\xff\x7f", "-32768", "32767"},
		{zarr.Uint16, "\x02\x00\xff\xff\x01\x00", "1", "65535"},
		{zarr.Int32, "\xff\xff\xff\xff", "-1", "-1"},
		{zarr.Uint32, "\xff\xff\xff\xff", "4294967295", "4294967295"},
		{zarr.Int64, "\x01\x00\x00\x00\x00\x00\x00\x40\x02\x00\x00\x00\x00\x00\x00\x40", "4611686018427387905", "4611686018427387906"},
		{zarr.Uint64, "\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff\xff\xff\xff\xff", "18446744073709551614", "18446744073709551615"},
		{zarr.Float32, "\x00\x00\x80\x7f\x00\x00\x80\x3f", "1", "+Inf"},
		{zarr.Float64, nan + "\x00\x00\x00\x00\x00\x00\xf8\x3f" + nan, "1.5", "1.5"},
		{zarr.Float64, nan, "", ""},
		{zarr.Int64, "", "", ""},
		{zarr.Bool, "\x01", "", ""},
	} {
		least, greatest := extremes(test.dtype, []byte(test.data))
		if (least == nil) != (test.least == "") || least != nil && (least.Text('f', -1) != test.least || greatest.Text('f', -1) != test.greatest) {
			t.Errorf("%s %q: %v and %v, expected %s and %s", test.dtype, test.data, least, greatest, test.least, test.greatest)
		}
	}
}

func TestEqualElements(t *testing.T) {
	nan, other := "\x00\x00\x00\x00\x00\x00\xf8\x7f", "\x01\x00\x00\x00\x00\x00\xf8\x7f"
	one := "\x00\x00\x00\x00\x00\x00\xf0\x3f"
	for _, test := range []struct {
		dtype zarr.DataType
		a, b  string
		want  bool
	}{
		{zarr.Float64, nan + one, other + one, true},
		{zarr.Float64, nan + one, one + nan, false},
		{zarr.Int64, nan, other, false},
		{zarr.Int64, nan, nan, true},
	} {
		if got := equalElements(test.dtype, []byte(test.a), []byte(test.b)); got != test.want {
			t.Errorf("%s %q and %q: %t", test.dtype, test.a, test.b, got)
		}
	}
}
