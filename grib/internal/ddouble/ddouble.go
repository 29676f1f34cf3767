// Package ddouble computes exp and pow to the nearest float64. The standard library's are off by
// one unit in the last place now and then, and differ between machines; those of the C library that
// other decoders use are nearly always the nearest. A number is the unevaluated sum of two float64,
// which carries about 106 bits.
package ddouble

import "math"

// number is hi + lo with |lo| at most half a unit in the last place of hi.
type number struct{ hi, lo float64 }

// ln2 is the natural logarithm of 2.
var ln2 = number{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

// sum adds a and b exactly.
func sum(a, b float64) number {
	s := a + b
	t := s - a
	return number{s, (a - (s - t)) + (b - t)}
}

// product multiplies a and b exactly.
func product(a, b float64) number {
	p := a * b
	return number{p, math.FMA(a, b, -p)}
}

func (x number) add(y number) number {
	s := sum(x.hi, y.hi)
	s.lo += x.lo + y.lo
	return sum(s.hi, s.lo)
}

func (x number) mul(y number) number {
	p := product(x.hi, y.hi)
	p.lo += float64(x.hi*y.lo) + float64(x.lo*y.hi)
	return sum(p.hi, p.lo)
}

func (x number) scale(exp int) number { return number{math.Ldexp(x.hi, exp), math.Ldexp(x.lo, exp)} }

func (x number) div(d float64) number {
	q := x.hi / d
	p := product(q, d)
	return sum(q, ((x.hi-p.hi)-p.lo+x.lo)/d)
}

// Steps and terms of exp: the argument is brought below ln2/2^(halvings+1), where so many terms of
// the series reach the last bit.
const (
	halvings = 6
	terms    = 12
)

// exp returns e^x as m·2^k.
func (x number) exp() (m number, k int) {
	k = int(math.RoundToEven(x.hi / ln2.hi))
	r := x.add(ln2.mul(number{-float64(k), 0})).scale(-halvings)
	// The series of e^r - 1 keeps the bits that e^r would lose to the 1.
	m = number{}
	for i := terms; i >= 1; i-- {
		m = m.add(number{1, 0}).mul(r).div(float64(i))
	}
	for range halvings {
		m = m.mul(m).add(m.scale(1)) // (1+m)^2 - 1
	}
	return m.add(number{1, 0}), k
}

// log returns the natural logarithm of a positive x by a step of Newton's from the float64 one.
func log(x float64) number {
	l := math.Log(x)
	m, k := number{-l, 0}.exp()
	r := m.mul(number{x, 0}).scale(k).add(number{-1, 0}) // x·e^-l - 1, small
	return number{l, 0}.add(r)
}

// Pow returns x^y for positive finite x and finite y.
func Pow(x, y float64) float64 {
	e := log(x).mul(number{y, 0})
	if math.Abs(e.hi) > 700 {
		return math.Pow(x, y) // near overflow or underflow
	}
	m, k := e.exp()
	return math.Ldexp(m.hi, k)
}

// Exp returns e^x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return math.Exp(x)
	}
	m, k := number{x, 0}.exp()
	return math.Ldexp(m.hi, k)
}
