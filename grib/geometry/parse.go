package geometry

import (
	"fmt"
	"math"
)

// An Option adjusts Parse.
type Option func(*options)

type options struct {
	centre     int
	dataValues int
	maxPoints  int64
}

// Centre sets the originating centre (common code table C-11), which the meaning of local grids
// depends on. Template 3.32769 is NCEP's (7), edition 1 types from 192 on are ECMWF's (98) or DWD's
// (78). The default, -1, takes the only centre known to use a local grid.
func Centre(code int) Option { return func(o *options) { o.centre = code } }

// DataValues sets how many values the field has, missing values included. Edition 1 does not state
// it for reduced Gaussian grids, and where the count by the rules of today differs, as it does in
// sub-areas that ECMWF's former software made, ecCodes believes the data. Zero, the default, means
// that it is not known.
func DataValues(n int) Option { return func(o *options) { o.dataValues = n } }

// MaxPoints limits the number of points of the grid; the default is DefaultMaxPoints.
func MaxPoints(n int) Option { return func(o *options) { o.maxPoints = int64(n) } }

// Parse reads a grid definition: section 3 of edition 2 or section 2 of edition 1, complete with
// its length. The memory it takes is bounded by the length of the section. Grids that ecCodes has
// no definition of are not an error: they have the type "unknown", one axis and no coordinates.
func Parse(edition int, b []byte, opts ...Option) (*Grid, error) {
	o := options{centre: -1, maxPoints: DefaultMaxPoints}
	for _, opt := range opts {
		opt(&o)
	}
	var g *Grid
	var err error
	switch edition {
	case 1:
		g, err = parse1(b, &o)
	case 2:
		g, err = parse2(b, &o)
	default:
		return nil, &FormatError{edition, -1, 0, "there are editions 1 and 2 only"}
	}
	if err != nil {
		return nil, err
	}
	if n := int64(g.NumberOfDataPoints); n > o.maxPoints {
		return nil, &LimitError{"points", n, o.maxPoints}
	}
	return g, nil
}

// missing4 and missing2 are the values, with all bits set, that stand for a number not given.
const (
	missing4 = math.MaxUint32
	missing2 = math.MaxUint16
)

// parse2 reads section 3. Its octets are 1-4 length, 5 section number, 6 source, 7-10 number of
// points, 11 octets of each entry of the list, 12 its meaning, 13-14 template number, then the
// template and the list.
func parse2(b []byte, o *options) (*Grid, error) {
	s := &section{b: b}
	if len(b) < 14 {
		return nil, &FormatError{2, -1, 0, fmt.Sprintf("section 3 has %d octets, expected at least 14", len(b))}
	}
	if n := s.u1(5); n != 3 {
		return nil, &FormatError{2, -1, 5, fmt.Sprintf("section number %d, expected 3", n)}
	}
	if n := int64(s.u4(1)); n < 14 || n > int64(len(b)) {
		return nil, &FormatError{2, -1, 1, fmt.Sprintf("section length %d where there are %d octets", n, len(b))}
	}
	s.b = b[:s.u4(1)]
	g := &Grid{
		GridType: "unknown", Edition: 2, Template: int(s.u2(13)),
		NumberOfDataPoints: int(s.u4(7)), family: &listed{},
	}
	width := int(s.u1(11))
	t := template2(s, g, o)
	if err := s.check(2, g.Template); err != nil {
		return nil, err
	}
	if width != 0 {
		if err := t.readList(s, g, width); err != nil {
			return nil, err
		}
	}
	t.finish(g)
	return g, nil
}

// A template is the work left after reading the fixed part of a template.
type template struct {
	gridType string // without a list
	reduced  string // with a list, "" when the template takes none
	end      int    // the last octet of the template
	noNi     bool   // the points along a parallel are not given
	diGiven  bool
	// withList makes the family for a grid with a list, nil when the list does not change the family.
	withList func() family
}

// readList reads the points along each parallel that follow the template, Nj entries of one to
// three octets. Other widths are left alone, as in ecCodes.
func (t *template) readList(s *section, g *Grid, width int) error {
	g.GridType = "unknown_PLPresent"
	if t.reduced != "" && width == 2 && t.noNi && !t.diGiven {
		g.GridType = t.reduced
	}
	t.gridType = g.GridType
	if t.withList == nil || !t.noNi || width > 3 || g.Nj == 0 {
		return nil
	}
	if int64(t.end)+int64(g.Nj)*int64(width) > int64(len(s.b)) {
		return &FormatError{2, g.Template, t.end + 1, fmt.Sprintf("the list of points along %d parallels does not fit into the section of %d octets", g.Nj, len(s.b))}
	}
	g.PL = make([]int, g.Nj)
	for j := range g.PL {
		at := t.end + 1 + j*width
		switch width {
		case 1:
			g.PL[j] = int(s.u1(at))
		case 2:
			g.PL[j] = int(s.u2(at))
		case 3:
			g.PL[j] = int(s.u3(at))
		}
	}
	g.family = t.withList()
	return nil
}

func (t *template) finish(g *Grid) {
	if t.gridType != "" {
		g.GridType = t.gridType
	}
}

// given returns n, or 0 when it is all ones.
func given(n, missing uint32) int {
	if n == missing {
		return 0
	}
	return int(n)
}
