package togrib

import (
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/grib"
)

// learnt returns the integers that the values of the field were before they were unpacked, with scale factors that
// follow from the values and from the header of another field of the variable: the decimal scale factor and the number
// of bits, or a binary scale factor of 0, are the same for all. It is errOther if the values are not such integers.
func (f *field) learnt() (*grib.Quantised, error) {
	header, ok := f.header.Scaling()
	if !ok {
		return nil, errOther
	}
	if err := f.decode(); err != nil {
		return nil, err
	}
	q := &grib.Quantised{N: len(f.values), DecimalScale: header.DecimalScale, Missing: f.missing}
	low, high, ok := rangeOf(f.values, f.missing)
	if !ok {
		q.Bits, q.Reference = 0, 0
		return q, nil
	}
	ten := math.Pow10(header.DecimalScale)
	reference, largest := low*ten, math.Max(math.Abs(low), math.Abs(high))*ten
	if q.Reference = float64(float32(reference)); math.Abs(q.Reference-reference) > 16*ulp(largest) {
		return nil, errOther
	}
	span := high*ten - q.Reference
	if low == high {
		if q.Bits = 0; header.DecimalScale != 0 && q.Value(0) != low {
			q.DecimalScale, q.Reference = 0, low
		}
		if q.Value(0) != low || float64(float32(low)) != low && q.DecimalScale == 0 {
			return nil, errOther
		}
		return q, nil
	}
	_, exponent := math.Frexp(span) // span < 1<<exponent
	var scales []int
	if header.BinaryScale == 0 {
		scales = append(scales, 0) // the decimal scale factor alone says how fine the values are
	}
	if header.Bits > 0 && header.Bits <= 32 {
		scales = append(scales, exponent-header.Bits)
	}
	for _, scale := range append(scales, exponent-32) {
		q.BinaryScale = scale
		if q.Bits = exponent - scale; q.Bits < 1 || q.Bits > 32 || math.Ldexp(1, scale) < 64*ulp(largest) || !f.quantise(q) {
			continue
		}
		if scale == exponent-32 {
			trim(q)
		}
		return q, nil
	}
	return nil, errOther
}

// ulp is the distance of a number to the next larger one.
func ulp(v float64) float64 { return math.Nextafter(v, math.Inf(1)) - v }

// rangeOf returns the smallest and the largest value that is not missing; ok is false if all are.
func rangeOf(values []float64, missing interface{ Get(int) bool }) (low, high float64, ok bool) {
	for i, v := range values {
		switch {
		case missing.Get(i):
		case !ok:
			low, high, ok = v, v, true
		default:
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return low, high, ok
}

// quantise sets the integers that the values are with the scale factors of q. It reports whether they are.
func (f *field) quantise(q *grib.Quantised) bool {
	zero, step := q.Value(0), q.Value(1)-q.Value(0)
	if q.Samples == nil {
		q.Samples = make([]uint32, q.N)
	}
	limit := math.Ldexp(1, q.Bits)
	for i, v := range f.values {
		if f.missing.Get(i) {
			q.Samples[i] = 0
			continue
		}
		k := math.Round((v - zero) / step)
		if !(k >= 0 && k < limit) || math.Abs(q.Value(k)-v) > 4*ulp(math.Abs(v)) {
			return false
		}
		q.Samples[i] = uint32(k)
	}
	return true
}

// trim takes the bits off the integers that are 0 in all of them.
func trim(q *grib.Quantised) {
	var all uint32
	for _, k := range q.Samples {
		all |= k
	}
	drop := bits.TrailingZeros32(all)
	for i := range q.Samples {
		q.Samples[i] >>= drop
	}
	q.BinaryScale += drop
	q.Bits = bits.Len32(all >> drop)
}
