package geometry

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// Section1 returns the grid as a section 2 of edition 1, without vertical coordinates. A grid of
// edition 2 gets the type with the same parameters. Angles are rounded to thousandths of a degree
// and lengths to metres. The error is a *FormatError for a grid that has no type here or does not
// fit it.
func (g *Grid) Section1(uvRelativeToGrid bool) ([]byte, error) {
	kind := g.Template
	if g.Edition == 2 {
		kind = -1
		for t, template := range asTemplate {
			if template == g.Template && t != 13 && t != 8 {
				kind = t
			}
		}
	}
	s := &sheet{template: kind}
	flags := int64(0)
	if uvRelativeToGrid {
		flags = 0x08
	}
	if g.Earth.Oblate {
		flags |= 0x40
	}
	s.u1(6, int64(kind))
	if kind < 0 || !g.write1(s, flags) {
		return nil, &FormatError{g.Edition, g.Template, 0, "grids of type " + g.GridType + " cannot be written in edition 1"}
	}
	s.u1(5, 255)
	if g.PL != nil {
		s.u1(5, int64(len(s.b))+1)
		for j, n := range g.PL {
			if n < 0 || n > math.MaxUint16 {
				s.fail(len(s.b)+1, "%d points along parallel %d do not fit two octets", n, j)
			}
			s.b = binary.BigEndian.AppendUint16(s.b, uint16(n))
		}
	}
	if s.u3(1, int64(len(s.b))); s.err != nil {
		return nil, s.err
	}
	if _, err := Parse(1, s.b, DataValues(g.NumberOfDataPoints)); err != nil {
		return nil, err
	}
	return s.b, nil
}

func (s *sheet) u2(octet int, v int64) {
	if v < 0 || v > math.MaxUint16 {
		s.fail(octet, "%d does not fit two octets", v)
	}
	binary.BigEndian.PutUint16(s.room(octet, 2), uint16(v))
}

func (s *sheet) u3(octet int, v int64) {
	if v < 0 || v >= 1<<24 {
		s.fail(octet, "%d does not fit three octets", v)
		v = 0
	}
	b := s.room(octet, 3)
	b[0], b[1], b[2] = byte(v>>16), byte(v>>8), byte(v)
}

// milli writes an angle in thousandths of a degree: a sign and 23 bits.
func (s *sheet) milli(octet int, degrees float64) {
	v := math.Round(degrees * 1e3)
	if !(math.Abs(v) < 1<<23) {
		s.fail(octet, "%v does not fit three octets", degrees)
		return
	}
	if v < 0 {
		s.u3(octet, 1<<23|int64(-v))
		return
	}
	s.u3(octet, int64(v))
}

// metres writes a length.
func (s *sheet) metres(octet int, v float64) { s.u3(octet, int64(math.Round(v))) }

// thousandths writes an increment in two octets, all bits set if it is not given.
func (s *sheet) thousandths(octet int, v float64) {
	if math.IsNaN(v) {
		s.u2(octet, missing2)
		return
	}
	s.u2(octet, int64(math.Round(v*1e3)))
}

// write1 writes a type; false when there is none for the kind of grid.
func (g *Grid) write1(s *sheet, flags int64) bool {
	switch f := g.family.(type) {
	case *latLon:
		g.region1(s, &f.region, flags, 0)
		turns1(s, f.rot, f.stretch)
	case *rotatedLatLon:
		g.region1(s, &f.region, flags, 0)
		turns1(s, f.rot, f.stretch)
	case *gaussian:
		g.region1(s, &f.region, flags, f.n)
		turns1(s, f.rot, f.stretch)
	case *reducedGaussian:
		g.region1(s, &f.region, flags, f.n)
		turns1(s, f.rot, f.stretch)
	case *reducedLatLon:
		g.region1(s, &f.region, flags, 0)
	case *mercator:
		g.plane1(s, f.lat1, f.lon1, flags|0x80, 42)
		s.milli(18, f.lat2)
		s.milli(21, f.lon2)
		s.milli(24, f.lad)
		s.metres(29, f.dx)
		s.metres(32, f.dy)
	case *polarStereographic:
		g.plane1(s, f.lat1, f.lon1, flags|0x80, 32)
		s.milli(18, f.orientation)
		s.metres(21, f.dx)
		s.metres(24, f.dy)
		s.u1(27, f.centre)
	case *lambert:
		g.plane1(s, f.lat1, f.lon1, flags|0x80, 42)
		s.milli(18, f.lov)
		s.metres(21, f.dx)
		s.metres(24, f.dy)
		s.u1(27, f.centre)
		s.milli(29, f.latin1)
		s.milli(32, f.latin2)
		if !math.IsNaN(f.poleLat) && !math.IsNaN(f.poleLon) {
			s.milli(35, f.poleLat)
			s.milli(38, f.poleLon)
		}
	case *spectral:
		return f.write1(s)
	default:
		return false
	}
	return true
}

// region1 writes types 0 and 4 and their kin, see latLon1.
func (g *Grid) region1(s *sheet, r *region, flags, n int64) {
	s.room(32, 1)
	if g.PL != nil {
		s.u2(7, missing2)
	} else {
		s.u2(7, int64(g.Ni))
	}
	s.u2(9, int64(g.Nj))
	s.milli(11, r.lat1)
	s.milli(14, r.lon1)
	if !math.IsNaN(r.di) {
		flags |= 0x80
	}
	s.u1(17, flags)
	s.milli(18, r.lat2)
	s.milli(21, r.lon2)
	s.thousandths(24, r.di)
	if n > 0 {
		s.u2(26, n)
	} else {
		s.thousandths(26, r.dj)
	}
	s.u1(28, int64(g.Scan))
}

// turns1 writes the rotation and the stretching that follow octet 32.
func turns1(s *sheet, rot *rotation, stretch *stretching) {
	end := 32
	if rot != nil {
		s.milli(end+1, rot.lat)
		s.milli(end+4, rot.lon)
		s.ibm(end+7, rot.angle)
		end += 10
	}
	if stretch != nil {
		s.milli(end+1, stretch.lat)
		s.milli(end+4, stretch.lon)
		s.ibm(end+7, stretch.factor)
	}
}

// plane1 writes the common parameters of projections, in a section of that length.
func (g *Grid) plane1(s *sheet, lat1, lon1 float64, flags int64, length int) {
	s.room(length, 1)
	s.u2(7, int64(g.Ni))
	s.u2(9, int64(g.Nj))
	s.milli(11, lat1)
	s.milli(14, lon1)
	s.u1(17, flags)
	s.u1(28, int64(g.Scan))
}

// write1 writes types 50 to 80.
func (f *spectral) write1(s *sheet) bool {
	if f.bi != nil {
		return false
	}
	s.room(32, 1)
	s.u2(7, f.j)
	s.u2(9, f.k)
	s.u2(11, f.m)
	s.u1(13, f.sort)
	s.u1(14, f.storage)
	turns1(s, f.rot, f.stretch)
	return true
}

// ibm writes a float as edition 1 has it.
func (s *sheet) ibm(octet int, v float64) {
	binary.BigEndian.PutUint32(s.room(octet, 4), scale.IBMBits(v))
}
