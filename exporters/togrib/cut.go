package togrib

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

// A gridLayout has the offsets, from 0, of the octets of a grid section that differ in a part.
type gridLayout struct {
	columns, rows      int
	firstLat, firstLon int
	lastLat, lastLon   int // 0 for grids of a projection, which have no last point
	scanning           int
}

// Layouts of templates of edition 2, and of data representation types of edition 1.
var (
	angles2     = gridLayout{30, 34, 46, 50, 55, 59, 71}
	projection2 = gridLayout{30, 34, 38, 42, 0, 0, 64}
	angles1     = gridLayout{6, 8, 10, 13, 17, 20, 27}
	projection1 = gridLayout{6, 8, 10, 13, 0, 0, 27}
)

// gridForms are the types of grids whose parts have the same type, by their templates. part is the type that
// the coordinates of the part suggest.
var gridForms = []struct {
	part                 string
	template2, template1 int
	layout2, layout1     *gridLayout
}{
	{"regular_ll", 0, 0, &angles2, &angles1},
	{"regular_ll", 40, 4, &angles2, &angles1}, // Gaussian
	{"rotated_ll", 1, 10, &angles2, &angles1},
	{"polar_stereographic", 20, 5, &projection2, &projection1},
	{"lambert", 30, 3, &projection2, &projection1},
}

// cut returns the header of the source's message with the grid of the slice. It is nil if the source has no
// header, or a grid whose part is no grid.
func (s *Slice) cut(header grib.Header) grib.Header {
	g := mapping.Read(s.Base).Geometry()
	cut := slices.Clone(header)
	section := cut.GridSection()
	l := layoutOf(header.Edition(), section, g["gridType"])
	switch {
	case l == nil || len(s.Shape) != 2:
		return nil
	case header.Edition() == 1:
		l.put(section, 2, 1e3, s.Shape, g)
	default:
		binary.BigEndian.PutUint32(section[6:], uint32(s.points()))
		l.put(section, 4, unit2(section, l), s.Shape, g)
	}
	return cut
}

// layoutOf returns the layout of a grid section. It is nil if a part of the grid is of another type.
func layoutOf(edition int, section []byte, part any) *gridLayout {
	if part == "regular_gg" {
		part = "regular_ll" // as few rows of it seem to be
	}
	for _, form := range gridForms {
		template, l := form.template1, form.layout1
		if edition == 2 {
			template, l = form.template2, form.layout2
		}
		if form.part == part && len(section) > l.scanning && (edition == 1 && int(section[5]) == template || edition == 2 && int(binary.BigEndian.Uint16(section[12:])) == template) {
			return l
		}
	}
	return nil
}

// unit2 is how many units of angles of a section of edition 2 a degree has.
func unit2(section []byte, l *gridLayout) float64 {
	const missing = math.MaxUint32
	basic, parts := binary.BigEndian.Uint32(section[38:]), binary.BigEndian.Uint32(section[42:])
	if l.lastLat == 0 || basic == 0 || basic == missing || parts == 0 || parts == missing {
		return 1e6
	}
	return float64(parts) / float64(basic)
}

// put sets the number of rows and columns in a section, and the first and last points. The numbers have some octets;
// the points are in units of a degree, in one octet more in edition 1.
func (l *gridLayout) put(section []byte, octets int, unit float64, shape []uint64, g map[string]any) {
	putNumber(section[l.columns:][:octets], shape[1], false)
	putNumber(section[l.rows:][:octets], shape[0], false)
	octets = max(octets, 3)
	for at, key := range map[int]string{
		l.firstLat: "latitudeOfFirstGridPointInDegrees", l.firstLon: "longitudeOfFirstGridPointInDegrees",
		l.lastLat: "latitudeOfLastGridPointInDegrees", l.lastLon: "longitudeOfLastGridPointInDegrees",
	} {
		if v, ok := mapping.Float(g[key]); ok && at > 0 {
			putNumber(section[at:][:octets], uint64(math.Round(math.Abs(v)*unit)), v < 0)
		}
	}
	mode, _ := mapping.Int(g["scanningMode"])
	section[l.scanning] = byte(mode)
}

// putNumber writes a number with its sign in the first bit.
func putNumber(b []byte, v uint64, negative bool) {
	for i := range b {
		b[len(b)-1-i] = byte(v >> (8 * i))
	}
	if negative {
		b[0] |= 0x80
	}
}

// part makes the message of a part of a field; the header has its grid.
func (m *maker) part(f *field, header grib.Header, entry mapping.Entry) (r result, err error) {
	var edited bool
	if f.header, edited, err = m.apply(header, entry, nil); err != nil {
		return r, err
	}
	r, err = f.repack()
	r.edited = edited
	return r, err
}
