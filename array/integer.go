package array

import "encoding/binary"

// Integer returns a function that reads a little-endian integer of the type and converts it to
// float64. It returns nil for types that are not integers.
func (d DType) Integer() func([]byte) float64 {
	order := binary.LittleEndian
	switch d {
	case Int8:
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case Int16:
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }
	case Int32:
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }
	case Int64:
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }
	case Uint8:
		return func(b []byte) float64 { return float64(b[0]) }
	case Uint16:
		return func(b []byte) float64 { return float64(order.Uint16(b)) }
	case Uint32:
		return func(b []byte) float64 { return float64(order.Uint32(b)) }
	case Uint64:
		return func(b []byte) float64 { return float64(order.Uint64(b)) }
	}
	return nil
}
