package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// The factors between degrees and radians, as ecCodes writes them.
const (
	degree = 0.01745329251994329576
	radian = 57.29577951308232087684
)

// A rotation is where the southern pole of a rotated sphere lies, and its turn about the new axis.
// Both are in degrees.
type rotation struct{ lat, lon, angle float64 }

func visitRotation(v visitor, r **rotation) {
	optional(v, r, "latitudeOfSouthernPoleInDegrees", func(r *rotation) {
		v.float("latitudeOfSouthernPoleInDegrees", &r.lat)
		v.float("longitudeOfSouthernPoleInDegrees", &r.lon)
		v.float("angleOfRotationInDegrees", &r.angle)
	})
}

// A stretching is the pole and factor of a stretched sphere. It does not enter ecCodes'
// coordinates.
type stretching struct{ lat, lon, factor float64 }

func visitStretching(v visitor, s **stretching) {
	optional(v, s, "stretchingFactor", func(s *stretching) {
		v.float("latitudeOfStretchingPoleInDegrees", &s.lat)
		v.float("longitudeOfStretchingPoleInDegrees", &s.lon)
		v.float("stretchingFactor", &s.factor)
	})
}

// optional visits *p when it is not nil, or when the visitor reads a map that has key.
func optional[T any](v visitor, p **T, key string, visit func(*T)) {
	if r, ok := v.(interface{ has(key string) bool }); ok && *p == nil && r.has(key) {
		*p = new(T)
	}
	if *p != nil {
		visit(*p)
	}
}

// A turn is a rotation with its trigonometry done.
type turn struct {
	sinT, cosT, sinO, cosO float64
	angle                  float64
}

func (r *rotation) turn() turn {
	t := turn{angle: r.angle}
	t.sinT, t.cosT = libm.Sincos(degree * -(90 + r.lat))
	t.sinO, t.cosO = libm.Sincos(degree * -r.lon)
	return t
}

// to returns where a point of the rotated sphere lies on the Earth. Sine and cosine of its
// latitude and longitude there are given.
func (t *turn) to(sinLat, cosLat, sinLon, cosLon float64) (lat, lon float64) {
	xd, yd, zd := cosLon*cosLat, sinLon*cosLat, sinLat
	x := float64(float64(t.cosT*t.cosO)*xd) + float64(t.sinO*yd) + float64(float64(t.sinT*t.cosO)*zd)
	y := float64(float64(-t.cosT*t.sinO)*xd) + float64(t.cosO*yd) - float64(float64(t.sinT*t.sinO)*zd)
	z := float64(-t.sinT*xd) + float64(t.cosT*zd)
	z = max(-1, min(1, z))
	lat, ok := round6(math.Asin(z) * radian)
	if !ok {
		lat, _ = round6(libm.Asin(z) * radian)
	}
	lon, ok = round6(math.Atan2(y, x) * radian)
	if !ok {
		lon, _ = round6(libm.Atan2(y, x) * radian)
	}
	return lat, lon - t.angle
}

// round6 rounds to a millionth in single precision, as ecCodes does. Beyond 16.8 degrees the steps
// are coarser than a millionth. It reports whether an error of a dozen units in the last place of x
// would not matter.
func round6(x float64) (float64, bool) {
	const slack = 4e-15
	x *= 1e6
	f := float32(x)
	return math.Round(float64(f)) / 1e6, float32(x*(1-slack)) == f && float32(x*(1+slack)) == f
}

// turnGrid turns the points of rows and columns.
func (r *rotation) turnGrid(g *Grid, rows, columns []float64) pointRange {
	t := r.turn()
	sin, cos := make([]float64, len(columns)), make([]float64, len(columns))
	for i, x := range columns {
		sin[i], cos[i] = libm.Sincos(x * degree)
	}
	return func(first int, lat, lon []float64) error {
		g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			sinLat, cosLat := libm.Sincos(rows[j] * degree)
			for k := range max(len(lat), len(lon)) {
				y, x := t.to(sinLat, cosLat, sin[from+k], cos[from+k])
				put(lat, k, y)
				put(lon, k, x)
			}
			return true
		})
		return nil
	}
}

// turnPoints turns each point in place.
func (r *rotation) turnPoints(lat, lon []float64) {
	t := r.turn()
	parallelRows(len(lat), 1, func(k int) {
		sinLat, cosLat := libm.Sincos(lat[k] * degree)
		sinLon, cosLon := libm.Sincos(lon[k] * degree)
		lat[k], lon[k] = t.to(sinLat, cosLat, sinLon, cosLon)
	})
}
