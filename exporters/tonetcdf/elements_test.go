package tonetcdf

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
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
		{netcdf.Byte, "missing_value", []float64{0.5}, []byte{0x81}}, // as the library has it
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

// TestConvertHalves: netCDF has no numbers of 16 bits, so they are float. NaN is a value, which only
// at missing points becomes the fill value.
func TestConvertHalves(t *testing.T) {
	fill := []byte{0, 0, 0xc8, 0xc2} // -100
	missing := bitmask.New(4)
	missing.Set(3)
	for _, c := range []struct {
		dtype tgm.DType
		data  []uint16
	}{
		{tgm.Float16, []uint16{0x4100, 0xfbff, 0x7e00, 0x7e00}},
		{tgm.BFloat16, []uint16{0x4020, 0xc77f, 0x7fc0, 0x7fc0}},
	} {
		var data []byte
		for _, v := range c.data {
			data = binary.LittleEndian.AppendUint16(data, v)
		}
		conv := &converter{class: netcdf.Float, size: 4, fill: fill}
		got, err := conv.convert(&tgm.Array{DType: c.dtype, Data: data, Missing: missing})
		if err != nil || len(got) != 16 {
			t.Fatalf("%s: %d bytes, %v", c.dtype, len(got), err)
		}
		value := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])) }
		low := float32(-65504)
		if c.dtype == tgm.BFloat16 {
			low = -65280
		}
		if value(0) != 2.5 || value(1) != low || value(2) == value(2) || value(3) != -100 {
			t.Errorf("%s: %v, %v, %v, %v", c.dtype, value(0), value(1), value(2), value(3))
		}
	}
}
