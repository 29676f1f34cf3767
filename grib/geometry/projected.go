package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

const halfPi = math.Pi / 2

// turned brings an angle in radians into -pi to pi. It is at most one turn outside.
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
// spheroid of eccentricity e. See Snyder 1987, equation 7-9; it is false when the iteration does
// not settle.
func inverseLatitude(e, t float64) (float64, bool) {
	phi := halfPi - 2*libm.Atan(t)
	for range 16 {
		con := float64(e * libm.Sin(phi))
		d := halfPi - float64(2*libm.Atan(t*libm.Pow((1-con)/(1+con), 0.5*e))) - phi
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
	con := float64(e * sin)
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
	lad, phi, orientation := f.lad*degree, f.lat1*degree, float64(f.orientation*degree)
	sinLad, cosLad := libm.Sincos(lad)
	scale := float64(major * (cosLad / math.Sqrt(1-float64(float64(es*sinLad)*sinLad))))
	if math.Abs(math.Abs(phi)-halfPi) <= 1e-10 {
		return nil, nil, g.none("the first grid point is a pole")
	}
	x0 := float64(scale * turned(float64(f.lon1*degree)-orientation))
	y0 := 0 - float64(scale*libm.Log(isometric(e, phi, libm.Sin(phi))))

	dx, dy := g.Scan.directed(f.dx, f.dy)
	lat, lon = make([]float64, g.Nj), make([]float64, g.Ni)
	for j := range lat {
		y := float64(float64(j)*dy) + y0
		phi, ok := inverseLatitude(e, libm.Exp(-y/scale))
		if !ok {
			return nil, nil, g.none("the latitude of a row cannot be found")
		}
		lat[j] = phi * radian
	}
	for i := range lon {
		x := float64(float64(i)*dx) + x0
		lon[i] = normaliseLongitude(turned(orientation+float64(x/scale)) * radian)
	}
	return lat, lon, nil
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

// wrap is normaliseLongitude for longitudes of a projection, which are few turns out or not
// finite.
func wrap(x float64) float64 {
	if !(math.Abs(x) <= maxDegrees) {
		return x
	}
	return normaliseLongitude(x)
}
