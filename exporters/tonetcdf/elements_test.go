package tonetcdf

import (
	"bytes"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
)

// TestFillOf: the element at missing points is the first number of the attributes that an element can
// be, as convert-netcdf takes it.
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
