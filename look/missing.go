package look

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/tgm"
)

// fillIntegers are the integers that mean a missing point: integers have no NaN.
type fillIntegers struct {
	dtype tgm.DType
	bits  []uint64
}

// at reports whether the little-endian element that b begins with means a missing point.
func (f *fillIntegers) at(b []byte) bool {
	return len(f.bits) > 0 && slices.Contains(f.bits, integerBits(b, f.dtype))
}

// erase makes NaN of the values of the missing points of an array.
func (f *fillIntegers) erase(values []float64, a *tgm.Array) {
	if len(f.bits) == 0 || a.DType != f.dtype {
		return
	}
	size := a.DType.Size()
	for i := range values {
		if f.at(a.Data[i*size:]) {
			values[i] = math.NaN()
		}
	}
}

// integerBits are the bits of an element as an int64 or, of unsigned types, a uint64.
func integerBits(b []byte, t tgm.DType) uint64 {
	switch t {
	case tgm.Int8:
		return uint64(int8(b[0]))
	case tgm.Uint8:
		return uint64(b[0])
	case tgm.Int16:
		return uint64(int16(binary.LittleEndian.Uint16(b)))
	case tgm.Uint16:
		return uint64(binary.LittleEndian.Uint16(b))
	case tgm.Int32:
		return uint64(int32(binary.LittleEndian.Uint32(b)))
	case tgm.Uint32:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}
