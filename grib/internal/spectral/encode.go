package spectral

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

// Encode is the inverse of Decode: it returns the data of values that Decode gave. It is an error
// for others, which these parameters do not hold.
func (h *Harmonics) Encode(values []float64) ([]byte, error) {
	if len(values) != Count(h.J) || h.Subset > h.J || h.Subset < 0 {
		return nil, fmt.Errorf("%d values and a subset of truncation %d for truncation %d", len(values), h.Subset, h.J)
	}
	if h.Subset == h.J || h.Bits > 32 {
		return nil, fmt.Errorf("a field of floats, or of %d bits", h.Bits)
	}
	floats := make([]byte, 0, h.Float.Size*Count(h.Subset))
	packed := make([]uint32, 0, Count(h.J)-Count(h.Subset))
	inverse := h.inverse()
	var err error
	for m := range h.J + 1 {
		for n := m; n <= h.J; n++ {
			pair := values[:2]
			values = values[2:]
			switch {
			case n > h.Subset:
				packed, err = h.appendPacked(packed, pair, inverse[n], m == 0)
			case n == h.Subset && h.LastRowScaled:
				floats, err = h.appendFloats(floats, pair, inverse[n])
			default:
				floats, err = h.appendFloats(floats, pair, 1)
			}
			if err != nil {
				return nil, fmt.Errorf("coefficient m=%d, n=%d: %w", m, n, err)
			}
		}
	}
	return packing.PackUint32(floats, packed, h.Bits), nil
}

// appendPacked appends the integers of a coefficient, whose imaginary part may be known to be 0.
func (h *Harmonics) appendPacked(packed []uint32, pair []float64, factor float64, zonal bool) ([]uint32, error) {
	for part, v := range pair {
		whole := math.Round((v/factor/h.Scale.Decimal - h.Scale.Reference) / h.Scale.Binary)
		if h.Bits == 0 || whole != whole {
			whole = 0
		}
		anything := zonal && part == 1 && v == 0
		if anything {
			whole = min(max(whole, 0), math.Ldexp(1, h.Bits)-1)
		}
		if !(whole >= 0 && whole < math.Ldexp(1, h.Bits)) || !anything && h.Scale.Value(whole)*factor != v {
			return nil, fmt.Errorf("%v is no integer of %d bits", v, h.Bits)
		}
		packed = append(packed, uint32(whole))
	}
	return packed, nil
}

// appendFloats appends a coefficient of the subset. A reader multiplies it by factor.
func (h *Harmonics) appendFloats(out []byte, pair []float64, factor float64) ([]byte, error) {
	for _, v := range pair {
		at := len(out)
		out = h.Float.Append(out, v/factor)
		if !settle(out[at:], func(b []byte) bool { return h.Float.Read(b)*factor == v }) {
			return nil, fmt.Errorf("%v is no float of %d octets", v, h.Float.Size)
		}
	}
	return out, nil
}

// settle tries the floats next to the float that b holds until one is right: dividing rounds.
func settle(b []byte, right func([]byte) bool) bool {
	word := func(d int) []byte {
		if len(b) == 8 {
			return binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(b)+uint64(d))
		}
		return binary.BigEndian.AppendUint32(nil, binary.BigEndian.Uint32(b)+uint32(d))
	}
	for _, d := range []int{0, 1, -1, 2, -2} {
		if w := word(d); right(w) {
			copy(b, w)
			return true
		}
	}
	return false
}

func appendIBM32(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint32(b, scale.IBMBits(v))
}

func appendIEEE32(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint32(b, math.Float32bits(float32(v)))
}

func appendIEEE64(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(b, math.Float64bits(v))
}
