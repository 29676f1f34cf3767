package libm

import (
	"math"
	"sync"
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
		sum, term := dd{}, dd{1, 0}
		for n := 1; n < 40 && term.hi != 0; n++ {
			sum = sum.add(term)
			term = term.scale(x).div(dd{float64(n), 0})
		}
		t[i] = sum
	}
	return &t
})

// exp returns e to the power of x, |x.hi| at most 700, with a relative error near 2^-66, times
// 2^-k, and k.
func exp(x dd) (r dd, k int) {
	n := math.RoundToEven(x.hi / ln2Hi)
	p, q := twoProd(n, ln2Hi), twoProd(n, ln2Lo)
	x = x.add(p.neg()).add(q.neg())
	i := math.RoundToEven(x.hi / expStp)
	d := twoSum(x.hi-i*expStp, x.lo)
	d2 := float64(d.hi * d.hi)
	rest := d.lo + float64(d2*(0.5+float64(d.hi*(1.0/6+float64(d.hi*(1.0/24+float64(d.hi*(1.0/120+float64(d.hi*(1.0/720+float64(d.hi/5040)))))))))))
	e := fastTwoSum(1, d.hi)
	e = fastTwoSum(e.hi, e.lo+rest)
	return powersOfE()[int(i)+expMid].mul(e), int(n)
}

// Exp returns e to the power of x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return math.Exp(x)
	}
	r, k := exp(dd{x, 0})
	return math.Ldexp(r.value(), k)
}

// log returns the natural logarithm of x, positive and finite: one Newton step from math's value.
func log(x float64) dd {
	y := math.Log(x)
	e, k := exp(dd{-y, 0})
	// x*exp(-y) is near 1, and x*2^k between a half and two.
	p := twoProd(math.Ldexp(x, k), e.hi)
	d := (p.hi - 1) + (p.lo + math.Ldexp(x, k)*e.lo)
	return fastTwoSum(y, d-d*d/2)
}

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	if !(x > 1e-300 && x < 1e300) || x == 1 {
		return math.Log(x)
	}
	return log(x).value()
}

// Pow returns x to the power of y. Beyond ordinary magnitudes, and for x not above zero, it is
// math.Pow.
func Pow(x, y float64) float64 {
	if !(x > 1e-300 && x < 1e300) || x == 1 {
		return math.Pow(x, y)
	}
	l := log(x)
	p := twoProd(l.hi, y)
	p = fastTwoSum(p.hi, p.lo+l.lo*y)
	if !(math.Abs(p.hi) < 700) {
		return math.Pow(x, y)
	}
	r, k := exp(p)
	return math.Ldexp(r.value(), k)
}
