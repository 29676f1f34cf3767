package geometry

import "fmt"

// types1 names the grids of edition 1 by data representation type. It has a name alone and with a
// list of points along each parallel. Types that ecCodes has a definition of but no name for are
// "unknown".
var types1 = map[int][2]string{
	0: {"regular_ll", "reduced_ll"}, 10: {"rotated_ll", ""}, 20: {"stretched_ll", ""}, 30: {"stretched_rotated_ll", ""},
	1: {"mercator", ""}, 3: {"lambert", ""}, 8: {"albers", ""}, 5: {"polar_stereographic", ""},
	4: {"regular_gg", "reduced_gg"}, 14: {"rotated_gg", "reduced_rotated_gg"},
	24: {"stretched_gg", "reduced_stretched_gg"}, 34: {"stretched_rotated_gg", "reduced_stretched_rotated_gg"},
	50: {"sh", ""}, 60: {"rotated_sh", ""}, 70: {"stretched_sh", ""}, 80: {"stretched_rotated_sh", ""},
	90: {"space_view", ""},
}

// parse1 reads section 2. Its octets are 1-3 length, 4 number of vertical coordinate parameters,
// 5 where these begin (255: nowhere), 6 data representation type, then the definition, the
// vertical coordinate parameters and the list of points along each parallel.
func parse1(b []byte, o *options) (*Grid, error) {
	s := &section{b: b}
	if len(b) < 6 {
		return nil, &FormatError{1, -1, 0, fmt.Sprintf("section 2 has %d octets, expected at least 32", len(b))}
	}
	if n := int64(s.u3(1)); n < 6 || n > int64(len(b)) {
		return nil, &FormatError{1, -1, 1, fmt.Sprintf("section length %d where there are %d octets", n, len(b))}
	}
	s.b = b[:s.u3(1)]
	g := &Grid{GridType: "unknown", Edition: 1, Template: int(s.u1(6)), family: &listed{}}
	t := template1(s, g, o)
	if err := s.check(1, g.Template); err != nil {
		return nil, err
	}
	listed, err := vertical1(s, g, t.end)
	if err != nil {
		return nil, err
	}
	if names, ok := types1[g.Template]; ok {
		g.GridType = names[0]
	}
	if listed {
		g.GridType = "unknown_PLPresent"
		if t.reduced != "" && t.noNi && !t.diGiven {
			g.GridType = t.reduced
		}
	}
	g.count1(t, o)
	return g, nil
}

// vertical1 reads the lists after the definition, which ends with octet end. They are the
// vertical coordinate parameters, and the points along each parallel when the section is long
// enough for them, as ecCodes decides it. It reports whether there is such a list.
func vertical1(s *section, g *Grid, end int) (bool, error) {
	at := max(end, 32)
	if pv := int(s.u1(5)); pv != 255 {
		at = max(end, pv-1)
	}
	if n := int(s.u1(4)); n > 0 {
		if at+4*n > len(s.b) {
			return false, &FormatError{1, g.Template, at + 1, fmt.Sprintf("%d vertical coordinate parameters do not fit into the section of %d octets", n, len(s.b))}
		}
		g.PV = make([]float64, n)
		for i := range g.PV {
			g.PV[i] = s.ibm(at + 1 + 4*i)
		}
		at += 4 * n
	}
	if len(s.b) <= at || g.Nj < 0 || len(s.b) < at+2*g.Nj {
		return false, nil
	}
	g.PL = make([]int, g.Nj)
	for j := range g.PL {
		g.PL[j] = int(s.u2(at + 1 + 2*j))
	}
	return true, nil
}

// count1 finds the number of points, which edition 1 does not state. It also settles whether the
// grid is reduced.
func (g *Grid) count1(t *template, o *options) {
	list := g.PL
	if !t.noNi || t.withList == nil {
		g.PL = nil
	}
	if g.PL != nil {
		g.family = t.withList()
	}
	switch f := g.family.(type) {
	case *spectral:
		g.NumberOfDataPoints = int(harmonics(f.j, f.k, min(f.m, maxTruncation)))
	case *reducedGaussian:
		g.NumberOfDataPoints = f.expectedPoints(list, g.precision())
		if o.dataValues > 0 {
			g.NumberOfDataPoints = o.dataValues
		}
	case *gaussian:
		g.NumberOfDataPoints = g.Ni * g.Nj
		if o.dataValues > 0 {
			g.NumberOfDataPoints = o.dataValues
		}
	default:
		g.NumberOfDataPoints = max(g.Ni, 0) * max(g.Nj, 0)
		if list != nil {
			g.NumberOfDataPoints = 0
			for _, n := range list {
				g.NumberOfDataPoints += n
			}
		}
	}
	if g.NumberOfDataPoints <= 0 {
		g.NumberOfDataPoints = max(o.dataValues, 0)
	}
}

// template1 reads the definition of section 2, with the octet numbers of the WMO manual.
func template1(s *section, g *Grid, o *options) *template {
	switch g.Template {
	case 0, 10, 20, 30, 4, 14, 24, 34:
		return latLon1(s, g)
	case 50, 60, 70, 80:
		f := &spectral{j: int64(s.u2(7)), k: int64(s.u2(9)), m: int64(s.u2(11)), sort: int64(s.u1(13)), storage: int64(s.u1(14))}
		end := 32
		f.rot, f.stretch, end = turned1(s, g.Template/10%10-5, end)
		g.family = f
		return &template{end: end}
	case 1, 3, 8, 13, 5, 90:
		return projection1(s, g)
	case 192:
		if o.centre == 78 {
			// DWD's triangular grid: octets 11-13 number of diamonds, 14-16 intervals on a side.
			n := int(s.u3(14)) + 1
			if g.Nj = int(s.u3(11)); n < 1<<15 {
				g.Ni = n * n
			}
			return &template{end: 29}
		}
		// ECMWF's ocean grid, as if regular.
		g.Ni, g.Nj, g.Scan = int(s.u2(7)), int(s.u2(9)), Scan(s.u1(14))&^0x10
		return &template{end: 14}
	}
	return &template{end: 32}
}

// turned1 reads the rotation and stretching that follow octet end. The digit of the type
// that counts tens tells them: 1 rotated, 2 stretched, 3 both.
func turned1(s *section, kind, end int) (rot *rotation, stretch *stretching, newEnd int) {
	if kind == 1 || kind == 3 {
		rot, end = &rotation{s.milli(end + 1), s.milli(end + 4), s.ibm(end + 7)}, end+10
	}
	if kind >= 2 {
		stretch, end = &stretching{s.milli(end + 1), s.milli(end + 4), s.ibm(end + 7)}, end+10
	}
	return rot, stretch, end
}

// latLon1 reads types 0 and 4 and their rotated and stretched kin. Octets are 7-8 Ni, 9-10 Nj,
// 11-23 first point, flags and last point, 24-25 Di, 26-27 Dj or N, 28 scanning mode, 33
// rotation and stretching.
func latLon1(s *section, g *Grid) *template {
	g.Ni, g.Nj = given(uint32(s.u2(7)), missing2), given(uint32(s.u2(9)), missing2)
	g.Scan = Scan(s.u1(28)) &^ 0x10
	increments := s.u1(17)&0x80 != 0
	g.Earth = earth1(s.u1(17))
	r := region{s.milli(11), s.milli(14), s.milli(18), s.milli(21), missing, missing}
	if di := s.u2(24); increments && di != missing2 {
		r.di = float64(di) / 1e3
	}
	rot, stretch, end := turned1(s, g.Template/10, 32)
	t := &template{reduced: types1[g.Template][1], end: end, noNi: s.u2(7) == missing2}
	if g.Template%10 == 0 {
		if dj := s.u2(26); increments && dj != missing2 {
			r.dj = float64(dj) / 1e3
		}
		g.family = newLatLon(latLon{r, rot, stretch})
		t.withList = func() family { return &reducedLatLon{r} }
		return t
	}
	t.diGiven = increments || s.u2(24) != missing2
	g.Nj = max(int(s.s2(9)), 0)
	n := int64(s.u2(26))
	g.family = newGaussian(gaussian{r, n, rot, stretch})
	t.withList = func() family { return &reducedGaussian{r, n, rot, stretch} }
	return t
}

// projection1 reads types 1, 3, 5, 8, 13 and 90. Octets are 7-8 Nx, 9-10 Ny, 11-16 first
// point, 17 flags, 28 scanning mode.
func projection1(s *section, g *Grid) *template {
	g.Ni, g.Nj = int(s.u2(7)), int(s.u2(9))
	g.Scan = Scan(s.u1(28)) &^ 0x10
	g.Earth = earth1(s.u1(17))
	switch g.Template {
	case 1:
		g.Ni, g.Nj = max(int(s.s2(7)), 0), max(int(s.s2(9)), 0)
		g.family = &mercator{
			lat1: s.milli(11), lon1: s.milli(14), lat2: s.milli(18), lon2: s.milli(21), lad: s.milli(24),
			dx: float64(s.s3(29)), dy: float64(s.s3(32)),
		}
		return &template{end: 42}
	case 5:
		g.family = &polarStereographic{
			lat1: s.milli(11), lon1: s.milli(14), lad: 60, orientation: s.milli(18),
			dx: float64(s.u3(21)), dy: float64(s.u3(24)), centre: int64(s.u1(27)),
		}
		return &template{end: 32}
	case 90:
		f := &spaceView{
			lat: s.milli(11), lon: s.milli(14), dx: int64(s.u3(18)), dy: int64(s.u3(21)),
			xp: float64(s.u2(24)), yp: float64(s.u2(26)), orientation: float64(s.u3(29)) / 1e3,
			nr: float64(s.u3(32)) / 1e6, xo: int64(s.u2(35)), yo: int64(s.u2(37)),
			major: g.Earth.MajorAxis, minor: g.Earth.MinorAxis,
		}
		if s.u3(32) == 0xffffff {
			f.nr = missing
		}
		g.family = f
		return &template{end: 44}
	}
	latin1 := s.milli(29)
	f := &lambert{
		lat1: s.milli(11), lon1: s.milli(14), lad: latin1, lov: s.milli(18), dx: float64(s.u3(21)), dy: float64(s.u3(24)),
		centre: int64(s.u1(27)), latin1: latin1, latin2: s.milli(32), poleLat: missing, poleLon: missing,
	}
	if len(s.b) >= 40 { // some sections leave the pole out
		f.poleLat, f.poleLon = s.milli(35), s.milli(38)
	}
	if g.family = f; g.Template == 8 {
		g.family = &albers{*f}
	}
	return &template{end: 42}
}

// predefined are the grids of table B of edition 1 (ON388) that a message may name without a
// section 2. Each has columns, rows, then first and last longitude, first and last latitude,
// and increments, in degrees.
var predefined = map[int]struct {
	ni, nj                             int
	lon1, lon2, lat1, lat2, step, rise float64
}{
	21: {37, 37, 0, 180, 0, 90, 5, 2.5},
	22: {37, 37, -180, 0, 0, 90, 5, 2.5},
	23: {37, 37, 0, 180, -90, 0, 5, 2.5},
	24: {37, 37, -180, 0, -90, 0, 5, 2.5},
	25: {72, 19, 0, 355, 0, 90, 5, 5},
	26: {72, 19, 0, 355, -90, 0, 5, 5},
	61: {91, 46, 0, 180, 0, 90, 2, 2},
	62: {91, 46, -180, 0, 0, 90, 2, 2},
	63: {91, 46, 0, 180, -90, 0, 2, 2},
	64: {91, 46, -180, 0, -90, 0, 2, 2},
}

// Predefined returns the grid that an edition 1 message without a section 2 names by number
// (section 1, octet 7). The second result is how many of its points the message codes: a row at
// a pole has a single point.
func Predefined(number int) (g *Grid, coded int, err error) {
	p, ok := predefined[number]
	if !ok {
		return nil, 0, &FormatError{1, -1, 0, fmt.Sprintf("there is no section 2, and grid %d is not among the predefined ones", number)}
	}
	g = &Grid{
		GridType: "regular_ll", Edition: 1, NumberOfDataPoints: p.ni * p.nj, Ni: p.ni, Nj: p.nj, Scan: 0x40, Earth: earth1(0),
		family: &latLon{region: region{p.lat1, p.lon1, p.lat2, p.lon2, p.step, p.rise}},
	}
	return g, g.NumberOfDataPoints - (p.ni - 1), nil
}
