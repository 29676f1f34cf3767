// Package ddouble computes exp and pow to the nearest float64. The standard library's are off by
// one unit in the last place now and then, and differ between machines; those of the C library that
// other decoders use are nearly always the nearest. A Number is the unevaluated
// sum of two float64, which carries about 106 bits.
package ddouble

import "math"

// ln2 is the natural logarithm of 2.
var ln2 = Number{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

// Steps and terms of exp: the argument is brought below ln2/2^(halvings+1), where this many terms
// of the series reach the last bit.
const (
	halvings = 6
	terms    = 12
)

// power returns x·2^k.
func (x Number) power(k int) Number { return Number{math.Ldexp(x.Hi, k), math.Ldexp(x.Lo, k)} }

// exp returns e^x as m·2^k.
func (x Number) exp() (m Number, k int) {
	k = int(math.RoundToEven(x.Hi / ln2.Hi))
	r := x.Add(ln2.Mul(Number{-float64(k), 0})).Scale(1.0 / (1 << halvings))
	// The series of e^r - 1 keeps the bits that e^r would lose to the 1.
	m = Number{}
	for i := terms; i >= 1; i-- {
		m = m.Add(Number{1, 0}).Mul(r).Div(Number{float64(i), 0})
	}
	for range halvings {
		m = m.Mul(m).Add(m.Scale(2)) // (1+m)^2 - 1
	}
	return m.Add(Number{1, 0}), k
}

// log returns the natural logarithm of a positive x by a step of Newton's from the float64 one.
func log(x float64) Number {
	l := math.Log(x)
	m, k := Number{-l, 0}.exp()
	r := m.Mul(Number{x, 0}).power(k).Add(Number{-1, 0}) // x·e^-l - 1, small
	return Number{l, 0}.Add(r)
}

// Pow returns x^y for positive finite x and finite y.
func Pow(x, y float64) float64 {
	e := log(x).Mul(Number{y, 0})
	if math.Abs(e.Hi) > 700 {
		return math.Pow(x, y) // near overflow or underflow
	}
	m, k := e.exp()
	return math.Ldexp(m.Hi, k)
}

// Exp returns e^x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return math.Exp(x)
	}
	m, k := Number{x, 0}.exp()
	return math.Ldexp(m.Hi, k)
}
