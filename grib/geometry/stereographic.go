package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// polarStereographic is template 3.20 and 3.23, edition 1 type 5; lengths in metres, angles in
// degrees.
type polarStereographic struct {
	lat1, lon1       float64
	lad, orientation float64
	dx, dy           float64
	centre           int64 // projectionCentreFlag
}

func (f *polarStereographic) visit(v visitor) {
	v.float("latitudeOfFirstGridPointInDegrees", &f.lat1)
	v.float("longitudeOfFirstGridPointInDegrees", &f.lon1)
	v.float("LaDInDegrees", &f.lad)
	v.float("orientationOfTheGridInDegrees", &f.orientation)
	v.float("DxInMetres", &f.dx)
	v.float("DyInMetres", &f.dy)
	v.integer("projectionCentreFlag", &f.centre)
}

// southPole is the bit of the projection centre flag for the south pole on the projection plane
// (flag table 3.5).
const southPole = 0x80

// pole returns 1 for the north and -1 for the south pole. The projection centre flag names it; a
// negative latitude of true scale means the south pole too, for writers that leave the flag out.
func (f *polarStereographic) pole() float64 {
	if f.centre&southPole != 0 || f.lad < 0 {
		return -1
	}
	return 1
}

// A stereographic is a polar stereographic projection made ready for many points.
type stereographic struct {
	e        float64 // eccentricity, 0 for a sphere
	pole     float64
	lon      float64 // of the meridian along the y axis, radians
	num, den float64 // the distance from the pole is num·t/den for t of equation 15-9
}

// t returns the tangent of half the isometric colatitude, seen from the pole.
func (s *stereographic) t(lat float64) float64 {
	if s.e == 0 {
		return libm.Tan(0.5 * (halfPi - lat))
	}
	return isometric(s.e, lat, libm.Sin(lat))
}

// latitude is the inverse of t; false when the iteration does not settle.
func (s *stereographic) latitude(t float64) (float64, bool) {
	if s.e == 0 {
		return halfPi - 2*libm.Atan(t), true
	}
	return inverseLatitude(s.e, t)
}

// newStereographic returns the projection of a grid (Snyder 1987, chapter 21).
func newStereographic(g *Grid, f *polarStereographic) (*stereographic, error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, err
	}
	s := &stereographic{pole: f.pole(), lon: float64(f.orientation * degree)}
	if ratio := minor / major; ratio != 1 {
		s.e = math.Sqrt(1 - float64(ratio*ratio))
	}
	lad := float64(math.Abs(f.lad) * degree) // of true scale, on the side of the pole
	switch {
	case math.Abs(lad-halfPi) > 1e-10:
		sin, cos := libm.Sincos(lad)
		s.num, s.den = major*cos, s.t(lad)
		if s.e != 0 {
			c := s.e * sin
			s.num /= math.Sqrt(1 - float64(c*c))
		}
	case s.e == 0:
		s.num, s.den = 2*major, 1
	default: // equation 21-33
		s.num, s.den = 2*major, math.Sqrt(libm.Pow(1+s.e, 1+s.e)*libm.Pow(1-s.e, 1-s.e))
	}
	return s, nil
}

// first returns where the first grid point lies, in metres from the pole.
func (f *polarStereographic) first(s *stereographic) (x0, y0 float64) {
	height := s.num * s.t(s.pole*(f.lat1*degree)) / s.den
	sin, cos := libm.Sincos(s.pole * (float64(f.lon1*degree) - s.lon))
	return s.pole * height * sin, -s.pole * height * cos
}

func (f *polarStereographic) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	s, err := newStereographic(g, f)
	if err != nil {
		return nil, err
	}
	x0, y0 := f.first(s)
	dx, dy := g.Scan.directed(f.dx, f.dy)
	xs, ys := steps(g.Ni, 0, dx), steps(g.Nj, 0, dy)
	return func(first int, lat, lon []float64) error {
		return g.allFound(g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			y := (ys[j] + y0) * s.pole
			for k := range max(len(lat), len(lon)) {
				x := (xs[from+k] + x0) * s.pole
				r := math.Sqrt(float64(x*x) + float64(y*y))
				if lat != nil {
					phi, ok := s.latitude(r * s.den / s.num)
					if !ok {
						return false
					}
					lat[k] = s.pole * phi * radian
				}
				if lon != nil {
					l := float64(s.pole * s.lon)
					if r != 0 {
						l = float64(s.pole*libm.Atan2(x, -y)) + s.lon
					}
					lon[k] = wrap(l * radian)
				}
			}
			return true
		}))
	}, nil
}

// allFound returns an error unless all points could be found.
func (g *Grid) allFound(found bool) error {
	if !found {
		return g.none("the latitude of a point cannot be found")
	}
	return nil
}
