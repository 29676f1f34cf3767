package libm

import "math"

// A dd is an unevaluated sum hi+lo of two doubles with |lo| at most half a unit in the last place
// of hi: some 106 bits.
type dd struct{ hi, lo float64 }

// twoSum returns a+b exactly, as rounded sum and error (Knuth).
func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// fastTwoSum is twoSum for |a| >= |b| (Dekker).
func fastTwoSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// twoProd returns a*b exactly, as rounded product and error.
func twoProd(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s := twoSum(a.hi, b.hi)
	t := twoSum(a.lo, b.lo)
	s = fastTwoSum(s.hi, s.lo+t.hi)
	return fastTwoSum(s.hi, s.lo+t.lo)
}

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	return fastTwoSum(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a dd) scale(f float64) dd {
	p := twoProd(a.hi, f)
	return fastTwoSum(p.hi, p.lo+float64(a.lo*f))
}

func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := a.add(b.scale(q).neg())
	return fastTwoSum(q, (r.hi+r.lo)/b.hi)
}

func (a dd) sqrt() dd {
	if a.hi <= 0 {
		return dd{math.Sqrt(a.hi), 0}
	}
	s := math.Sqrt(a.hi)
	r := math.FMA(-s, s, a.hi) + a.lo
	return fastTwoSum(s, r/(2*s))
}

func (a dd) value() float64 { return a.hi + a.lo }
