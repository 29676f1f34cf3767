package geometry

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A sheet is a grid definition section being written. Octets have the numbers of the WMO manual,
// from 1. The first error is kept.
type sheet struct {
	b        []byte
	template int
	err      error
}

func (s *sheet) fail(octet int, format string, args ...any) {
	if s.err == nil {
		s.err = &FormatError{2, s.template, octet, fmt.Sprintf(format, args...)}
	}
}

func (s *sheet) room(octet, n int) []byte {
	if need := octet - 1 + n; need > len(s.b) {
		s.b = append(s.b, make([]byte, need-len(s.b))...)
	}
	return s.b[octet-1 : octet-1+n]
}

func (s *sheet) u1(octet int, v int64) {
	if v < 0 || v > math.MaxUint8 {
		s.fail(octet, "%d does not fit one octet", v)
	}
	s.room(octet, 1)[0] = byte(v)
}

func (s *sheet) u4(octet int, v int64) {
	if v < 0 || v > math.MaxUint32 {
		s.fail(octet, "%d does not fit four octets", v)
	}
	binary.BigEndian.PutUint32(s.room(octet, 4), uint32(v))
}

// count writes a number of points, all bits set if it is not given.
func (s *sheet) count(octet, v int) {
	if v == 0 {
		s.u4(octet, missing4)
		return
	}
	s.u4(octet, int64(v))
}

// s4 writes a sign bit and a magnitude.
func (s *sheet) s4(octet int, v int64) {
	if v < -math.MaxInt32 || v > math.MaxInt32 {
		s.fail(octet, "%d does not fit a sign and 31 bits", v)
	}
	if v < 0 {
		v = 1<<31 | -v&math.MaxInt32
	}
	binary.BigEndian.PutUint32(s.room(octet, 4), uint32(v))
}

// times writes v·unit, rounded: all ones when it is not given.
func (s *sheet) times(octet int, v, unit float64) {
	if math.IsNaN(v) {
		s.u4(octet, missing4)
		return
	}
	r := math.Round(v * unit)
	if math.Abs(r) > math.MaxUint32 {
		s.fail(octet, "%v does not fit four octets", v)
		return
	}
	if r > math.MaxInt32 {
		s.u4(octet, int64(r))
		return
	}
	s.s4(octet, int64(r))
}

// micro writes an angle in millionths of a degree.
func (s *sheet) micro(octet int, degrees float64) { s.times(octet, degrees, 1e6) }

// umicro writes an angle that has no sign: west longitudes get one turn more.
func (s *sheet) umicro(octet int, degrees float64) {
	if degrees < 0 {
		degrees += 360
	}
	s.micro(octet, degrees)
}

func (s *sheet) ieee(octet int, v float64) {
	binary.BigEndian.PutUint32(s.room(octet, 4), math.Float32bits(float32(v)))
}

// scaled writes a scale factor and a scaled value that make v to twelve digits. It takes as
// few decimals as that needs, or the most that fit.
func (s *sheet) scaled(octet int, v float64) {
	if !(v >= 0 && v < missing4) {
		s.fail(octet, "%v is no length", v)
		return
	}
	factor, unit := int64(0), 1.0
	for ; factor < 9; factor, unit = factor+1, unit*10 {
		if math.Abs(math.Round(v*unit)/unit-v) <= 1e-12*v || math.Round(v*unit*10) >= missing4 {
			break
		}
	}
	s.u1(octet, factor)
	s.u4(octet+1, int64(math.Round(v*unit)))
}

// earth writes the figure of the Earth to octets octet to octet+15 (code table 3.2).
func (s *sheet) earth(octet int, g *Grid) {
	for i := range s.room(octet, 16) {
		s.b[octet-1+i] = 0xff
	}
	shape := int64(g.Earth.Shape)
	if g.Edition == 1 && g.Earth.Oblate {
		shape = 2
	}
	s.u1(octet, shape)
	switch shape {
	case 1:
		s.scaled(octet+1, g.Earth.Radius)
	case 3:
		s.scaled(octet+6, g.Earth.MajorAxis/1000)
		s.scaled(octet+11, g.Earth.MinorAxis/1000)
	case 7:
		s.scaled(octet+6, g.Earth.MajorAxis)
		s.scaled(octet+11, g.Earth.MinorAxis)
	}
}

// Section returns the grid as a section 3 of edition 2. With uvRelativeToGrid components of vectors
// are along the axes of the grid, not east and north (flag table 3.3, bit 5). A grid of edition 1
// gets the template with the same parameters. Angles are rounded to millionths of a degree and
// lengths to millimetres, as the templates have them. The error is a *FormatError for a grid that
// has no template here or does not fit it, a *LimitError for a grid of more than 2^31 points.
func (g *Grid) Section(uvRelativeToGrid bool) ([]byte, error) {
	s := &sheet{template: g.Template}
	if g.Edition == 1 {
		t, ok := asTemplate[g.Template]
		if !ok {
			return nil, &FormatError{1, g.Template, 0, "there is no template of edition 2 with the same parameters"}
		}
		s.template = t
	}
	s.u1(5, 3)
	s.u1(6, 0)
	s.u4(7, int64(g.NumberOfDataPoints))
	s.u1(11, 0)
	s.u1(12, 0)
	binary.BigEndian.PutUint16(s.room(13, 2), uint16(s.template))
	flags := int64(0)
	if uvRelativeToGrid {
		flags = 0x08
	}
	if !g.write(s, flags) {
		return nil, &FormatError{g.Edition, g.Template, 0, "grids of type " + g.GridType + " cannot be written"}
	}
	if s.err != nil {
		return nil, s.err
	}
	s.list(g)
	if s.u4(1, int64(len(s.b))); s.err != nil {
		return nil, s.err
	}
	if _, err := Parse(2, s.b, MaxPoints(math.MaxInt32)); err != nil {
		return nil, err // a geometry map without parameters that its template needs
	}
	return s.b, nil
}

// list appends the points along each parallel of a reduced grid.
func (s *sheet) list(g *Grid) {
	if g.PL == nil {
		return
	}
	s.u1(11, 2)
	s.u1(12, 1)
	for j, n := range g.PL {
		if n < 0 || n > math.MaxUint16 {
			s.fail(len(s.b)+1, "%d points along parallel %d do not fit two octets", n, j)
		}
		s.b = binary.BigEndian.AppendUint16(s.b, uint16(n))
	}
}

// write writes the template; false when there is none for the kind of grid.
func (g *Grid) write(s *sheet, flags int64) bool {
	switch f := g.family.(type) {
	case *latLon:
		g.writeRegion(s, &f.region, flags, f.rot, f.stretch, 0)
	case *rotatedLatLon:
		g.writeRegion(s, &f.region, flags, f.rot, f.stretch, 0)
	case *reducedLatLon:
		g.writeRegion(s, &f.region, flags, nil, nil, 0)
	case *gaussian:
		g.writeRegion(s, &f.region, flags, f.rot, f.stretch, f.n)
	case *reducedGaussian:
		g.writeRegion(s, &f.region, flags, f.rot, f.stretch, f.n)
	case *mercator:
		f.write(g, s, flags)
	case *polarStereographic:
		f.write(g, s, flags)
	case *lambert:
		f.write(g, s, flags)
	case *albers:
		f.parameters.write(g, s, flags)
	case *azimuthal:
		f.write(g, s, flags)
	case *spaceView:
		f.write(g, s, flags)
	case *healpix:
		f.write(g, s, flags)
	case *unstructured:
		f.write(g, s)
	case *spectral:
		return f.write(s)
	default:
		return false
	}
	return true
}
