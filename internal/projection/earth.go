package projection

import (
	"fmt"
	"math"
)

// An earth is a spheroid.
type earth struct {
	a, e, e2 float64 // its larger half axis in metres, its eccentricity, and the square of that
}

// earth is the figure of the Earth that a grid mapping names.
func (m *Mapping) earth() (earth, error) {
	a := m.number("semi_major_axis", m.number("earth_radius", majorWGS84))
	b := m.number("semi_minor_axis", math.NaN())
	switch f := m.number("inverse_flattening", math.NaN()); {
	case b == b:
	case f == f && f != 0:
		b = a * (1 - 1/f)
	case f == 0 || m.Numbers("earth_radius") != nil || m.Numbers("semi_major_axis") != nil:
		b = a
	default:
		b = a * (1 - flatteningWGS84)
	}
	if !(a > 0 && b > 0 && b <= a) {
		return earth{}, fmt.Errorf("the Earth has half axes of %v and %v metres", a, b)
	}
	e2 := 1 - b*b/(a*a)
	return earth{a, math.Sqrt(e2), e2}, nil
}

// m is Snyder's 14-15: the radius of a parallel, of a = 1.
func (e earth) m(phi float64) float64 {
	sin, cos := math.Sincos(phi)
	return cos / math.Sqrt(1-e.e2*sin*sin)
}

// t is Snyder's 15-9.
func (e earth) t(phi float64) float64 {
	s := e.e * math.Sin(phi)
	return math.Tan(math.Pi/4-phi/2) / math.Pow((1-s)/(1+s), e.e/2)
}

// conformal is the latitude of a t, by iteration (7-9).
func (e earth) conformal(t float64) float64 {
	phi := math.Pi/2 - 2*math.Atan(t)
	for range 20 {
		s := e.e * math.Sin(phi)
		next := math.Pi/2 - 2*math.Atan(t*math.Pow((1-s)/(1+s), e.e/2))
		if math.Abs(next-phi) < 1e-13 {
			return next
		}
		phi = next
	}
	return phi
}

// q is Snyder's 3-12.
func (e earth) q(phi float64) float64 {
	sin := math.Sin(phi)
	if e.e == 0 {
		return 2 * sin
	}
	s := e.e * sin
	return (1 - e.e2) * (sin/(1-s*s) - math.Log((1-s)/(1+s))/(2*e.e))
}

// authalic is the latitude of a q, by Newton's method (3-16).
func (e earth) authalic(q float64) float64 {
	limit := e.q(math.Pi / 2)
	switch {
	case math.Abs(q) > limit*(1+1e-9) || q != q:
		return math.NaN()
	case math.Abs(q) > limit*(1-1e-12):
		return math.Copysign(math.Pi/2, q)
	}
	phi := math.Asin(q / limit)
	for range 20 {
		sin, cos := math.Sincos(phi)
		s := 1 - e.e2*sin*sin
		step := s * s / (2 * cos) * (q - e.q(phi)) / (1 - e.e2)
		phi += step
		if math.Abs(step) < 1e-13 {
			break
		}
	}
	return phi
}
