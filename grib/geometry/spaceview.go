package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// spaceView is the view from a satellite above the equator: template 3.90, edition 1 type 90. See
// CGMS 03, LRIT/HRIT global specification.
type spaceView struct {
	lat, lon     float64 // of the point below the satellite, degrees
	dx, dy       int64   // apparent diameter of the Earth in grid lengths
	xp, yp       float64 // of the point below the satellite, grid lengths
	orientation  float64
	nr           float64 // distance of the camera from the Earth's centre in radii, NaN for infinity
	xo, yo       int64   // origin of the sector
	major, minor float64 // axes of an oblate Earth as coded: kilometres for shape 3, else metres
}

func (f *spaceView) visit(v visitor) {
	v.float("latitudeOfSubSatellitePointInDegrees", &f.lat)
	v.float("longitudeOfSubSatellitePointInDegrees", &f.lon)
	v.integer("dx", &f.dx)
	v.integer("dy", &f.dy)
	v.float("XpInGridLengths", &f.xp)
	v.float("YpInGridLengths", &f.yp)
	v.float("orientationOfTheGridInDegrees", &f.orientation)
	v.float("NrInRadiusOfEarth", &f.nr)
	v.integer("Xo", &f.xo)
	v.integer("Yo", &f.yo)
	v.float("earthMajorAxis", &f.major)
	v.float("earthMinorAxis", &f.minor)
}

func (f *spaceView) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	equator, pole := f.major, f.minor
	if g.Earth.Oblate {
		if _, _, err := g.spheroid(); err != nil {
			return nil, err
		}
	} else {
		r, err := g.sphere()
		if err != nil {
			return nil, err
		}
		equator = r * 0.001
		pole = equator
	}
	switch {
	case math.IsNaN(f.nr):
		return nil, g.none("the view is orthographic (the altitude of the camera is missing)")
	case f.nr == 0 || f.dx == 0 || f.dy == 0:
		return nil, g.none("Nr, dx and dy must not be 0")
	case f.lat != 0:
		return nil, g.none("the satellite is not above the equator")
	}
	size := 2 * libm.Asin(1/f.nr)
	height := f.nr * equator
	rx, ry := size/float64(f.dx), (pole/equator)*size/float64(f.dy)
	// The point below the satellite is counted from the first value, in the directions of scanning.
	xp, yp := f.xp-float64(f.xo), f.yp-float64(f.yo)
	rx, ry = g.Scan.directed(rx, ry)
	sinX, cosX := make([]float64, g.Ni), make([]float64, g.Ni)
	for i := range sinX {
		s := libm.Sin((float64(i) - xp) * rx)
		sinX[i], cosX[i] = s, math.Sqrt(1-float64(s*s))
	}
	ratio := equator / pole
	flat := float64(ratio * ratio)
	beyond := float64(height*height) - float64(equator*equator)

	return func(first int, lat, lon []float64) error {
		g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			sinY := libm.Sin((float64(j) - yp) * ry)
			cosY := math.Sqrt(1 - float64(sinY*sinY))
			t := 1 + float64(float64((flat-1)*sinY)*sinY)
			for k := range max(len(lat), len(lon)) {
				i := from + k
				h := float64(height * cosX[i] * cosY)
				sd := float64(h*h) - float64(t*beyond)
				if sd <= 0 { // past the edge of the Earth; from a camera inside of it, no result is a number
					continue
				}
				sn := (h - math.Sqrt(sd)) / t
				s1 := height - float64(float64(sn*cosX[i])*cosY)
				s2, s3 := float64(float64(sn*sinX[i])*cosY), sn*sinY
				if lon != nil {
					lon[k] = wrap(float64(libm.Atan(s2/s1)*radian) + f.lon)
				}
				if lat != nil {
					lat[k] = libm.Atan(flat*s3/math.Sqrt(float64(s1*s1)+float64(s2*s2))) * radian
				}
			}
			return true
		})
		return nil
	}, nil
}
