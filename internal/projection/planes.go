package projection

import (
	"errors"
	"math"
)

var errNoParallel = errors.New("it has no standard_parallel, expected one or two")

func conformal(m *Mapping, e earth) (Inverse, error) {
	phi0, lambda0 := m.origin("longitude_of_central_meridian")
	phi1, phi2, ok := m.parallels()
	if !ok {
		phi1, phi2 = phi0, phi0
	}
	m1, t1 := e.m(phi1), e.t(phi1)
	n := math.Sin(phi1)
	if math.Abs(phi1-phi2) > 1e-10 {
		n = (math.Log(m1) - math.Log(e.m(phi2))) / (math.Log(t1) - math.Log(e.t(phi2)))
	}
	if math.Abs(n) < 1e-10 || math.IsNaN(n) {
		return nil, errNoParallel
	}
	af := e.a * m.number("scale_factor_at_projection_origin", 1) * m1 / (n * math.Pow(t1, n))
	rho0 := af * math.Pow(e.t(phi0), n)
	sign := math.Copysign(1, n)
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		rho := sign * math.Hypot(x, rho0-y)
		return e.conformal(math.Pow(rho/af, 1/n)), lambda0 + math.Atan2(sign*x, sign*(rho0-y))/n
	}), nil
}

func albers(m *Mapping, e earth) (Inverse, error) {
	phi0, lambda0 := m.origin("longitude_of_central_meridian")
	phi1, phi2, ok := m.parallels()
	if !ok {
		return nil, errNoParallel
	}
	m1 := e.m(phi1)
	n := math.Sin(phi1)
	if math.Abs(phi1-phi2) > 1e-10 {
		m2 := e.m(phi2)
		n = (m1*m1 - m2*m2) / (e.q(phi2) - e.q(phi1))
	}
	if math.Abs(n) < 1e-10 {
		return nil, errNoParallel
	}
	c := m1*m1 + n*e.q(phi1)
	rho0 := e.a * math.Sqrt(c-n*e.q(phi0)) / n
	sign := math.Copysign(1, n)
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		rho := math.Hypot(x, rho0-y) * n / e.a
		return e.authalic((c - rho*rho) / n), lambda0 + math.Atan2(sign*x, sign*(rho0-y))/n
	}), nil
}

// scaleAt is the scale at the parallel that is true, or at the origin.
func (m *Mapping) scaleAt(e earth) float64 {
	if phi, _, ok := m.parallels(); ok {
		return e.m(phi)
	}
	return m.number("scale_factor_at_projection_origin", 1)
}

func mercator(m *Mapping, e earth) (Inverse, error) {
	_, lambda0 := m.origin("longitude_of_projection_origin")
	ak := e.a * m.scaleAt(e)
	return m.onMap(func(x, y float64) (phi, lambda float64) { return e.conformal(math.Exp(-y / ak)), lambda0 + x/ak }), nil
}

func cylindrical(m *Mapping, e earth) (Inverse, error) {
	_, lambda0 := m.origin("longitude_of_central_meridian")
	k := m.scaleAt(e)
	return m.onMap(func(x, y float64) (phi, lambda float64) { return e.authalic(2 * y * k / e.a), lambda0 + x/(e.a*k) }), nil
}

func sinusoidal(m *Mapping, e earth) (Inverse, error) {
	if e.e != 0 {
		return nil, errors.New("it is computed on a sphere only")
	}
	_, lambda0 := m.origin("longitude_of_central_meridian")
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		phi = y / e.a
		if lambda = x / (e.a * math.Cos(phi)); math.Abs(phi) > math.Pi/2 || math.Abs(lambda) > math.Pi {
			return math.NaN(), math.NaN()
		}
		return phi, lambda0 + lambda
	}), nil
}

func polar(m *Mapping, e earth) (Inverse, error) {
	phi0, lambda0 := m.origin("straight_vertical_longitude_from_pole")
	south := phi0 < 0
	parallel, _, ok := m.parallels()
	if m.Numbers("latitude_of_projection_origin") == nil {
		south = parallel < 0
	}
	parallel = math.Abs(parallel)
	scale := m.number("scale_factor_at_projection_origin", 1) * 2 / math.Sqrt(math.Pow(1+e.e, 1+e.e)*math.Pow(1-e.e, 1-e.e))
	if ok && parallel < math.Pi/2-1e-10 {
		scale = e.m(parallel) / e.t(parallel)
	}
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		phi = e.conformal(math.Hypot(x, y) / (e.a * scale))
		if south {
			return -phi, lambda0 + math.Atan2(x, y)
		}
		return phi, lambda0 + math.Atan2(x, -y)
	}), nil
}

func stereographic(m *Mapping, e earth) (Inverse, error) {
	phi0, lambda0 := m.origin("longitude_of_projection_origin")
	if math.Abs(phi0) > math.Pi/2-1e-10 {
		return polar(m, e)
	}
	chi0 := math.Pi/2 - 2*math.Atan(e.t(phi0))
	sin0, cos0 := math.Sincos(chi0)
	scale := 2 * e.a * m.number("scale_factor_at_projection_origin", 1) * e.m(phi0) / cos0
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		rho := math.Hypot(x, y)
		if rho == 0 {
			return phi0, lambda0
		}
		sin, cos := math.Sincos(2 * math.Atan(rho/scale))
		chi := math.Asin(max(-1, min(1, cos*sin0+y*sin*cos0/rho)))
		return e.conformal(math.Tan(math.Pi/4 - chi/2)), lambda0 + math.Atan2(x*sin, rho*cos0*cos-y*sin0*sin)
	}), nil
}

func azimuthal(m *Mapping, e earth) (Inverse, error) {
	phi0, lambda0 := m.origin("longitude_of_projection_origin")
	limit := e.q(math.Pi / 2)
	if math.Abs(phi0) > math.Pi/2-1e-10 {
		sign := math.Copysign(1, phi0)
		return m.onMap(func(x, y float64) (phi, lambda float64) {
			rho := math.Hypot(x, y) / e.a
			return sign * e.authalic(limit-rho*rho), lambda0 + math.Atan2(x, -sign*y)
		}), nil
	}
	sin0 := e.q(phi0) / limit
	cos0 := math.Sqrt(1 - sin0*sin0)
	radius := e.a * math.Sqrt(limit/2)
	d := e.a * e.m(phi0) / (radius * cos0)
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		x, y = x/d, y*d
		rho := math.Hypot(x, y)
		if rho == 0 {
			return phi0, lambda0
		}
		sin, cos := math.Sincos(2 * math.Asin(rho/(2*radius))) // NaN outside the disc
		return e.authalic(limit * (cos*sin0 + y*sin*cos0/rho)), lambda0 + math.Atan2(x*sin, rho*cos0*cos-y*sin0*sin)
	}), nil
}

func transverse(m *Mapping, e earth) (Inverse, error) {
	phi0, lambda0 := m.origin("longitude_of_central_meridian")
	k := m.number("scale_factor_at_central_meridian", 1)
	root := math.Sqrt(1 - e.e2)
	n := (1 - root) / (1 + root) // the third flattening
	n2, n3, n4 := n*n, n*n*n, n*n*n*n
	radius := k * e.a / (1 + n) * (1 + n2/4 + n4/64)
	alpha := [4]float64{n/2 - 2*n2/3 + 5*n3/16 + 41*n4/180, 13*n2/48 - 3*n3/5 + 557*n4/1440, 61*n3/240 - 103*n4/140, 49561 * n4 / 161280}
	beta := [4]float64{n/2 - 2*n2/3 + 37*n3/96 - n4/360, n2/48 + n3/15 - 437*n4/1440, 17*n3/480 - 37*n4/840, 4397 * n4 / 161280}
	chi := math.Pi/2 - 2*math.Atan(e.t(phi0))
	xi0 := chi
	for j, a := range alpha {
		xi0 += a * math.Sin(2*float64(j+1)*chi)
	}
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		xi, eta := y/radius+xi0, x/radius
		u, v := xi, eta
		for j, b := range beta {
			sin, cos := math.Sincos(2 * float64(j+1) * xi)
			u -= b * sin * math.Cosh(2*float64(j+1)*eta)
			v -= b * cos * math.Sinh(2*float64(j+1)*eta)
		}
		chi := math.Asin(max(-1, min(1, math.Sin(u)/math.Cosh(v))))
		return e.conformal(math.Tan(math.Pi/4 - chi/2)), lambda0 + math.Atan2(math.Sinh(v), math.Cos(u))
	}), nil
}

// Gnomonic is the name of the gnomonic projection, which the CF conventions do not have.
const Gnomonic = "gnomonic"

// gnomonic is the inverse on a sphere.
func gnomonic(m *Mapping, e earth) (Inverse, error) {
	return onSphere(m, e, func(rho float64) float64 { return math.Atan(rho) })
}

// equidistant is the azimuthal equidistant projection of a sphere.
func equidistant(m *Mapping, e earth) (Inverse, error) {
	return onSphere(m, e, func(rho float64) float64 {
		if rho > math.Pi {
			return math.NaN() // outside the disc
		}
		return rho
	})
}

var errSpheroid = errors.New("it is computed of a sphere only")

// onSphere is an azimuthal projection of a sphere of radius 1 (Snyder's 20-14 and 20-15). angle is the arc from the
// origin to a distance on the map.
func onSphere(m *Mapping, e earth, angle func(rho float64) float64) (Inverse, error) {
	if e.e2 > 1e-12 {
		return nil, errSpheroid
	}
	phi0, lambda0 := m.origin("longitude_of_projection_origin")
	sin0, cos0 := math.Sincos(phi0)
	return m.onMap(func(x, y float64) (phi, lambda float64) {
		rho := math.Hypot(x, y)
		if rho == 0 {
			return phi0, lambda0
		}
		sin, cos := math.Sincos(angle(rho / e.a))
		return math.Asin(max(-1, min(1, cos*sin0+y*sin*cos0/rho))), lambda0 + math.Atan2(x*sin, rho*cos0*cos-y*sin0*sin)
	}), nil
}
