// Package projection holds the map projections of the plots, on a sphere of radius 1 (Snyder 1987,
// "Map Projections: A Working Manual").
package projection

import "math"

const degree = math.Pi / 180

// A Projection maps places in degrees to a plane and back. ok is false for a place that is not on
// the map, and for a point of the plane that is outside the map.
type Projection interface {
	Forward(lat, lon float64) (x, y float64, ok bool)
	Inverse(x, y float64) (lat, lon float64, ok bool)
	// Width is the width of a map that goes around the globe, 0 for other maps. A line whose ends
	// are more than half of it apart crosses the edge of the map.
	Width() float64
}

// PlateCarree has latitude and longitude as its axes, in degrees. Scale is the ratio of a degree of
// latitude to one of longitude.
type PlateCarree struct{ Lon0, Scale float64 }

// Forward implements [Projection].
func (p PlateCarree) Forward(lat, lon float64) (x, y float64, ok bool) {
	return math.Remainder(lon-p.Lon0, 360), lat * p.Scale, true
}

// Inverse implements [Projection].
func (p PlateCarree) Inverse(x, y float64) (lat, lon float64, ok bool) {
	lat = y / p.Scale
	return lat, p.Lon0 + x, math.Abs(lat) <= 90 && math.Abs(x) <= 180
}

// Width implements [Projection].
func (p PlateCarree) Width() float64 { return 360 }

// Mercator is conformal and has straight meridians.
type Mercator struct{ Lon0 float64 }

// maxMercator is where maps end: the projection has no poles.
const maxMercator = 85

// Forward implements [Projection].
func (p Mercator) Forward(lat, lon float64) (x, y float64, ok bool) {
	if math.Abs(lat) > maxMercator {
		return 0, 0, false
	}
	return math.Remainder(lon-p.Lon0, 360) * degree, math.Asinh(math.Tan(lat * degree)), true
}

// Inverse implements [Projection].
func (p Mercator) Inverse(x, y float64) (lat, lon float64, ok bool) {
	return math.Atan(math.Sinh(y)) / degree, p.Lon0 + x/degree, math.Abs(x) <= math.Pi
}

// Width implements [Projection].
func (p Mercator) Width() float64 { return 2 * math.Pi }

// Stereographic is the polar stereographic projection, with a pole in the middle.
type Stereographic struct {
	Lon0  float64 // the meridian that points down, with South up
	South bool
}

// Forward implements [Projection].
func (p Stereographic) Forward(lat, lon float64) (x, y float64, ok bool) {
	sign := 1.0
	if p.South {
		sign = -1
	}
	if sign*lat < -60 {
		return 0, 0, false // too far from the pole to be of use
	}
	rho := 2 * math.Tan((90-float64(sign*lat))/2*degree)
	sin, cos := math.Sincos((lon - p.Lon0) * degree)
	return rho * sin, -sign * rho * cos, true
}

// Inverse implements [Projection].
func (p Stereographic) Inverse(x, y float64) (lat, lon float64, ok bool) {
	sign := 1.0
	if p.South {
		sign = -1
	}
	c := 2 * math.Atan(math.Hypot(x, y)/2) / degree
	return sign * (90 - c), p.Lon0 + math.Atan2(x, -sign*y)/degree, c <= 150
}

// Width implements [Projection].
func (p Stereographic) Width() float64 { return 0 }

// Lambert is the conformal conic projection with two standard parallels.
type Lambert struct {
	Lon0    float64
	n, f, r float64
}

// NewLambert makes the projection that is true to scale at two latitudes of one sign, which may be
// equal; they must not be 0 or a pole.
func NewLambert(lon0, lat1, lat2 float64) *Lambert {
	t := func(lat float64) float64 { return math.Tan(math.Pi/4 + float64(lat*degree/2)) }
	p := &Lambert{Lon0: lon0, n: math.Sin(lat1 * degree)}
	if math.Abs(lat1-lat2) > 1e-6 {
		p.n = math.Log(math.Cos(lat1*degree)/math.Cos(lat2*degree)) / math.Log(t(lat2)/t(lat1))
	}
	p.f = math.Cos(lat1*degree) * math.Pow(t(lat1), p.n) / p.n
	p.r = p.f / math.Pow(t((lat1+lat2)/2), p.n)
	return p
}

// Forward implements [Projection].
func (p *Lambert) Forward(lat, lon float64) (x, y float64, ok bool) {
	if lat*p.n < 0 && math.Abs(lat) > 60 || math.Abs(lat) >= 90 {
		return 0, 0, false
	}
	rho := p.f / math.Pow(math.Tan(math.Pi/4+float64(lat*degree/2)), p.n)
	sin, cos := math.Sincos(p.n * math.Remainder(lon-p.Lon0, 360) * degree)
	return rho * sin, p.r - float64(rho*cos), true
}

// Inverse implements [Projection].
func (p *Lambert) Inverse(x, y float64) (lat, lon float64, ok bool) {
	sign := math.Copysign(1, p.n)
	rho := sign * math.Hypot(x, p.r-y)
	if rho == 0 {
		return sign * 90, p.Lon0, true
	}
	theta := math.Atan2(sign*x, sign*(p.r-y))
	lat = (2*math.Atan(math.Pow(p.f/rho, 1/p.n)) - math.Pi/2) / degree
	dlon := theta / p.n / degree
	return lat, p.Lon0 + dlon, math.Abs(dlon) <= 180
}

// Width implements [Projection].
func (p *Lambert) Width() float64 { return 1.5 }

// Orthographic shows the Earth as seen from far away, with Lat0 and Lon0 in the middle.
type Orthographic struct{ Lat0, Lon0 float64 }

// Forward implements [Projection].
func (p Orthographic) Forward(lat, lon float64) (x, y float64, ok bool) {
	sin, cos := math.Sincos(lat * degree)
	sin0, cos0 := math.Sincos(p.Lat0 * degree)
	sinl, cosl := math.Sincos((lon - p.Lon0) * degree)
	if float64(sin*sin0)+float64(cos*cos0*cosl) < 0 {
		return 0, 0, false
	}
	return cos * sinl, float64(cos0*sin) - float64(sin0*cos*cosl), true
}

// Inverse implements [Projection].
func (p Orthographic) Inverse(x, y float64) (lat, lon float64, ok bool) {
	rho := math.Hypot(x, y)
	if rho > 1 {
		return 0, 0, false
	}
	if rho == 0 {
		return p.Lat0, p.Lon0, true
	}
	sin0, cos0 := math.Sincos(p.Lat0 * degree)
	cosc := math.Sqrt(1 - float64(rho*rho))
	lat = math.Asin(float64(cosc*sin0)+float64(y*cos0)) / degree
	lon = p.Lon0 + math.Atan2(x, float64(cosc*cos0)-float64(y*sin0))/degree
	return lat, lon, true
}

// Width implements [Projection].
func (p Orthographic) Width() float64 { return 0 }
