// Package libm holds elementary functions with an error below 0.501 units in the last place.
//
// ecCodes computes coordinates with the C library's functions, whose errors are nearly as small, so
// that both give the same double for all but a few arguments in ten thousand. The math package's
// functions err by up to two units, which is enough to move a rotated grid point (ecCodes rounds
// these to multiples of 4e-6 to 1.6e-5 degrees) or to flip the sign of a longitude of 180.
//
// Arguments are angles and lengths of grids: outside the ranges named at each function the result
// is as in package math.
package libm

import (
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/grib/internal/ddouble"
)

// A dd is a number of twice the precision of a float64.
type dd = ddouble.Number

// The constants below are sums of doubles, each the rounding error of the doubles before.
const (
	halfPi0 = 0x1.921fb54442d18p+0
	halfPi1 = 0x1.1a62633145c07p-54
	halfPi2 = -0x1.f1976b7ed8fbcp-110
)

var halfPi = dd{Hi: halfPi0, Lo: halfPi1}

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
	term := dd{Hi: 1, Lo: 0}
	for n := 1; n < 40; n++ {
		if term.Hi == 0 {
			break
		}
		switch n % 4 {
		case 1:
			cos = cos.Add(term)
		case 2:
			sin = sin.Add(term)
		case 3:
			cos = cos.Add(term.Neg())
		case 0:
			sin = sin.Add(term.Neg())
		}
		term = term.Scale(x).Div(dd{Hi: float64(n), Lo: 0})
	}
	return sin, cos
}

// maxAngle bounds the arguments (radians) of the trigonometric functions here.
const maxAngle = 1 << 20

// sincos returns sine and cosine of x, |x| at most maxAngle, with a relative error near 2^-66.
func sincos(x float64) (sin, cos dd) {
	k := 0.0
	r := dd{Hi: x, Lo: 0}
	if math.Abs(x) > halfPi0/2 {
		k = math.RoundToEven(x / halfPi0)
		p, q := ddouble.Product(k, halfPi0), ddouble.Product(k, halfPi1)
		r = ddouble.Sum(x, -p.Hi)
		r = r.Add(dd{Hi: -p.Lo, Lo: 0}).Add(q.Neg()).Add(dd{Hi: -k * halfPi2, Lo: 0})
	}
	sin, cos = sincosReduced(r)
	switch int64(k) & 3 {
	case 1:
		return cos, sin.Neg()
	case 2:
		return sin.Neg(), cos.Neg()
	case 3:
		return cos.Neg(), sin
	}
	return sin, cos
}

// sincosReduced is sincos for |r| up to a little over pi/4. It uses the table entry next to it,
// and the addition theorems.
func sincosReduced(r dd) (sin, cos dd) {
	negative := r.Hi < 0
	if negative {
		r = r.Neg()
	}
	i := int(float64(r.Hi/tableStep) + 0.5)
	t := &sines()[min(i, 26)]
	s, c := t[0], t[1]
	d := ddouble.Sum(r.Hi-float64(float64(i)*tableStep), r.Lo)

	d2 := float64(d.Hi * d.Hi)
	rest := d.Lo + float64(float64(d.Hi*d2)*(-1.0/6+float64(d2*(1.0/120+float64(d2*(-1.0/5040+float64(d2*(1.0/362880))))))))
	cosM1 := float64(d2 * (-0.5 + float64(d2*(1.0/24+float64(d2*(-1.0/720+float64(d2*(1.0/40320))))))))

	p := ddouble.Product(c.Hi, d.Hi)
	h := ddouble.Sum(s.Hi, p.Hi)
	sin = ddouble.FastSum(h.Hi, h.Lo+(p.Lo+float64(c.Hi*rest)+float64(c.Lo*d.Hi)+s.Lo+float64(s.Hi*cosM1)))
	p = ddouble.Product(s.Hi, d.Hi)
	h = ddouble.Sum(c.Hi, -p.Hi)
	cos = ddouble.FastSum(h.Hi, h.Lo-(p.Lo+float64(s.Hi*rest)+float64(s.Lo*d.Hi)-c.Lo-float64(c.Hi*cosM1)))
	if negative {
		sin = sin.Neg()
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
	return s.Value(), c.Value()
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
	return s.Div(c).Value()
}

// asin returns the arc sine of x, |x| <= 0.75: one Newton step from math's value.
func asin(x dd) dd {
	y := math.Asin(x.Hi)
	s, c := sincos(y)
	e := x.Add(s.Neg())
	return ddouble.FastSum(y, (e.Hi+e.Lo)/c.Hi)
}

// complement returns asin(sqrt((1-x)/2)), half of acos x, for x in [0.5, 1].
func complement(x float64) dd {
	return asin(dd{Hi: (1 - x) / 2, Lo: 0}.Sqrt())
}

// Asin returns the arc sine of x in radians.
func Asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 0 || !(a <= 1):
		return math.Asin(x)
	case a <= 0.75:
		return asin(dd{Hi: x, Lo: 0}).Value()
	}
	r := halfPi.Add(complement(a).Scale(-2))
	return math.Copysign(r.Value(), x)
}

// Acos returns the arc cosine of x in radians.
func Acos(x float64) float64 {
	switch {
	case !(math.Abs(x) <= 1):
		return math.Acos(x)
	case x > 0.75:
		return complement(x).Scale(2).Value()
	case x < -0.75:
		return halfPi.Scale(2).Add(complement(-x).Scale(-2)).Value()
	}
	return halfPi.Add(asin(dd{Hi: x, Lo: 0}).Neg()).Value()
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
	p, q := ddouble.Product(y, c.Hi), ddouble.Product(x, s.Hi)
	n := (p.Hi - q.Hi) + (p.Lo - q.Lo) + (float64(y*c.Lo) - float64(x*s.Lo))
	return t + n/(float64(x*c.Hi)+float64(y*s.Hi))
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
	return ddouble.Product(x, x).Add(ddouble.Product(y, y)).Sqrt().Value()
}
