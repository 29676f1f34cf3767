// Package ddouble computes with numbers of twice the precision of a float64.
package ddouble

import "math"

// A Number is the unevaluated sum Hi+Lo of two float64, with some 106 bits. The size of Lo is at
// most half a unit in the last place of Hi.
//
// Products are converted to float64 explicitly wherever a sum takes them, because compilers for
// arm64, s390x and others fuse a multiplication and an addition that are not kept apart.
type Number struct{ Hi, Lo float64 }

// Sum returns a+b exactly, as the rounded sum and its error (Knuth).
func Sum(a, b float64) Number {
	s := a + b
	t := s - a
	return Number{s, (a - (s - t)) + (b - t)}
}

// FastSum is Sum for |a| >= |b| (Dekker).
func FastSum(a, b float64) Number {
	s := a + b
	return Number{s, b - (s - a)}
}

// Product returns a*b exactly, as the rounded product and its error.
func Product(a, b float64) Number {
	p := float64(a * b)
	return Number{p, math.FMA(a, b, -p)}
}

// Add returns a+b.
func (a Number) Add(b Number) Number {
	s := Sum(a.Hi, b.Hi)
	t := Sum(a.Lo, b.Lo)
	s = FastSum(s.Hi, s.Lo+t.Hi)
	return FastSum(s.Hi, s.Lo+t.Lo)
}

// Neg returns -a.
func (a Number) Neg() Number { return Number{-a.Hi, -a.Lo} }

// Mul returns a*b.
func (a Number) Mul(b Number) Number {
	p := Product(a.Hi, b.Hi)
	return FastSum(p.Hi, p.Lo+(float64(a.Hi*b.Lo)+float64(a.Lo*b.Hi)))
}

// Scale returns a*f.
func (a Number) Scale(f float64) Number {
	p := Product(a.Hi, f)
	return FastSum(p.Hi, p.Lo+float64(a.Lo*f))
}

// Div returns a/b.
func (a Number) Div(b Number) Number {
	q := a.Hi / b.Hi
	r := a.Add(b.Scale(q).Neg())
	return FastSum(q, (r.Hi+r.Lo)/b.Hi)
}

// Sqrt returns the square root of a.
func (a Number) Sqrt() Number {
	if a.Hi <= 0 {
		return Number{math.Sqrt(a.Hi), 0}
	}
	s := math.Sqrt(a.Hi)
	r := math.FMA(-s, s, a.Hi) + a.Lo
	return FastSum(s, r/(2*s))
}

// Value returns the float64 nearest to a.
func (a Number) Value() float64 { return a.Hi + a.Lo }
