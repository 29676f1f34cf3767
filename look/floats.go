package look

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Floats returns the elements of a little-endian array as float64: complex numbers as their
// magnitudes, bits as 0 and 1.
func Floats(a *tgm.Array) ([]float64, error) {
	if a.DType == tgm.Bitmask {
		return bits(a), nil
	}
	at := elementAt(a.DType)
	if at == nil {
		return nil, fmt.Errorf("values of type %s are no numbers", a.DType)
	}
	size := a.DType.Size()
	values := make([]float64, len(a.Data)/size)
	for i := range values {
		values[i] = at(a.Data[i*size:])
	}
	return values, nil
}

// elementAt returns what reads an element of a type, nil for types without numbers.
func elementAt(t tgm.DType) func([]byte) float64 {
	le := binary.LittleEndian
	single := func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }
	double := func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }
	switch t {
	case tgm.Float16:
		return func(b []byte) float64 { return half.Float64(le.Uint16(b)) }
	case tgm.BFloat16:
		return func(b []byte) float64 { return float64(math.Float32frombits(uint32(le.Uint16(b)) << 16)) }
	case tgm.Float32:
		return single
	case tgm.Float64:
		return double
	case tgm.Complex64:
		return func(b []byte) float64 { return math.Hypot(single(b), single(b[4:])) }
	case tgm.Complex128:
		return func(b []byte) float64 { return math.Hypot(double(b), double(b[8:])) }
	case tgm.Int8:
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case tgm.Int16:
		return func(b []byte) float64 { return float64(int16(le.Uint16(b))) }
	case tgm.Int32:
		return func(b []byte) float64 { return float64(int32(le.Uint32(b))) }
	case tgm.Int64:
		return func(b []byte) float64 { return float64(int64(le.Uint64(b))) }
	case tgm.Uint8:
		return func(b []byte) float64 { return float64(b[0]) }
	case tgm.Uint16:
		return func(b []byte) float64 { return float64(le.Uint16(b)) }
	case tgm.Uint32:
		return func(b []byte) float64 { return float64(le.Uint32(b)) }
	case tgm.Uint64:
		return func(b []byte) float64 { return float64(le.Uint64(b)) }
	}
	return nil
}

// bits returns the bits of a bitmask.
func bits(a *tgm.Array) []float64 {
	n := uint64(1)
	for _, d := range a.Shape {
		n *= d // cannot overflow: the array holds a bit for each
	}
	n = min(n, 8*uint64(len(a.Data)))
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(a.Data[i/8] >> (7 - i%8) & 1)
	}
	return values
}

// unpack makes values of packed integers; missing points become NaN.
func unpack(values []float64, s *mapping.Scaling) {
	for i, v := range values {
		var ok bool
		if values[i], ok = s.Value(v); !ok {
			values[i] = math.NaN()
		}
	}
}
