package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// lambert is the Lambert conformal conic projection: template 3.30 and 3.33, edition 1 types 3 and
// 13. Lengths are in metres, angles in degrees.
type lambert struct {
	lat1, lon1     float64
	lad, lov       float64
	dx, dy         float64
	latin1, latin2 float64
	poleLat        float64
	poleLon        float64
	centre         int64
}

func (f *lambert) visit(v visitor) {
	v.float("latitudeOfFirstGridPointInDegrees", &f.lat1)
	v.float("longitudeOfFirstGridPointInDegrees", &f.lon1)
	v.float("LaDInDegrees", &f.lad)
	v.float("LoVInDegrees", &f.lov)
	v.float("DxInMetres", &f.dx)
	v.float("DyInMetres", &f.dy)
	v.float("Latin1InDegrees", &f.latin1)
	v.float("Latin2InDegrees", &f.latin2)
	v.float("latitudeOfSouthernPoleInDegrees", &f.poleLat)
	v.float("longitudeOfSouthernPoleInDegrees", &f.poleLon)
	v.integer("projectionCentreFlag", &f.centre)
}

func (f *lambert) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	if math.Abs(f.latin1+f.latin2) < 1e-10 {
		return nil, g.none("the standard parallels lie symmetrically to the equator")
	}
	if g.Earth.Oblate {
		return f.onSpheroid(g)
	}
	return f.onSphere(g)
}

func (f *lambert) onSphere(g *Grid) (pointRange, error) {
	radius, err := g.sphere()
	if err != nil {
		return nil, err
	}
	n, c, rho0, x0, y0 := f.cone(radius)
	lov := float64(f.lov * degree)
	dx, dy := g.Scan.directed(f.dx, f.dy)
	return func(first int, lat, lon []float64) error {
		g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			y := rho0 - (y0+float64(float64(j)*dy))/radius
			for k := range max(len(lat), len(lon)) {
				x, y := (x0+float64(float64(from+k)*dx))/radius, y
				r := libm.Hypot(x, y)
				if r == 0 {
					put(lat, k, math.Copysign(halfPi, n)*radian)
					continue // the longitude is 0
				}
				if n < 0 {
					r, x, y = -r, -x, -y
				}
				if lat != nil {
					lat[k] = (2*libm.Atan(libm.Pow(c/r, 1/n)) - halfPi) * radian
				}
				if lon != nil {
					lon[k] = wrap((libm.Atan2(x, y)/n + lov) * radian)
				}
			}
			return true
		})
		return nil
	}, nil
}

// cone returns the constants of the projection on a sphere (Snyder 1987, equations 15-1 to 15-3).
// It also returns where the first grid point lies, in metres from the central meridian and the
// parallel LaD.
func (f *lambert) cone(radius float64) (n, c, rho0, x0, y0 float64) {
	const quarterPi = math.Pi / 4
	lat1, lat2, lov := float64(f.latin1*degree), float64(f.latin2*degree), float64(f.lov*degree)
	if math.Abs(lat1-lat2) < 1e-9 {
		n = libm.Sin(lat1)
	} else {
		n = libm.Log(libm.Cos(lat1)/libm.Cos(lat2)) / libm.Log(libm.Tan(quarterPi+float64(lat2/2))/libm.Tan(quarterPi+float64(lat1/2)))
	}
	c = (libm.Cos(lat1) * libm.Pow(libm.Tan(quarterPi+float64(lat1/2)), n)) / n
	rho := radius * c * libm.Pow(libm.Tan(quarterPi+float64(f.lat1*degree/2)), -n)
	rho0 = c * libm.Pow(libm.Tan(quarterPi+float64(f.lad*degree/2)), -n)
	sin, cos := libm.Sincos(n * turned(float64(f.lon1*degree)-lov))
	return n, c, rho0, rho * sin, float64(radius*rho0) - float64(rho*cos)
}

func (f *lambert) onSpheroid(g *Grid) (pointRange, error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, err
	}
	s, rh, x0, y0, err := f.oblateCone(g, major, minor)
	if err != nil {
		return nil, err
	}
	dx, dy := g.Scan.directed(f.dx, f.dy)
	return func(first int, lat, lon []float64) error {
		return g.allFound(g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			y := rh - float64(float64(j)*dy) - y0
			for k := range max(len(lat), len(lon)) {
				x := float64(float64(from+k)*dx) + x0
				r := s.radius(x, y)
				if lat != nil {
					phi, ok := s.latitude(r)
					if !ok {
						return false
					}
					lat[k] = phi
				}
				if lon != nil {
					lon[k] = s.longitude(x, y, r)
				}
			}
			return true
		}))
	}, nil
}

// oblateCone returns the constants of the projection on a spheroid, and where the first grid
// point lies. It also returns the distance of the parallel LaD from the pole of the cone.
func (f *lambert) oblateCone(g *Grid, major, minor float64) (s *spheroidal, rh, x0, y0 float64, err error) {
	ratio := minor / major
	e := math.Sqrt(1 - float64(ratio*ratio))
	// m is the radius of the parallel phi over the semi-major axis (Snyder 1987, equation 14-15).
	m := func(sin, cos float64) float64 { c := e * sin; return cos / math.Sqrt(1-float64(c*c)) }
	lat1, lat2, lov := float64(f.latin1*degree), float64(f.latin2*degree), float64(f.lov*degree)
	sin1, cos1 := libm.Sincos(lat1)
	m1, t1 := m(sin1, cos1), isometric(e, lat1, sin1)
	sin2, cos2 := libm.Sincos(lat2)
	n := sin1
	if math.Abs(lat1-lat2) > 1e-10 {
		n = libm.Log(m1/m(sin2, cos2)) / libm.Log(t1/isometric(e, lat2, sin2))
	}
	lad := f.lad * degree
	c := m1 / (n * libm.Pow(t1, n))
	rh = float64(major * c * libm.Pow(isometric(e, lad, libm.Sin(lad)), n))

	first, r := f.lat1*degree, 0.0
	if math.Abs(math.Abs(first)-halfPi) > 1e-10 {
		r = major * c * libm.Pow(isometric(e, first, libm.Sin(first)), n)
	} else if first*n <= 0 {
		return nil, 0, 0, 0, g.none("the first grid point cannot be projected")
	}
	sin, cos := libm.Sincos(n * turned(float64(f.lon1*degree)-lov))
	return &spheroidal{e: e, n: n, unit: major * c, lov: lov}, rh, float64(r * sin), rh - float64(r*cos), nil
}

// spheroidal is a Lambert projection of a spheroid made ready for many points.
type spheroidal struct{ e, n, unit, lov float64 }

// radius returns the distance of a point, in metres, from the pole of the cone, with the sign of n.
func (s *spheroidal) radius(x, y float64) float64 {
	r := math.Sqrt(float64(x*x) + float64(y*y))
	if s.n <= 0 {
		r = -r
	}
	return r
}

// latitude returns the latitude in degrees at a radius.
func (s *spheroidal) latitude(r float64) (lat float64, ok bool) {
	phi := -halfPi
	if r != 0 || s.n > 0 {
		if phi, ok = inverseLatitude(s.e, libm.Pow(r/s.unit, 1/s.n)); !ok {
			return 0, false
		}
	}
	return phi * radian, true
}

// longitude returns the longitude in degrees of a point and its radius.
func (s *spheroidal) longitude(x, y, r float64) float64 {
	theta, sign := 0.0, 1.0
	if s.n <= 0 {
		sign = -1
	}
	if r != 0 {
		theta = libm.Atan2(sign*x, sign*y)
	}
	return wrap(turned(theta/s.n+s.lov) * radian)
}
