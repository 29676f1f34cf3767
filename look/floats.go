package look

import (
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
	at := a.DType.Number()
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
