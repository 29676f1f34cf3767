package geometry

import "math"

// missingDouble is the number that ecCodes computes with when a length is missing.
const missingDouble = -1e100

// earth2 reads the shape of the Earth of edition 2, octets 15-30 of most templates (code table
// 3.2).
func earth2(s *section, octet int) Earth {
	shape := int(s.u1(octet))
	e := Earth{Shape: shape, Oblate: true}
	sphere := func(radius float64) Earth { return Earth{Shape: shape, Radius: radius} }
	spheroid := func(major, minor float64) Earth {
		return Earth{Shape: shape, Oblate: true, MajorAxis: major, MinorAxis: minor}
	}
	switch shape {
	case 0:
		return sphere(6367470)
	case 1:
		return sphere(s.scaled(octet + 1))
	case 2:
		return spheroid(6378160, 6356775)
	case 3: // given in kilometres
		return spheroid(s.scaled(octet+6)*1000, s.scaled(octet+11)*1000)
	case 4, 5:
		return spheroid(6378137, 6356752.314)
	case 6:
		return sphere(6371229)
	case 7:
		return spheroid(s.scaled(octet+6), s.scaled(octet+11))
	case 8:
		return sphere(6371200)
	case 9:
		return spheroid(6377563.396, 6356256.909)
	}
	return e
}

// earth1 reads the Earth of edition 1: bit 2 of the resolution and component flags.
func earth1(flags uint8) Earth {
	if flags&0x40 != 0 {
		return Earth{Oblate: true, MajorAxis: 6378160, MinorAxis: 6356775}
	}
	return Earth{Radius: 6367470}
}

// scaled reads a scale factor (one octet, unsigned as ecCodes takes it) and a scaled value (four).
// The result is value / 10^factor, one decimal step at a time as ecCodes divides. A missing factor
// counts as 0.
func (s *section) scaled(octet int) float64 {
	factor, value := s.u1(octet), s.u4(octet+1)
	if value == math.MaxUint32 {
		return missingDouble
	}
	v := float64(value)
	if factor != math.MaxUint8 {
		for range factor {
			v /= 10
		}
	}
	return v
}

// sphere returns the radius, or why there is none.
func (g *Grid) sphere() (float64, error) {
	switch {
	case g.Earth.Oblate:
		return 0, g.none("the Earth is oblate, ecCodes computes this projection for a sphere only")
	case g.Earth.Radius == 0:
		return 0, g.none("the radius of the Earth is not known")
	}
	return g.Earth.Radius, nil
}

// spheroid returns the axes, equal for a sphere, or why there are none.
func (g *Grid) spheroid() (major, minor float64, err error) {
	if !g.Earth.Oblate {
		r, err := g.sphere()
		return r, r, err
	}
	if g.Earth.MajorAxis == 0 || g.Earth.MinorAxis == 0 {
		return 0, 0, g.none("the axes of the Earth are not known")
	}
	return g.Earth.MajorAxis, g.Earth.MinorAxis, nil
}
