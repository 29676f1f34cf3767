package sz3

import (
	"encoding/binary"
	"math"
)

// A quantizer turns the difference of a value and its prediction into a symbol. It is radius
// plus the nearest multiple of twice the bound. Symbol 0 is a value that is stored as it is.
//
// On the wire it is: 2, bound 8, radius 4, number of stored values 8, stored values.

const (
	quantizerKind = 2
	defaultRadius = 32768
	maxRadius     = 1 << 26
)

// dequantizer is the quantizer of a decoder.
type dequantizer struct {
	bound   float64
	radius  int32
	stored  []byte // values that are still to come
	symbols []int32
}

// parseQuantizer reads a quantizer of n values at most.
func parseQuantizer(in *cursor, n int) (*dequantizer, error) {
	const part = "quantizer"
	kind := in.u8()
	d := &dequantizer{bound: in.f64(), radius: int32(in.u32())}
	count := in.u64()
	switch {
	case in.short:
		return nil, &FormatError{part, ErrTruncated}
	case kind != quantizerKind:
		return nil, unsupported("quantizer %d", kind)
	case d.radius < 1 || d.radius > maxRadius:
		return nil, formatError(part, "radius %d", d.radius)
	case count > uint64(n):
		return nil, formatError(part, "%d of %d values are stored", count, n)
	}
	if d.stored = in.take(8 * count); in.short {
		return nil, &FormatError{part, ErrTruncated}
	}
	return d, nil
}

// store returns the next stored value. The caller has made sure that there is a stored value.
func (d *dequantizer) store() float64 {
	v := math.Float64frombits(binary.LittleEndian.Uint64(d.stored))
	d.stored = d.stored[8:]
	return v
}

// value returns the value for symbol q, prediction p and a bound.
func (d *dequantizer) value(q int32, p, bound float64) float64 {
	if q == 0 {
		return d.store()
	}
	return p + float64(float64(2*(int64(q)-int64(d.radius)))*bound)
}

// checkStored reports an error unless there is a stored value for each symbol 0.
func (d *dequantizer) checkStored() error {
	zeros := 0
	for _, q := range d.symbols {
		if q == 0 {
			zeros++
		}
	}
	if stored := len(d.stored) / 8; zeros != stored {
		return formatError("quantizer", "%d values are stored, %d are used", stored, zeros)
	}
	return nil
}

// quantizer is the quantizer of an encoder.
type quantizer struct {
	bound   float64
	radius  int
	stored  []float64
	symbols []int32
}

func (z *quantizer) reset(bound float64, radius int) {
	z.bound, z.radius = bound, radius
	z.stored, z.symbols = z.stored[:0], z.symbols[:0]
}

// limit bounds the difference of a value and its prediction, in error bounds.
func (z *quantizer) limit() float64 { return float64(2*z.radius - 1) }

// evens added to a number much smaller than itself, and taken away again, rounds the number to
// an even number. Doubles near evens are two apart.
const evens = 3 << 52

// toEven rounds the difference of a value and its prediction, in bounds, to an even number, ties
// away from zero. It is not for numbers of the limit or more. Each value may wait for the value
// before it, so the number of operations that follow each other counts: none goes through
// integers.
func toEven(n float64) float64 {
	even := float64(n+evens) - evens
	if math.Abs(n)-math.Abs(even) == 1 {
		even += float64(2 * (n - even))
	}
	return even
}

// quantize codes a value with prediction p and returns the decoded value.
func (z *quantizer) quantize(x, p, bound, inverse float64) float64 {
	n := float64((x - p) * inverse)
	even := toEven(n)
	if y := p + float64(even*bound); math.Abs(n) < z.limit() && math.Abs(y-x) <= bound {
		z.symbols = append(z.symbols, z.symbol(even))
		return y
	}
	return z.keep(x)
}

// symbol returns the symbol of an even number of bounds.
func (z *quantizer) symbol(even float64) int32 { return int32(z.radius + int(even)>>1) }

// keep stores a value as it is.
func (z *quantizer) keep(x float64) float64 {
	z.symbols = append(z.symbols, 0)
	z.stored = append(z.stored, x)
	return x
}

func (z *quantizer) append(b []byte) []byte {
	b = append(b, quantizerKind)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(z.bound))
	b = binary.LittleEndian.AppendUint32(b, uint32(z.radius))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(z.stored)))
	return appendDoubles(b, z.stored)
}
