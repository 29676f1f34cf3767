package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// keyCentreLat is a key that no other grid has.
const keyCentreLat = "centreLatitudeInDegrees"

// rotatedNCEP is NCEP's local template 3.32769, a rotated grid (Arakawa non-E staggered). It is
// placed by its centre and its first point on the Earth. The template is read by ecCodes, which
// computes no coordinates; these follow NCEP's description of it.
type rotatedNCEP struct {
	lat1, lon1 float64 // of the first point, on the Earth
	lat0, lon0 float64 // of the centre
	di, dj     float64
	lat2, lon2 float64 // of the last point, on the Earth
}

func (f *rotatedNCEP) visit(v visitor) {
	v.float("latitudeOfFirstGridPointInDegrees", &f.lat1)
	v.float("longitudeOfFirstGridPointInDegrees", &f.lon1)
	v.float(keyCentreLat, &f.lat0)
	v.float("centreLongitudeInDegrees", &f.lon0)
	v.float("iDirectionIncrementInDegrees", &f.di)
	v.float("jDirectionIncrementInDegrees", &f.dj)
	v.float("latitudeOfLastGridPointInDegrees", &f.lat2)
	v.float("longitudeOfLastGridPointInDegrees", &f.lon2)
}

func (f *rotatedNCEP) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	for _, a := range []float64{f.lat1, f.lon1, f.lat0, f.lon0, f.di, f.dj} {
		if !(math.Abs(a) <= maxDegrees) {
			return nil, g.none("the first grid point, the centre or an increment is not given")
		}
	}
	sin0, cos0 := libm.Sincos(f.lat0 * degree)
	// The first point on the rotated sphere, whose equator and prime meridian cross in the centre.
	sin, cos := libm.Sincos(f.lat1 * degree)
	sinL, cosL := libm.Sincos((f.lon1 - f.lon0) * degree)
	y0 := libm.Asin(max(-1, min(1, float64(cos0*sin)-float64(float64(sin0*cos)*cosL))))
	x0 := libm.Atan2(cos*sinL, float64(float64(cos0*cos)*cosL)+float64(sin0*sin))
	di, dj := g.Scan.directed(f.di*degree, f.dj*degree)
	return func(first int, lat, lon []float64) error {
		g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			sinY, cosY := libm.Sincos(y0 + float64(float64(j)*dj))
			for k := range max(len(lat), len(lon)) {
				sinX, cosX := libm.Sincos(x0 + float64(float64(from+k)*di))
				if lat != nil {
					z := float64(cos0*sinY) + float64(float64(sin0*cosY)*cosX)
					lat[k] = libm.Asin(max(-1, min(1, z))) * radian
				}
				if lon != nil {
					lon[k] = wrap(float64(libm.Atan2(cosY*sinX, float64(float64(cos0*cosY)*cosX)-float64(sin0*sinY))*radian) + f.lon0)
				}
			}
			return true
		})
		return nil
	}, nil
}
