package look

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Floats returns the elements of a little-endian array as float64: complex numbers as their
// magnitudes, bits as 0 and 1.
func Floats(a *tgm.Array) ([]float64, error) {
	if a.DType == tgm.Bitmask {
		return bits(a), nil
	}
	if a.DType.Number() == nil {
		return nil, fmt.Errorf("values of type %s are no numbers", a.DType)
	}
	values := make([]float64, len(a.Data)/a.DType.Size())
	putNumbers(values, a.Data, a.DType)
	return values, nil
}

// putNumbers sets values to the little-endian elements that data has, of a type of numbers.
func putNumbers(values []float64, data []byte, t tgm.DType) {
	switch t {
	case tgm.Float64:
		for i := range values {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
	case tgm.Float32:
		for i := range values {
			values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
	default:
		number, size := t.Number(), t.Size()
		for i := range values {
			values[i] = number(data[i*size:])
		}
	}
}

// bits returns the bits of a bitmask.
func bits(a *tgm.Array) []float64 {
	n := min(nd.Volume(a.Shape), 8*uint64(len(a.Data))) // cannot overflow: the array holds a bit for each
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(a.Data[i/8] >> (7 - i%8) & 1)
	}
	return values
}

// unpack makes values of packed numbers; missing points become NaN.
func unpack(values []float64, s *mapping.Scaling) {
	for i, v := range values {
		var ok bool
		if values[i], ok = s.Value(v); !ok {
			values[i] = math.NaN()
		}
	}
}
