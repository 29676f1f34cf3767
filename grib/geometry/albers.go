package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// albers is the Albers equal-area conic projection, template 3.31 and edition 1 type 8. It has the
// parameters of a Lambert conformal grid. The first has no coordinates in ecCodes, and the second
// is computed there as if it were Lambert conformal.
type albers struct{ parameters lambert }

func (f *albers) visit(v visitor) { f.parameters.visit(v) }

// An equalArea is an Albers projection made ready for many points (Snyder 1987, chapter 14).
type equalArea struct {
	*authalic
	major, n, c float64
}

// radius returns the distance from the pole of the cone of the parallel with the given sine of
// latitude.
func (a *equalArea) radius(sin float64) float64 {
	return a.major * math.Sqrt(max(0, a.c-float64(a.n*a.q(sin)))) / a.n
}

// latitude is the inverse of radius, in radians: equation 3-16. It reports false beyond the poles
// and when the iteration does not settle.
func (a *equalArea) latitude(rho float64) (float64, bool) {
	r := rho * a.n / a.major
	q := (a.c - float64(r*r)) / a.n
	if !(math.Abs(q) <= a.qp+1e-12) {
		return 0, false
	}
	phi := libm.Asin(max(-1, min(1, q/a.qp)))
	if a.e < 1e-7 {
		return phi, true
	}
	for range 16 {
		sin, cos := libm.Sincos(phi)
		if cos < 1e-10 {
			return math.Copysign(halfPi, phi), true
		}
		con := 1 - float64(float64(a.es*sin)*sin)
		d := con * con / (2 * cos) * (q - a.q(sin)) / (1 - a.es)
		phi += d
		if math.Abs(d) <= 1e-12 {
			return phi, true
		}
	}
	return 0, false
}

// cone returns the projection, and where the first grid point lies, in metres from the pole of the
// cone.
func (f *albers) cone(g *Grid, major, minor float64) (a *equalArea, x0, y0 float64, err error) {
	p := &f.parameters
	if math.Abs(p.latin1+p.latin2) < 1e-10 {
		return nil, 0, 0, g.none("the standard parallels lie symmetrically to the equator")
	}
	a = &equalArea{authalic: newAuthalic(major, minor), major: major}
	// m is the radius of the parallel over the semi-major axis (equation 14-15).
	m := func(sin, cos float64) float64 {
		return cos / math.Sqrt(1-float64(float64(a.es*sin)*sin))
	}
	sin1, cos1 := libm.Sincos(p.latin1 * degree)
	sin2, cos2 := libm.Sincos(p.latin2 * degree)
	m1, m2 := m(sin1, cos1), m(sin2, cos2)
	a.n = sin1
	if math.Abs(p.latin1-p.latin2) > 1e-10 {
		a.n = (float64(m1*m1) - float64(m2*m2)) / (a.q(sin2) - a.q(sin1))
	}
	a.c = float64(m1*m1) + float64(a.n*a.q(sin1))

	lov := float64(p.lov * degree)
	rho := a.radius(libm.Sin(p.lat1 * degree))
	sin, cos := libm.Sincos(a.n * turned(float64(p.lon1*degree)-lov))
	return a, rho * sin, -rho * cos, nil
}

func (f *albers) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, err
	}
	p := &f.parameters
	a, x0, y0, err := f.cone(g, major, minor)
	if err != nil {
		return nil, err
	}
	lov, side := float64(p.lov*degree), math.Copysign(1, a.n)
	dx, dy := g.Scan.directed(p.dx, p.dy)
	return func(first int, lat, lon []float64) error {
		return g.allFound(g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			y := y0 + float64(float64(j)*dy)
			for k := range max(len(lat), len(lon)) {
				x := x0 + float64(float64(from+k)*dx)
				if lat != nil {
					phi, ok := a.latitude(math.Sqrt(float64(x*x) + float64(y*y)))
					if !ok {
						return false
					}
					lat[k] = phi * radian
				}
				if lon != nil {
					lon[k] = wrap(turned(libm.Atan2(side*x, -side*y)/a.n+lov) * radian)
				}
			}
			return true
		}))
	}, nil
}
