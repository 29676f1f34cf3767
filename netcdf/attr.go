package netcdf

import (
	"encoding/binary"
	"math"
	"strings"
)

// attrValue turns little-endian elements into the value of an attribute.
func attrValue(name string, c Class, raw []byte) any {
	switch {
	case c == Char:
		return charValue(name, raw)
	case c.Signed():
		return integers[int64](raw, c)
	case c.Unsigned():
		return integers[uint64](raw, c)
	case c.IsFloat():
		return floats(raw, c)
	}
	return raw
}

func integers[T int64 | uint64](raw []byte, c Class) []T {
	size := atomicSizes[c]
	list := make([]T, len(raw)/size)
	for i := range list {
		b := raw[i*size:]
		switch c {
		case Byte:
			list[i] = T(int8(b[0]))
		case UByte:
			list[i] = T(b[0])
		case Short:
			list[i] = T(int16(binary.LittleEndian.Uint16(b)))
		case UShort:
			list[i] = T(binary.LittleEndian.Uint16(b))
		case Int:
			list[i] = T(int32(binary.LittleEndian.Uint32(b)))
		case UInt:
			list[i] = T(binary.LittleEndian.Uint32(b))
		default:
			list[i] = T(binary.LittleEndian.Uint64(b))
		}
	}
	return list
}

func floats(raw []byte, c Class) []float64 {
	size := atomicSizes[c]
	list := make([]float64, len(raw)/size)
	for i := range list {
		b := raw[i*size:]
		switch c {
		case Half:
			list[i] = halfToFloat(binary.LittleEndian.Uint16(b))
		case Float:
			list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		default:
			list[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	}
	return list
}

// halfToFloat widens an IEEE 754 binary16 number.
func halfToFloat(h uint16) float64 {
	sign := 1.0
	if h>>15 != 0 {
		sign = -1
	}
	exp, frac := int(h>>10&31), float64(h&0x3ff)
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1+float64(frac/1024), exp-15)
}

// charValue drops the zero bytes that many writers leave behind text. They are data where the
// attribute stands for an element.
func charValue(name string, raw []byte) string {
	if name == "_FillValue" || name == "missing_value" {
		return string(raw)
	}
	return strings.TrimRight(string(raw), "\x00")
}
