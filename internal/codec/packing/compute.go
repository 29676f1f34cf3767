package packing

import (
	"fmt"
	"math"
)

// ValueError reports a value that cannot be packed.
type ValueError struct {
	Index int
	Value float64
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("packing: value %d is %v", e.Index, e.Value)
}

// Compute returns parameters that spread the range of values over integers of the given width. The
// reference is the smallest value, and the binary scale factor the smallest with which the largest
// value still fits. A value that is NaN or infinite gives a *ValueError.
func Compute(values []float64, bits, decimalScale int) (Params, error) {
	p := Params{DecimalScale: decimalScale, Bits: bits}
	if bits < 0 || bits > MaxBits {
		return p, p.Validate()
	}
	if len(values) == 0 {
		return p, nil
	}
	lo, hi, err := extremes(values)
	if err != nil {
		return p, err
	}
	if bits == 0 {
		p.Reference = values[0]
		return p, nil
	}
	p.Reference = lo
	span := (hi - lo) * powTen(decimalScale)
	if span == 0 {
		return p, nil
	}
	p.BinaryScale = int(math.Ceil(math.Log2(span / maxInteger(bits))))
	if pack, _ := p.scales(); math.IsInf(span, 0) || math.IsInf(pack, 0) || p.Validate() != nil {
		return p, fmt.Errorf("packing: values from %g to %g cannot be packed: steps of 2^%d * 10^%d are beyond float64",
			lo, hi, p.BinaryScale, -p.DecimalScale)
	}
	return p, nil
}

// maxInteger is the largest integer of the width, as a float64.
func maxInteger(bits int) float64 {
	if bits == MaxBits {
		return math.MaxUint64
	}
	return float64(uint64(1)<<bits - 1)
}

// extremes returns the smallest and the largest value. Four of each are kept, so that no comparison
// waits for another.
func extremes(values []float64) (lo, hi float64, err error) {
	v0 := values[0]
	l, h := [4]float64{v0, v0, v0, v0}, [4]float64{v0, v0, v0, v0}
	var s [4]float64
	rest := values
	for ; len(rest) >= 4; rest = rest[4:] {
		v := rest[:4:4]
		for k := range 4 {
			// A product with zero is NaN for NaN and infinities, and so is every sum with it.
			s[k] += float64(v[k] * 0)
			if v[k] < l[k] {
				l[k] = v[k]
			}
			if v[k] > h[k] {
				h[k] = v[k]
			}
		}
	}
	for _, v := range rest {
		s[0] += float64(v * 0)
		l[0], h[0] = min(l[0], v), max(h[0], v)
	}
	if s[0]+s[1]+s[2]+s[3] == 0 {
		return min(l[0], l[1], l[2], l[3]), max(h[0], h[1], h[2], h[3]), nil
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, &ValueError{i, v}
		}
	}
	return 0, 0, nil
}

// scales returns the factors between integers and values: pack = 10^D * 2^-E and step = 2^E *
// 10^-D. Powers of ten are multiplied up one by one and negative ones are reciprocals, as the
// reference implementation computes them, so that values come out with the same bits.
func (p Params) scales() (pack, step float64) {
	pack = powTen(p.DecimalScale) * math.Ldexp(1, -p.BinaryScale)
	step = math.Ldexp(1, p.BinaryScale) * powTen(-p.DecimalScale)
	return pack, step
}

// powTen returns 10^n by repeated multiplication.
func powTen(n int) float64 {
	if n < 0 {
		return 1 / powTen(-n)
	}
	x := 1.0
	for ; n > 0 && !math.IsInf(x, 0); n-- {
		x *= 10
	}
	return x
}
