package geometry

import (
	"math"
	"math/bits"
)

// A fraction is an exact rational number with a positive denominator. With such fractions
// ecCodes decides which points of a parallel lie in a sub-area.
type fraction struct{ top, bottom int64 }

// maxDenominator is the root of the largest 64-bit integer.
const maxDenominator = 3037000499

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func newFraction(top, bottom int64) fraction {
	if bottom < 0 {
		top, bottom = -top, -bottom
	}
	g := gcd(max(top, -top), bottom)
	if g > 1 {
		top, bottom = top/g, bottom/g
	}
	return fraction{top, bottom}
}

// approximate returns the last convergent of x's continued fraction with a denominator that is
// small enough. It needs a finite x with 0 <= x <= 1e9.
func approximate(x float64) fraction {
	var p0, p1, q0, q1 int64 = 0, 1, 1, 0
	a := int64(x)
	for q := q1*a + q0; q <= maxDenominator; q = q1*a + q0 {
		p0, p1 = p1, p1*a+p0
		q0, q1 = q1, q
		if x == float64(a) {
			break
		}
		x = 1 / (x - float64(a))
		if x > math.MaxInt64 {
			break
		}
		a = int64(x)
		if a > maxDenominator && q1 > 0 { // the next denominator is out of bounds, and may exceed 64 bits
			break
		}
	}
	for q1 >= maxDenominator || p1 >= maxDenominator {
		p1, q1 = p1>>1, q1>>1
	}
	if q1 == 0 {
		return fraction{p1, 1}
	}
	return newFraction(p1, q1)
}

func (f fraction) float() float64 { return float64(f.top) / float64(f.bottom) }

// product returns a*b, and false when that overflows.
func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	return a * b, hi == 0 && lo <= math.MaxInt64
}

func (f fraction) times(n int64) fraction {
	if top, ok := product(f.top, n); ok {
		return newFraction(top, f.bottom)
	}
	return approximate(f.float() * float64(n))
}

// floorOver returns the integral part of f/g, both positive or zero.
func (f fraction) floorOver(g fraction) int64 {
	top, ok1 := product(f.top, g.bottom)
	bottom, ok2 := product(f.bottom, g.top)
	if ok1 && ok2 {
		return top / bottom
	}
	q := approximate(f.float() / g.float())
	return q.top / q.bottom
}

func (f fraction) less(g fraction) bool {
	a, ok1 := product(f.top, g.bottom)
	b, ok2 := product(g.top, f.bottom)
	if ok1 && ok2 {
		return a < b
	}
	return f.float() < g.float()
}

// reducedRow returns how many of the n evenly spaced points of a parallel lie from longitude west
// to longitude east. It also returns the index of the first, counted from longitude 0.
func reducedRow(n int, west, east fraction) (count int, first int64) {
	step := newFraction(360, int64(n))
	w := west.floorOver(step)
	if step.times(w).less(west) {
		w++
	}
	e := east.floorOver(step)
	if east.less(step.times(e)) {
		e--
	}
	if w > e {
		return 0, 0
	}
	return int(min(int64(n), e-w+1)), w
}

// longitudeOf returns the longitude of point i of n on a parallel, as the quotient ecCodes forms.
func longitudeOf(i int64, n int) float64 {
	return newFraction(360, int64(n)).times(i).float()
}
