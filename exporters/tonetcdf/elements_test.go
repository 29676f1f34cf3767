package tonetcdf

import (
	"bytes"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestFillOf: the element at missing points is the first number of the attributes that an element
// can be, as convert-netcdf takes it.
func TestFillOf(t *testing.T) {
	for _, c := range []struct {
		class netcdf.Class
		name  string
		value any
		want  []byte
	}{
		{netcdf.Byte, "missing_value", []float64{1e20, 0.5, 2}, []byte{2}},
		{netcdf.Byte, "_FillValue", []int64{-99}, []byte{0x9d}},
		{netcdf.UByte, "missing_value", []int64{-1, 7}, []byte{7}},
		{netcdf.Short, "missing_value", []uint64{1 << 63, 5}, []byte{5, 0}},
		{netcdf.Byte, "missing_value", []float64{0.5}, []byte{0x81}}, // that of the library
		{netcdf.Float, "missing_value", []float64{0.5}, []byte{0, 0, 0, 0x3f}},
	} {
		if got := fillOf(c.class, []netcdf.Attr{{Name: c.name, Value: c.value}}); !bytes.Equal(got, c.want) {
			t.Errorf("%s %s %v: % x, expected % x", c.class, c.name, c.value, got, c.want)
		}
	}
}

// TestConvertIntegers: integers become the same numbers of another type, or are refused.
func TestConvertIntegers(t *testing.T) {
	for _, c := range []struct {
		dtype tgm.DType
		data  []byte
		class netcdf.Class
		want  []byte
	}{
		{tgm.Int64, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, netcdf.Double, []byte{0, 0, 0, 0, 0, 0, 0, 0xc0}},
		{tgm.Int32, []byte{3, 0, 0, 0}, netcdf.Float, []byte{0, 0, 0x40, 0x40}},
		{tgm.Uint8, []byte{200}, netcdf.Short, []byte{200, 0}},
		{tgm.Uint16, []byte{0xff, 0xff}, netcdf.Int, []byte{0xff, 0xff, 0, 0}},
		{tgm.Int64, []byte{1, 0, 0, 0, 0, 0, 0, 0x40}, netcdf.Int, nil},
		{tgm.Uint64, []byte{0, 0, 0, 0, 0, 0, 0, 0x80}, netcdf.Double, nil},
		{tgm.Int16, []byte{1, 2}, netcdf.Short, []byte{1, 2}},
	} {
		conv := &converter{class: c.class, size: ncwrite.Atomic(c.class).Size}
		got, err := conv.convert(&tgm.Array{DType: c.dtype, Data: c.data})
		if !bytes.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s % x as %s: % x, %v, expected % x", c.dtype, c.data, c.class, got, err, c.want)
		}
	}
}
