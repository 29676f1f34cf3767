package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/geometry/internal/libm"
)

const halfPi = math.Pi / 2

// turned brings an angle in radians that is at most one turn out into -pi to pi.
func turned(a float64) float64 {
	if a > math.Pi {
		a -= 2 * math.Pi
	}
	if a < -math.Pi {
		a += 2 * math.Pi
	}
	return a
}

// inverseLatitude returns the latitude in radians whose isometric colatitude has the tangent t on a
// spheroid of eccentricity e (Snyder 1987, equation 7-9); false when the iteration does not settle.
func inverseLatitude(e, t float64) (float64, bool) {
	phi := halfPi - 2*libm.Atan(t)
	for range 16 {
		con := e * libm.Sin(phi)
		d := halfPi - 2*libm.Atan(t*libm.Pow((1-con)/(1+con), 0.5*e)) - phi
		phi += d
		if math.Abs(d) <= 1e-10 {
			return phi, true
		}
	}
	return 0, false
}

// isometric returns the tangent of half the isometric colatitude of latitude phi (Snyder 1987,
// equation 15-9).
func isometric(e, phi, sin float64) float64 {
	con := e * sin
	return libm.Tan(0.5*(halfPi-phi)) / libm.Pow((1-con)/(1+con), 0.5*e)
}

// mercator is template 3.10 and 3.13, edition 1 type 1; lengths in metres, angles in degrees.
type mercator struct {
	lat1, lon1, lat2, lon2 float64
	lad, orientation       float64
	dx, dy                 float64
}

func (f *mercator) visit(v visitor) {
	v.float("latitudeOfFirstGridPointInDegrees", &f.lat1)
	v.float("longitudeOfFirstGridPointInDegrees", &f.lon1)
	v.float("latitudeOfLastGridPointInDegrees", &f.lat2)
	v.float("longitudeOfLastGridPointInDegrees", &f.lon2)
	v.float("LaDInDegrees", &f.lad)
	v.float("orientationOfTheGridInDegrees", &f.orientation)
	v.float("DiInMetres", &f.dx)
	v.float("DjInMetres", &f.dy)
}

func (f *mercator) whole() bool { return true }

func (f *mercator) axes(g *Grid) (lat, lon []float64, err error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, nil, err
	}
	ratio := minor / major
	es := 1 - float64(ratio*ratio)
	e := math.Sqrt(es)
	lad, phi, orientation := f.lad*degree, f.lat1*degree, f.orientation*degree
	sinLad, cosLad := libm.Sincos(lad)
	scale := float64(major * (cosLad / math.Sqrt(1-float64(float64(es*sinLad)*sinLad))))
	if math.Abs(math.Abs(phi)-halfPi) <= 1e-10 {
		return nil, nil, g.none("the first grid point is a pole")
	}
	x0 := float64(scale * turned(f.lon1*degree-orientation))
	y0 := 0 - float64(scale*libm.Log(isometric(e, phi, libm.Sin(phi))))

	lat, lon = make([]float64, g.Nj), make([]float64, g.Ni)
	for j := range lat {
		y := float64(float64(j)*f.dy) + y0
		phi, ok := inverseLatitude(e, libm.Exp(-y/scale))
		if !ok {
			return nil, nil, g.none("the latitude of a row cannot be found")
		}
		lat[j] = phi * radian
	}
	for i := range lon {
		x := float64(float64(i)*f.dx) + x0
		lon[i] = normaliseLongitude(turned(orientation+x/scale) * radian)
	}
	return lat, lon, nil
}

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

func (f *polarStereographic) points(g *Grid, lat, lon []float64) error {
	if err := g.needRectangle(); err != nil {
		return err
	}
	radius, err := g.sphere()
	if err != nil {
		return err
	}
	centreLon, centreLat := f.orientation*degree, f.lad*degree
	sign := 1.0 // of the hemisphere; ecCodes takes it from the latitude of true scale, not from the projection centre
	if centreLat < 0 {
		sign = -1
	}
	oblique := math.Abs(math.Abs(centreLat)-halfPi) > 1e-10
	var mcs, tcs float64
	if oblique {
		mcs = libm.Cos(sign * centreLat)
		tcs = libm.Tan(0.5 * (halfPi - float64(sign*centreLat)))
	}
	angle := sign * (f.lon1*degree - centreLon)
	height := libm.Tan(0.5 * (halfPi - float64(sign*(f.lat1*degree))))
	if oblique {
		height = radius * mcs * height / tcs
	} else {
		height = 2 * radius * height
	}
	sin, cos := libm.Sincos(angle)
	x0, y0 := sign*height*sin, -sign*height*cos

	xs, ys := steps(g.Ni, 0, f.dx), steps(g.Nj, 0, f.dy)
	parallelRows(g.Nj, g.Ni, func(j int) {
		y := (ys[j] + y0) * sign
		for i, x := range xs {
			x = (x + x0) * sign
			r := math.Sqrt(float64(x*x) + float64(y*y))
			var t, l float64
			if oblique {
				t = r * tcs / (radius * mcs)
			} else {
				t = r / (radius * 2)
			}
			if r == 0 {
				l = sign * centreLon
			} else {
				l = float64(sign*libm.Atan2(x, -y)) + centreLon
			}
			k := j*g.Ni + i
			lat[k] = sign * (halfPi - 2*libm.Atan(t)) * radian
			lon[k] = wrap(l * radian)
		}
	})
	return nil
}

// steps returns n multiples of d, summed up from start one after the other.
func steps(n int, start, d float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = start
		start += d
	}
	return s
}

// wrap is normaliseLongitude for longitudes that a projection gave, which are few turns out or not
// finite.
func wrap(x float64) float64 {
	if !(math.Abs(x) <= maxDegrees) {
		return x
	}
	return normaliseLongitude(x)
}
