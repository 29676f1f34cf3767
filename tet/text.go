package tet

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/internal/half"
)

// AppendText appends element i of the array as text. Integers are written in full, floating
// point numbers in the shortest form that reads back to the same value.
func (a *Array) AppendText(dst []byte, i int64) []byte {
	le := binary.LittleEndian
	b := a.Data[i*a.DType.Size():]
	switch a.DType {
	case Float32:
		return appendFloat(dst, float64(math.Float32frombits(le.Uint32(b))), 32)
	case Float64:
		return appendFloat(dst, math.Float64frombits(le.Uint64(b)), 64)
	case Float16:
		return appendFloat(dst, half.Float64(le.Uint16(b)), 32)
	case Int16:
		return strconv.AppendInt(dst, int64(int16(le.Uint16(b))), 10)
	case Int32:
		return strconv.AppendInt(dst, int64(int32(le.Uint32(b))), 10)
	case Int64:
		return strconv.AppendInt(dst, int64(le.Uint64(b)), 10)
	case Uint8:
		return strconv.AppendUint(dst, uint64(b[0]), 10)
	case Uint16:
		return strconv.AppendUint(dst, uint64(le.Uint16(b)), 10)
	case Uint32:
		return strconv.AppendUint(dst, uint64(le.Uint32(b)), 10)
	}
	return strconv.AppendUint(dst, le.Uint64(b), 10)
}

// appendFloat uses an exponent where JSON writers do: below 1e-6, and from 1e21 on.
func appendFloat(dst []byte, v float64, bits int) []byte {
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, v, 'f', -1, bits)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, bits)
}

// NewFloat64s returns an array of float64.
func NewFloat64s(shape []int64, values []float64) *Array {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return &Array{Float64, shape, data}
}
