package togrib

import (
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/grib"
)

// learnt returns the integers that the values of the field were before they were unpacked. Scale factors follow from
// the values and from the header of another field of the variable: in most files the decimal scale factor and the
// number of bits are the same for all, or the binary scale factor is 0. It is errOther if the values are not such
// integers.
func (f *field) learnt() (*grib.Quantised, error) {
	header, ok := f.header.Scaling()
	if !ok {
		return nil, errOther
	}
	if err := f.decode(); err != nil {
		return nil, err
	}
	low, high, ok := rangeOf(f.values, f.missing)
	if !ok {
		return &grib.Quantised{N: len(f.values), Missing: f.missing}, nil
	}
	for _, ulps := range []float64{0, 4} { // other formulas than GRIB's round in another place
		for _, decimal := range decimalScales(header.DecimalScale) {
			g := guess{field: f, q: &grib.Quantised{N: len(f.values), DecimalScale: decimal, Missing: f.missing}, low: low, high: high, ulps: ulps}
			if low == high && g.constant() || low < high && g.find(header) {
				return g.q, nil
			}
		}
	}
	return nil, errOther
}

// decimalScales are the decimal scale factors that are tried: the likely one first.
func decimalScales(likely int) []int {
	list := []int{likely}
	for d := range 10 {
		list = append(list, d)
	}
	return append(list, -1, -2, -3, -4)
}

// A guess tries scale factors.
type guess struct {
	*field
	q         *grib.Quantised
	low, high float64
	ulps      float64 // by which values may differ
}

// constant reports whether the value of a constant field is one of the decimal scale factor of q.
func (g *guess) constant() bool {
	g.q.Reference = g.reference(g.low, 0)
	return g.q.Reference == g.low
}

// reference returns the reference value for a smallest value, which may have a rounding error: itself where the edition can
// store it, else the next smaller value that it can store, as encoders choose it.
func (g *guess) reference(low, rounding float64) float64 {
	if near := float64(float32(low)); g.header.Edition() == 2 {
		if near > low && near-low > rounding {
			near = float64(math.Nextafter32(float32(low), float32(math.Inf(-1))))
		}
		return near
	}
	// An IBM float is a fraction of 24 bits times a power of 16, with a digit before its point.
	_, e := math.Frexp(low)
	shift := 24 - 4*int(math.Ceil(float64(e)/4))
	whole := math.Ldexp(low, shift)
	if near := math.Round(whole); math.Abs(near-whole) <= math.Ldexp(rounding, shift) {
		return math.Ldexp(near, -shift)
	}
	return math.Ldexp(math.Floor(whole), -shift)
}

// find sets the scale factors and the integers of q, whose decimal scale factor is set. It reports whether it found some.
func (g *guess) find(header *grib.Quantised) bool {
	q := g.q
	ten := math.Pow10(q.DecimalScale)
	reference, largest := g.low*ten, math.Max(math.Abs(g.low), math.Abs(g.high))*ten
	q.Reference = g.reference(reference, 16*ulp(largest))
	_, exponent := math.Frexp(g.high*ten - q.Reference) // the range is less than 1<<exponent
	var scales []int
	if header.BinaryScale == 0 {
		scales = append(scales, 0) // the decimal scale factor alone gives the step of the values
	}
	if header.Bits > 0 && header.Bits <= 32 {
		scales = append(scales, exponent-header.Bits)
	}
	for _, scale := range append(scales, exponent-32) {
		q.BinaryScale, q.Bits = scale, exponent-scale
		if q.Bits < 1 || q.Bits > 32 || math.Ldexp(1, scale) < 64*ulp(largest) || !g.quantise() {
			continue
		}
		if scale == exponent-32 {
			trim(q)
		}
		return true
	}
	return false
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
func (g *guess) quantise() bool {
	q := g.q
	ten := math.Pow10(q.DecimalScale)
	if q.Samples == nil {
		q.Samples = make([]uint32, q.N)
	}
	limit := math.Ldexp(1, q.Bits)
	for i, v := range g.values {
		if g.missing.Get(i) {
			q.Samples[i] = 0
			continue
		}
		k := math.Round(math.Ldexp(float64(v*ten)-q.Reference, -q.BinaryScale))
		if !(k >= 0 && k < limit) || math.Abs(q.Value(k)-v) > g.ulps*ulp(math.Abs(v)) {
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
