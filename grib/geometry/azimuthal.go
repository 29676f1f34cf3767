package geometry

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// azimuthal is the Lambert azimuthal equal area projection, template 3.140; lengths in millimetres,
// angles in degrees.
type azimuthal struct {
	lat1, lon1 float64
	parallel   float64
	centralLon float64
	dx, dy     int64
}

func (f *azimuthal) visit(v visitor) {
	v.float("latitudeOfFirstGridPointInDegrees", &f.lat1)
	v.float("longitudeOfFirstGridPointInDegrees", &f.lon1)
	v.float("standardParallelInDegrees", &f.parallel)
	v.float("centralLongitudeInDegrees", &f.centralLon)
	v.integer("xDirectionGridLengthInMillimetres", &f.dx)
	v.integer("yDirectionGridLengthInMillimetres", &f.dy)
}

// lengths returns the steps in metres, with the signs of the scanning mode.
func (f *azimuthal) lengths(s Scan) (dx, dy float64) {
	return s.directed(float64(f.dx)/1000, float64(f.dy)/1000)
}

func (f *azimuthal) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	if g.Earth.Oblate {
		return f.onSpheroid(g)
	}
	return f.onSphere(g)
}

func (f *azimuthal) onSphere(g *Grid) (pointRange, error) {
	radius, err := g.sphere()
	if err != nil {
		return nil, err
	}
	xs, ys := f.sphereAxes(g, radius)
	d2r := halfPi / 90
	lon0, phi := float64(f.centralLon*d2r), float64(f.parallel*d2r)
	sin1, cos1 := libm.Sincos(phi)

	return func(first int, lat, lon []float64) error {
		g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			y := ys[j]
			for k := range max(len(lat), len(lon)) {
				x, la, lo := xs[from+k], phi/d2r, lon0/d2r
				if rho := math.Sqrt(float64(x*x) + float64(y*y)); rho > 1e-20 {
					sin, cos := libm.Sincos(2 * libm.Asin(rho/(2*radius)))
					if lat != nil {
						la = libm.Asin(float64(cos*sin1)+float64(float64(y*sin)*cos1)/rho) / d2r
					}
					if lon != nil {
						lo = (lon0 + libm.Atan2(x*sin, float64(float64(rho*cos1)*cos)-float64(float64(y*sin1)*sin))) / d2r
					}
				}
				if lo < 0 {
					lo += 360
				}
				put(lat, k, la)
				put(lon, k, lo)
			}
			return true
		})
		return nil
	}, nil
}

// sphereAxes returns the metres of columns and rows from the centre of the projection. See Snyder
// 1987, equations 24-2, 22-4 and 22-5.
func (f *azimuthal) sphereAxes(g *Grid, radius float64) (xs, ys []float64) {
	d2r := halfPi / 90
	lon0, phi := float64(f.centralLon*d2r), float64(f.parallel*d2r)
	sin1, cos1 := libm.Sincos(phi)
	sinLat, cosLat := libm.Sincos(f.lat1 * d2r)
	sinLon, cosLon := libm.Sincos(float64(f.lon1*d2r) - lon0)
	k := radius * math.Sqrt(2/(1+float64(sin1*sinLat)+float64(float64(cos1*cosLat)*cosLon)))
	dx, dy := f.lengths(g.Scan)
	xs = steps(g.Ni, k*cosLat*sinLon, dx)
	ys = steps(g.Nj, k*(float64(cos1*sinLat)-float64(float64(sin1*cosLat)*cosLon)), dy)
	return xs, ys
}

// An authalic holds the constants of the equal-area projection of a spheroid of eccentricity e.
// See Snyder 1987, equations 3-11 to 3-18 and 24-17 ff.
type authalic struct {
	e, es, qp, rq float64
	series        [3]float64
}

func newAuthalic(major, minor float64) *authalic {
	flat := (major - minor) / major
	es := 2*flat - float64(flat*flat)
	a := &authalic{e: math.Sqrt(es), es: es}
	a.qp = a.q(1)
	a.rq = math.Sqrt(0.5 * a.qp)
	t := float64(es * es)
	u := float64(t * es)
	a.series[0] = float64(es*.33333333333333333333) + float64(t*.17222222222222222222) + float64(u*.10257936507936507937)
	a.series[1] = float64(t*.06388888888888888888) + float64(u*.06640211640211640212)
	a.series[2] = u * .01677689594356261023
	return a
}

func (a *authalic) q(sin float64) float64 {
	if !(a.e >= 1e-7) { // a sphere, or axes that make no spheroid
		return sin + sin
	}
	con := float64(a.e * sin)
	return (1 - a.es) * (sin/(1-float64(con*con)) - float64((.5/a.e)*libm.Log((1-con)/(1+con))))
}

// latitude returns the geodetic latitude of the authalic latitude beta.
func (a *authalic) latitude(beta float64) float64 {
	t := beta + beta
	return beta + float64(a.series[0]*libm.Sin(t)) + float64(a.series[1]*libm.Sin(t+t)) + float64(a.series[2]*libm.Sin(t+t+t))
}

// An oblateAzimuthal is the projection of a spheroid made ready for many points. The columns and
// rows from its centre are xs and ys, in semi-major axes.
type oblateAzimuthal struct {
	*authalic
	sin1, cos1, dd, lon0 float64
	xs, ys               []float64
}

func (f *azimuthal) oblate(g *Grid, major, minor float64) (*oblateAzimuthal, error) {
	a := newAuthalic(major, minor)
	d2r := halfPi / 90
	lon0, phi := float64(f.centralLon*d2r), float64(f.parallel*d2r)
	if math.Abs(phi) > halfPi+1e-10 {
		return nil, g.none("the standard parallel is beyond a pole")
	}
	sinPhi, cosPhi := libm.Sincos(phi)
	sin1 := a.q(sinPhi) / a.qp
	cos1 := math.Sqrt(1 - float64(sin1*sin1))
	dd := 1.0
	if cos1 != 0 {
		dd = cosPhi / (float64(math.Sqrt(1-float64(float64(a.es*sinPhi)*sinPhi))*a.rq) * cos1)
	}
	sinLon, cosLon := libm.Sincos(float64(f.lon1*d2r) - lon0)
	sinB := a.q(libm.Sin(f.lat1*d2r)) / a.qp
	cosB := math.Sqrt(max(0, 1-float64(sinB*sinB)))
	b := 1 + float64(sin1*sinB) + float64(float64(cos1*cosB)*cosLon)
	if math.Abs(b) < 1e-10 {
		return nil, g.none("the first grid point is opposite the centre of the projection")
	}
	b = math.Sqrt(2 / b)
	dx, dy := f.lengths(g.Scan)
	ys := steps(g.Nj, a.rq/dd*b*(float64(cos1*sinB)-float64(float64(sin1*cosB)*cosLon)), dy/major)
	xs := steps(g.Ni, a.rq*dd*b*cosB*sinLon, dx/major)
	return &oblateAzimuthal{a, sin1, cos1, dd, lon0, xs, ys}, nil
}

func (f *azimuthal) onSpheroid(g *Grid) (pointRange, error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, err
	}
	a, err := f.oblate(g, major, minor)
	if err != nil {
		return nil, err
	}
	sin1, cos1, dd, lon0 := a.sin1, a.cos1, a.dd, a.lon0
	xs, ys := a.xs, a.ys
	return func(first int, lat, lon []float64) error {
		inside := g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
			for k := range max(len(lat), len(lon)) {
				x, y := xs[from+k]/dd, ys[j]*dd
				rho := libm.Hypot(x, y)
				arg := 0.5 * rho / a.rq
				if !(arg <= 1) {
					return false
				}
				if rho < 1e-10 { // the centre itself, at which ecCodes gives up
					put(lat, k, f.parallel)
					put(lon, k, f.centralLon)
					continue
				}
				sin, cos := libm.Sincos(2 * libm.Asin(arg))
				x *= sin
				ab := float64(cos*sin1) + float64(float64(y*sin)*cos1)/rho
				y = float64(float64(rho*cos1)*cos) - float64(float64(y*sin1)*sin)
				if lat != nil {
					lat[k] = a.latitude(libm.Asin(ab)) * radian
				}
				if lon != nil {
					lon[k] = (libm.Atan2(x, y) + lon0) * radian
				}
			}
			return true
		})
		if !inside {
			return g.none("a point is beyond the edge of the projection")
		}
		return nil
	}, nil
}
