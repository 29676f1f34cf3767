package array

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/internal/half"
)

// Number returns a function that reads a little-endian element of the type as float64, a complex
// number as its magnitude. It returns nil for types that are not numbers.
func (d DType) Number() func([]byte) float64 {
	order := binary.LittleEndian
	single := func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	double := func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	switch d {
	case Float16:
		return func(b []byte) float64 { return half.Float64(order.Uint16(b)) }
	case BFloat16:
		return func(b []byte) float64 { return float64(math.Float32frombits(uint32(order.Uint16(b)) << 16)) }
	case Float32:
		return single
	case Float64:
		return double
	case Complex64:
		return func(b []byte) float64 { return math.Hypot(single(b), single(b[4:])) }
	case Complex128:
		return func(b []byte) float64 { return math.Hypot(double(b), double(b[8:])) }
	}
	return d.Integer()
}
