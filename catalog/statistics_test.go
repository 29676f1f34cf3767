package catalog

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

func TestStatistics(t *testing.T) {
	le := binary.LittleEndian
	var f64 []byte
	for _, v := range []float64{1, math.NaN(), 3, math.Inf(1), math.Inf(-1), math.Inf(-1), 5} {
		f64 = le.AppendUint64(f64, math.Float64bits(v))
	}
	tests := []struct {
		dtype tgm.DType
		shape []uint64
		data  []byte
		want  string
	}{
		{tgm.Float64, []uint64{7}, f64, "7 values, 1 NaN, 1 Infinity, 2 -Infinity, min 1, max 5, mean 3, deviation 1.63299316"},
		{tgm.Float16, []uint64{3}, []byte{0, 0x3c, 1, 0, 0, 0xc0}, "3 values, min -2, max 1, mean -0.333333313, deviation 1.24721913"},
		{tgm.BFloat16, []uint64{2}, []byte{0x80, 0x3f, 0, 0x40}, "2 values, min 1, max 2, mean 1.5, deviation 0.5"},
		{tgm.Complex64, []uint64{1}, le.AppendUint32(le.AppendUint32(nil, math.Float32bits(3)), math.Float32bits(4)), "1 values, min 5, max 5, mean 5, deviation 0"},
		{tgm.Int8, []uint64{2}, []byte{0x80, 0x7f}, "2 values, min -128, max 127, mean -0.5, deviation 127.5"},
		{tgm.Uint64, []uint64{1}, slices.Repeat([]byte{255}, 8), "1 values, min 18446744073709551615, max 18446744073709551615, mean 1.84467441e+19, deviation 0"},
		{tgm.Int32, []uint64{0}, nil, "0 values"},
		{tgm.Bitmask, []uint64{10}, []byte{0xf0, 0xff}, "10 values, min 0, max 1, mean 0.6, deviation 0.489897949"},
	}
	for _, test := range tests {
		s := StatisticsOf(&tgm.Array{Shape: test.shape, DType: test.dtype, Data: test.data})
		if got := s.String(); got != test.want {
			t.Errorf("%s: %s, expected %s", test.dtype, got, test.want)
		}
	}
}
