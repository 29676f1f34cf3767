// Package libm holds elementary functions with an error below 0.501 units in the last place.
//
// ecCodes computes coordinates with the C library's functions, whose errors are nearly as small, so
// that both give the same double for all but a few arguments in ten thousand. The math package's
// functions err by up to two units, which is enough to move a rotated grid point (ecCodes rounds
// these to multiples of 4e-6 to 1.6e-5 degrees) or to flip the sign of a longitude of 180.
//
// Arguments are angles and lengths of grids: outside the ranges named at each function the result
// is that of package math.
package libm

import (
	"math"
	"sync"
)

// The constants below are sums of doubles, each the rounding error of those before.
const (
	halfPi0 = 0x1.921fb54442d18p+0
	halfPi1 = 0x1.1a62633145c07p-54
	halfPi2 = -0x1.f1976b7ed8fbcp-110
)

var halfPi = dd{halfPi0, halfPi1}

// tableStep is the spacing of the arguments whose sine and cosine are tabulated.
const tableStep = 1.0 / 32

// sines holds sine and cosine of i*tableStep from 0 to past pi/4.
var sines = sync.OnceValue(func() *[27][2]dd {
	var t [27][2]dd
	for i := range t {
		x := float64(i) * tableStep
		t[i][0], t[i][1] = taylor(x)
	}
	return &t
})

// taylor returns sine and cosine of x in [0, 1] by their series.
func taylor(x float64) (sin, cos dd) {
	term := dd{1, 0}
	for n := 1; n < 40; n++ {
		if term.hi == 0 {
			break
		}
		switch n % 4 {
		case 1:
			cos = cos.add(term)
		case 2:
			sin = sin.add(term)
		case 3:
			cos = cos.add(term.neg())
		case 0:
			sin = sin.add(term.neg())
		}
		term = term.scale(x).div(dd{float64(n), 0})
	}
	return sin, cos
}

// maxAngle bounds the arguments (radians) of the trigonometric functions here.
const maxAngle = 1 << 20

// sincos returns sine and cosine of x, |x| at most maxAngle, with a relative error near 2^-66.
func sincos(x float64) (sin, cos dd) {
	k := 0.0
	r := dd{x, 0}
	if math.Abs(x) > halfPi0/2 {
		k = math.RoundToEven(x / halfPi0)
		p, q := twoProd(k, halfPi0), twoProd(k, halfPi1)
		r = twoSum(x, -p.hi)
		r = r.add(dd{-p.lo, 0}).add(q.neg()).add(dd{-k * halfPi2, 0})
	}
	sin, cos = sincosReduced(r)
	switch int64(k) & 3 {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}

// sincosReduced is sincos for |r| up to a little over pi/4: the table entry next to it, and the
// addition theorems.
func sincosReduced(r dd) (sin, cos dd) {
	negative := r.hi < 0
	if negative {
		r = r.neg()
	}
	i := int(r.hi/tableStep + 0.5)
	t := &sines()[min(i, 26)]
	s, c := t[0], t[1]
	d := twoSum(r.hi-float64(i)*tableStep, r.lo)

	d2 := float64(d.hi * d.hi)
	rest := d.lo + float64(float64(d.hi*d2)*(-1.0/6+float64(d2*(1.0/120+float64(d2*(-1.0/5040+float64(d2*(1.0/362880))))))))
	cosM1 := float64(d2 * (-0.5 + float64(d2*(1.0/24+float64(d2*(-1.0/720+float64(d2*(1.0/40320))))))))

	p := twoProd(c.hi, d.hi)
	h := twoSum(s.hi, p.hi)
	sin = fastTwoSum(h.hi, h.lo+(p.lo+float64(c.hi*rest)+float64(c.lo*d.hi)+s.lo+float64(s.hi*cosM1)))
	p = twoProd(s.hi, d.hi)
	h = twoSum(c.hi, -p.hi)
	cos = fastTwoSum(h.hi, h.lo-(p.lo+float64(s.hi*rest)+float64(s.lo*d.hi)-c.lo-float64(c.hi*cosM1)))
	if negative {
		sin = sin.neg()
	}
	return sin, cos
}

func outside(x float64) bool { return !(math.Abs(x) <= maxAngle) || x == 0 }

// Sincos returns sine and cosine of x radians, |x| at most 2^20.
func Sincos(x float64) (sin, cos float64) {
	if outside(x) {
		return math.Sin(x), math.Cos(x)
	}
	s, c := sincos(x)
	return s.value(), c.value()
}

// Sin returns the sine of x radians, |x| at most 2^20.
func Sin(x float64) float64 { s, _ := Sincos(x); return s }

// Cos returns the cosine of x radians, |x| at most 2^20.
func Cos(x float64) float64 { _, c := Sincos(x); return c }

// Tan returns the tangent of x radians, |x| at most 2^20.
func Tan(x float64) float64 {
	if outside(x) {
		return math.Tan(x)
	}
	s, c := sincos(x)
	return s.div(c).value()
}

// asin returns the arc sine of x, |x| <= 0.75: one Newton step from math's value.
func asin(x dd) dd {
	y := math.Asin(x.hi)
	s, c := sincos(y)
	e := x.add(s.neg())
	return fastTwoSum(y, (e.hi+e.lo)/c.hi)
}

// complement returns asin(sqrt((1-x)/2)), half of acos x, for x in [0.5, 1].
func complement(x float64) dd {
	return asin(dd{(1 - x) / 2, 0}.sqrt())
}

// Asin returns the arc sine of x in radians.
func Asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 0 || !(a <= 1):
		return math.Asin(x)
	case a <= 0.75:
		return asin(dd{x, 0}).value()
	}
	r := halfPi.add(complement(a).scale(-2))
	return math.Copysign(r.value(), x)
}

// Acos returns the arc cosine of x in radians.
func Acos(x float64) float64 {
	switch {
	case !(math.Abs(x) <= 1):
		return math.Acos(x)
	case x > 0.75:
		return complement(x).scale(2).value()
	case x < -0.75:
		return halfPi.scale(2).add(complement(-x).scale(-2)).value()
	}
	return halfPi.add(asin(dd{x, 0}).neg()).value()
}

// Atan returns the arc tangent of x in radians.
func Atan(x float64) float64 { return Atan2(x, 1) }

// Atan2 returns the angle of the point (x, y) in radians, x and y zero or between 1e-100 and 1e100.
func Atan2(y, x float64) float64 {
	t := math.Atan2(y, x)
	if !ordinary(x) || !ordinary(y) || x == 0 && y == 0 {
		return t
	}
	s, c := sincos(t)
	p, q := twoProd(y, c.hi), twoProd(x, s.hi)
	n := (p.hi - q.hi) + (p.lo - q.lo) + (float64(y*c.lo) - float64(x*s.lo))
	return t + n/(float64(x*c.hi)+float64(y*s.hi))
}

func ordinary(x float64) bool {
	a := math.Abs(x)
	return a == 0 || a > 1e-100 && a < 1e100
}

// Hypot returns the square root of x²+y², x and y zero or between 1e-100 and 1e100.
func Hypot(x, y float64) float64 {
	if !ordinary(x) || !ordinary(y) {
		return math.Hypot(x, y)
	}
	return twoProd(x, x).add(twoProd(y, y)).sqrt().value()
}
