package libm

import (
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/grib/internal/ddouble"
)

const (
	ln2Hi  = 0x1.62e42fefa39efp-1
	ln2Lo  = 0x1.abc9e3b39803fp-56
	expStp = 1.0 / 64
	expMid = 23
)

// powersOfE holds e to the power of (i-expMid)*expStp.
var powersOfE = sync.OnceValue(func() *[2*expMid + 1]dd {
	var t [2*expMid + 1]dd
	for i := range t {
		x := float64(i-expMid) * expStp
		sum, term := dd{}, dd{Hi: 1, Lo: 0}
		for n := 1; n < 40 && term.Hi != 0; n++ {
			sum = sum.Add(term)
			term = term.Scale(x).Div(dd{Hi: float64(n), Lo: 0})
		}
		t[i] = sum
	}
	return &t
})

// exp returns e to the power of x, |x.Hi| at most 700, times 2^-k, and k. The relative error
// is near 2^-66.
func exp(x dd) (r dd, k int) {
	n := math.RoundToEven(x.Hi / ln2Hi)
	p, q := ddouble.Product(n, ln2Hi), ddouble.Product(n, ln2Lo)
	x = x.Add(p.Neg()).Add(q.Neg())
	i := math.RoundToEven(x.Hi / expStp)
	d := ddouble.Sum(x.Hi-float64(i*expStp), x.Lo)
	d2 := float64(d.Hi * d.Hi)
	rest := d.Lo + float64(d2*(0.5+float64(d.Hi*(1.0/6+float64(d.Hi*(1.0/24+float64(d.Hi*(1.0/120+float64(d.Hi*(1.0/720+float64(d.Hi/5040)))))))))))
	e := ddouble.FastSum(1, d.Hi)
	e = ddouble.FastSum(e.Hi, e.Lo+rest)
	return powersOfE()[int(i)+expMid].Mul(e), int(n)
}

// Exp returns e to the power of x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return math.Exp(x)
	}
	r, k := exp(dd{Hi: x, Lo: 0})
	return math.Ldexp(r.Value(), k)
}

// log returns the natural logarithm of x, positive and finite: one Newton step from math's value.
func log(x float64) dd {
	y := math.Log(x)
	e, k := exp(dd{Hi: -y, Lo: 0})
	// x*exp(-y) is near 1, and x*2^k between a half and two.
	p := ddouble.Product(math.Ldexp(x, k), e.Hi)
	d := (p.Hi - 1) + (p.Lo + float64(math.Ldexp(x, k)*e.Lo))
	return ddouble.FastSum(y, d-float64(float64(d*d)/2))
}

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	if !(x > 1e-300 && x < 1e300) || x == 1 {
		return math.Log(x)
	}
	return log(x).Value()
}

// Pow returns x to the power of y. Beyond ordinary magnitudes, and for x not above zero, it is
// math.Pow.
func Pow(x, y float64) float64 {
	if !(x > 1e-300 && x < 1e300) || x == 1 {
		return math.Pow(x, y)
	}
	l := log(x)
	p := ddouble.Product(l.Hi, y)
	p = ddouble.FastSum(p.Hi, p.Lo+float64(l.Lo*y))
	if !(math.Abs(p.Hi) < 700) {
		return math.Pow(x, y)
	}
	r, k := exp(p)
	return math.Ldexp(r.Value(), k)
}
