package numpy

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/half"
)

// Elements of any type of numbers are computed with as one of two wide types: float64, or int64,
// which also holds the bits of uint64. This loses nothing, and arithmetic of fewer bits in NumPy is
// rounded after each step.

func (t Type) order() binary.ByteOrder {
	if t.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// bits returns the bits of the element that begins at b.
func (t Type) bits(order binary.ByteOrder, b []byte) uint64 {
	switch t.Size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

func (t Type) putBits(order binary.ByteOrder, b []byte, v uint64) {
	switch t.Size {
	case 1:
		b[0] = byte(v)
	case 2:
		order.PutUint16(b, uint16(v))
	case 4:
		order.PutUint32(b, uint32(v))
	default:
		order.PutUint64(b, v)
	}
}

// integer is the value of an integer with the given bits; of unsigned ones the bits.
func (t Type) integer(bits uint64) int64 {
	if t.Kind == Int {
		unused := 64 - 8*t.Size
		return int64(bits<<unused) >> unused
	}
	return int64(bits)
}

// float is the value of an element with the given bits.
func (t Type) float(bits uint64) float64 {
	switch t.Kind {
	case Int:
		return float64(t.integer(bits))
	case Float:
		switch t.Size {
		case 2:
			return half.Float64(uint16(bits))
		case 4:
			return float64(math.Float32frombits(uint32(bits)))
		}
		return math.Float64frombits(bits)
	}
	return float64(bits)
}

// floatBits are the bits of the nearest element of a float type.
func (t Type) floatBits(f float64) uint64 {
	switch t.Size {
	case 2:
		return uint64(half.Bits(f))
	case 4:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// round is f as a float type holds it.
func (t Type) round(f float64) float64 {
	if t.Kind == Float && t.Size < 8 {
		return t.float(t.floatBits(f))
	}
	return f
}

// fromFloat are the bits of the element that f is converted to. Fractions are cut off.
func (t Type) fromFloat(f float64) uint64 {
	switch t.Kind {
	case Float:
		return t.floatBits(f)
	case Bool:
		if f != 0 {
			return 1
		}
		return 0
	}
	if f >= 1<<63 {
		return uint64(f)
	}
	return uint64(int64(f))
}

// convertBits converts one element.
func convertBits(to, from Type, bits uint64) uint64 {
	switch {
	case to.Kind == from.Kind && to.Size == from.Size:
		return bits
	case from.Kind == Float:
		return to.fromFloat(from.float(bits))
	case to.Kind == Float && to.Size == 4 && from.Kind == Int: // rounded once
		return uint64(math.Float32bits(float32(from.integer(bits))))
	case to.Kind == Float && to.Size == 4:
		return uint64(math.Float32bits(float32(bits)))
	case to.Kind == Float:
		return to.floatBits(from.float(bits))
	case to.Kind == Bool:
		if bits != 0 {
			return 1
		}
		return 0
	}
	return uint64(from.integer(bits))
}

// each makes an element of every element of src.
func each(to, from Type, src []byte, do func(bits uint64) uint64) ([]byte, error) {
	if !to.Number() || !from.Number() {
		return nil, fmt.Errorf("elements of the kinds %c and %c, expected numbers", from.Kind, to.Kind)
	}
	if len(src)%from.Size != 0 {
		return nil, fmt.Errorf("%d bytes are not elements of %d bytes", len(src), from.Size)
	}
	n := len(src) / from.Size
	out := make([]byte, n*to.Size)
	in, outOrder := from.order(), to.order()
	for i := range n {
		to.putBits(outOrder, out[i*to.Size:], do(from.bits(in, src[i*from.Size:])))
	}
	return out, nil
}

// Convert returns elements of one type converted to another, as by NumPy's astype.
func Convert(to, from Type, src []byte) ([]byte, error) {
	return each(to, from, src, func(bits uint64) uint64 { return convertBits(to, from, bits) })
}

// Sums returns the sums of the elements of src up to each, in the type of the sums.
func Sums(to, from Type, src []byte) ([]byte, error) {
	if to.Kind == Float {
		sum, first := 0.0, true
		return each(to, from, src, func(bits uint64) uint64 {
			v := to.float(convertBits(to, from, bits))
			if first { // not added to 0, which would lose the sign of -0
				sum, first = v, false
			} else {
				sum = to.round(sum + v)
			}
			return to.floatBits(sum)
		})
	}
	var sum uint64
	return each(to, from, src, func(bits uint64) uint64 {
		if sum += convertBits(to, from, bits); to.Kind == Bool {
			sum = min(sum, 1)
		}
		return sum
	})
}

// Unscale returns src / scale + offset. Floats are computed with their own precision, integers as
// float64.
func Unscale(to, from Type, src []byte, scale, offset float64) ([]byte, error) {
	scale, offset = from.round(scale), from.round(offset)
	return each(to, from, src, func(bits uint64) uint64 {
		return to.fromFloat(from.round(from.round(from.float(bits)/scale) + offset))
	})
}

// UnscaleIntegers returns src / scale + offset of integers, which wrap around.
func UnscaleIntegers(t Type, src []byte, scale, offset int64) ([]byte, error) {
	if scale == 0 {
		return nil, fmt.Errorf("a scale of 0")
	}
	return each(t, t, src, func(bits uint64) uint64 {
		if t.Kind == Uint {
			return bits/uint64(scale) + uint64(offset)
		}
		return uint64(t.integer(bits)/scale + offset)
	})
}

// roundings are the ways of the codec cast_value to make integers.
var roundings = map[string]func(float64) float64{
	"": math.RoundToEven, "nearest-even": math.RoundToEven, "towards-zero": math.Trunc, "towards-positive": math.Ceil,
	"towards-negative": math.Floor, "nearest-away": math.Round,
}

// Cast is Convert with fractions rounded. Numbers that the type does not have are treated by outOfRange:
// an error, clamped to the nearest, or wrapped around.
func Cast(to, from Type, src []byte, rounding, outOfRange string) ([]byte, error) {
	round := roundings[rounding]
	if round == nil {
		return nil, fmt.Errorf("rounding is %q, expected nearest-even, towards-zero, towards-positive, towards-negative or nearest-away", rounding)
	}
	if outOfRange != "" && outOfRange != "error" && outOfRange != "clamp" && outOfRange != "wrap" {
		return nil, fmt.Errorf("out_of_range is %q, expected error, clamp or wrap", outOfRange)
	}
	var bad error
	lowest, above := to.limits()
	out, err := each(to, from, src, func(bits uint64) uint64 {
		if to.Kind == Float || to.Kind == Bool {
			return convertBits(to, from, bits)
		}
		v, f := bits, from.float(bits)
		if from.Kind == Float {
			f = round(f)
			v = to.fromFloat(f)
		}
		low, fits := f < lowest, f >= lowest && f < above
		if from.Kind != Float { // float64 does not have all of these
			low = from.Kind == Int && (to.Kind != Int && from.integer(bits) < 0 || f < lowest)
			fits = !low && to.holds(from, bits)
			v = uint64(from.integer(bits))
		}
		switch {
		case fits, outOfRange == "wrap" && !math.IsNaN(f) && !math.IsInf(f, 0):
		case outOfRange != "clamp" || math.IsNaN(f):
			bad = fmt.Errorf("the number %v does not fit %d bytes", f, to.Size)
		case low:
			v = to.lowest()
		default:
			v = to.lowest() - 1
		}
		return v
	})
	if err == nil {
		err = bad
	}
	return out, err
}

// holds reports whether an integer that is not too low is one of an integer type as well.
func (t Type) holds(from Type, bits uint64) bool {
	v := uint64(from.integer(bits))
	if from.Kind == Int && int64(v) < 0 {
		return true
	}
	unused := 64 - 8*t.Size
	if t.Kind == Int {
		unused++
	}
	return v<<unused>>unused == v
}

// lowest are the bits of the lowest value of an integer type; the highest value has the bits before.
func (t Type) lowest() uint64 {
	if t.Kind == Int {
		return 1 << (8*t.Size - 1)
	}
	return 0
}

// limits are the lowest value of an integer type, and the first above its values.
func (t Type) limits() (lowest, above float64) {
	if t.Kind == Int {
		above = math.Ldexp(1, 8*t.Size-1)
		return -above, above
	}
	return 0, math.Ldexp(1, 8*t.Size)
}
