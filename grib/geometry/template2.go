package geometry

import "math"

// template2 reads the template of section 3 into g, as far as it is known. The octet numbers are
// as in the WMO manual.
func template2(s *section, g *Grid, o *options) *template {
	if t := latLonTemplate(s, g); t != nil {
		return t
	}
	if t := projectionTemplate(s, g); t != nil {
		return t
	}
	switch g.Template {
	case 50, 51, 52, 53:
		return spectralTemplate(s, g)
	case 61, 62, 63:
		return biFourierTemplate(s, g)
	case 101:
		f := &unstructured{used: int64(s.u3(16)), reference: int64(s.u1(19))}
		copy(f.uuid[:], s.at(20, 16))
		g.Earth, g.family = Earth{Shape: int(s.u1(15))}, f
		return &template{gridType: "unstructured_grid"}
	case 150:
		g.Earth = earth2(s, 15)
		g.family = &healpix{nside: int64(s.u4(32)), lon: s.umicro(36), position: int64(s.u1(40)), ordering: int64(s.u1(41))}
		return &template{gridType: "healpix"}
	case 32768, 32769:
		if o.centre == 7 || o.centre < 0 {
			return ncepTemplate(s, g)
		}
	}
	if name, ok := otherTypes[g.Template]; ok {
		return &template{gridType: name}
	}
	return &template{}
}

// otherTypes names templates that are read no further.
var otherTypes = map[int]string{
	100: "triangular_grid", 120: "azimuth_range", 130: "irregular_latlon",
	1000: "cross_section", 1100: "Hovmoller", 1200: "time_section",
}

// latLonTypes names the grids of templates 3.0 to 3.3 and 3.40 to 3.43, alone and with a list.
var latLonTypes = map[int][2]string{
	0: {"regular_ll", "reduced_ll"}, 1: {"rotated_ll", ""}, 2: {"stretched_ll", ""}, 3: {"stretched_rotated_ll", ""},
	40: {"regular_gg", "reduced_gg"}, 41: {"rotated_gg", "reduced_rotated_gg"},
	42: {"stretched_gg", "reduced_stretched_gg"}, 43: {"stretched_rotated_gg", "reduced_stretched_rotated_gg"},
	4: {"varres_ll", ""}, 5: {"varres_rotated_ll", ""},
}

// latLonTemplate reads templates 3.0 to 3.5 and 3.40 to 3.43. Octets are 15-30 Earth, 31-34 Ni,
// 35-38 Nj, 39-42 basic angle, 43-46 its subdivisions, 47-63 first point, flags and last point,
// 64-67 Di, 68-71 Dj or N, 72 scanning mode, 73 rotation and stretching.
func latLonTemplate(s *section, g *Grid) *template {
	names, ok := latLonTypes[g.Template]
	if !ok {
		return nil
	}
	g.Earth = earth2(s, 15)
	g.Ni, g.Nj = given(s.u4(31), missing4), int(s.u4(35))
	unit := newAngle(s.u4(39), s.u4(43))
	if g.Template == 4 || g.Template == 5 {
		return variableTemplate(s, g, unit, names[0])
	}
	flags := s.u1(55)
	g.Scan = Scan(s.u1(72))
	r := region{unit.degrees(s.s4(47)), unit.degrees(s.s4(51)), unit.degrees(s.s4(56)), unit.degrees(s.s4(60)), missing, missing}
	if di := s.u4(64); flags&0x20 != 0 && di != missing4 {
		r.di = unit.degrees(int64(di))
	}
	var rot *rotation
	var stretch *stretching
	end := 72
	if g.Template%10 == 1 || g.Template%10 == 3 {
		rot, end = rotation2(s, end+1), end+12
	}
	if g.Template%10 >= 2 {
		stretch, end = &stretching{s.micro(end + 1), s.micro(end + 5), s.umicro(end + 9)}, end+12
	}
	t := &template{gridType: names[0], reduced: names[1], end: end, noNi: s.u4(31) == missing4, diGiven: flags&0x20 != 0}
	if g.Template < 40 {
		if dj := s.u4(68); flags&0x10 != 0 && dj != missing4 {
			r.dj = unit.degrees(int64(dj))
		}
		g.family = newLatLon(latLon{r, rot, stretch})
		t.withList = func() family { return &reducedLatLon{r} }
		return t
	}
	n := int64(s.u4(68))
	g.family = newGaussian(gaussian{r, n, rot, stretch})
	t.withList = func() family { return &reducedGaussian{r, n, rot, stretch} }
	return t
}

func newLatLon(f latLon) family {
	if f.rot != nil {
		return &rotatedLatLon{f}
	}
	return &f
}

func newGaussian(f gaussian) family { return &f }

// An angle is the unit of the angles of a template: the basic angle over its subdivisions, in
// degrees.
type angle struct{ basic, subdivisions float64 }

func newAngle(basic, subdivisions uint32) angle {
	a := angle{float64(basic), float64(subdivisions)}
	if basic == 0 {
		a.basic = 1
	}
	if subdivisions == 0 || subdivisions == missing4 {
		a.subdivisions = 1e6
	}
	return a
}

func (a angle) degrees(v int64) float64 {
	return float64(float64(v)/a.subdivisions) * a.basic
}

func rotation2(s *section, octet int) *rotation {
	return &rotation{s.micro(octet), s.umicro(octet + 4), s.ieee(octet + 8)}
}

// variableTemplate reads templates 3.4 and 3.5: octet 47 flags, 48 scanning mode, then Ni
// longitudes and Nj latitudes.
func variableTemplate(s *section, g *Grid, unit angle, name string) *template {
	g.Scan = Scan(s.u1(48))
	t := &template{gridType: name}
	end := 48 + 4*(int64(g.Ni)+int64(g.Nj))
	if end > int64(len(s.b)) {
		s.at(len(s.b)+1, 1) // records that octets are missing
		return t
	}
	f := &variableLatLon{lat: make([]float64, g.Nj), lon: make([]float64, g.Ni)}
	for i := range f.lon {
		f.lon[i] = unit.degrees(int64(s.u4(49 + 4*i)))
	}
	for j := range f.lat {
		f.lat[j] = unit.degrees(s.s4(49 + 4*(g.Ni+j)))
	}
	if g.Template == 5 {
		f.rot = rotation2(s, int(end)+1)
	}
	g.family = f
	return t
}

// projectionTemplate reads the templates of projected grids: octets 15-30 Earth, 31-34 Nx, 35-38
// Ny, then each its own.
func projectionTemplate(s *section, g *Grid) *template {
	t := &template{}
	switch g.Template {
	case 10, 13:
		t.gridType = map[int]string{10: "mercator", 13: "mercator_lam"}[g.Template]
		g.Scan = Scan(s.u1(60))
		g.family = &mercator{
			lat1: s.micro(39), lon1: s.micro(43), lad: s.micro(48), lat2: s.micro(52), lon2: s.micro(56),
			orientation: s.umicro(61), dx: float64(s.u4(65)) / 1e3, dy: float64(s.u4(69)) / 1e3,
		}
	case 12:
		t.gridType = "transverse_mercator"
		g.Scan = Scan(s.u1(60))
		g.family = (&listed{}).add("latitudeOfReferencePointInDegrees", s.micro(39)).add("longitudeOfReferencePointInDegrees", s.micro(43)).
			add("scaleFactorAtReferencePoint", s.ieee(48)).add("XRInMetres", float64(s.s4(52))/100).add("YRInMetres", float64(s.s4(56))/100).
			add("DiInMetres", float64(s.u4(61))/100).add("DjInMetres", float64(s.u4(65))/100).
			add("X1InGridLengths", float64(s.s4(69))/100).add("Y1InGridLengths", float64(s.s4(73))/100).
			add("X2InGridLengths", float64(s.s4(77))/100).add("Y2InGridLengths", float64(s.s4(81))/100)
	case 20, 23:
		t.gridType = map[int]string{20: "polar_stereographic", 23: "polar_stereographic_lam"}[g.Template]
		g.Scan = Scan(s.u1(65))
		g.family = &polarStereographic{
			lat1: s.micro(39), lon1: s.umicro(43), lad: s.micro(48), orientation: s.micro(52),
			dx: float64(s.u4(56)) / 1e3, dy: float64(s.u4(60)) / 1e3, centre: int64(s.u1(64)),
		}
	case 30, 31, 33:
		t.gridType = map[int]string{30: "lambert", 31: "albers", 33: "lambert_lam"}[g.Template]
		g.Scan = Scan(s.u1(65))
		f := lambert2(s)
		if g.family = f; g.Template == 31 {
			g.family = &albers{*f}
		}
	case 90:
		t.gridType = "space_view"
		g.Scan = Scan(s.u1(64))
		g.family = spaceView2(s)
	case 110:
		t.gridType = "equatorial_azimuthal_equidistant"
		g.Scan = Scan(s.u1(57))
		g.family = (&listed{}).add("latitudeOfTangencyPoint", s.micro(39)).add("longitudeOfTangencyPoint", s.umicro(43)).
			add("Dx", float64(s.u4(48))).add("Dy", float64(s.u4(52))).add("projectionCentreFlag", float64(s.u1(56)))
	case 140:
		t.gridType = "lambert_azimuthal_equal_area"
		g.Scan = Scan(s.u1(64))
		g.family = &azimuthal{
			lat1: s.micro(39), lon1: s.micro(43), parallel: s.micro(47), centralLon: s.micro(51), dx: int64(s.u4(56)), dy: int64(s.u4(60)),
		}
	case 204: // curvilinear orthogonal: no entry in ecCodes' tables, the coordinates come as separate fields
		g.Scan = Scan(s.u1(72))
	default:
		return nil
	}
	g.Earth = earth2(s, 15)
	g.Ni, g.Nj = int(s.u4(31)), int(s.u4(35))
	return t
}

func lambert2(s *section) *lambert {
	return &lambert{
		lat1: s.micro(39), lon1: s.umicro(43), lad: s.micro(48), lov: s.umicro(52),
		dx: float64(s.u4(56)) / 1e3, dy: float64(s.u4(60)) / 1e3, centre: int64(s.u1(64)),
		latin1: s.micro(66), latin2: s.micro(70), poleLat: s.micro(74), poleLon: s.umicro(78),
	}
}

func spaceView2(s *section) *spaceView {
	f := &spaceView{
		lat: s.micro(39), lon: s.micro(43), dx: int64(s.u4(48)), dy: int64(s.u4(52)),
		xp: float64(s.u4(56)) / 1e3, yp: float64(s.u4(60)) / 1e3, orientation: s.micro(65),
		nr: s.umicro(69), xo: int64(s.u4(73)), yo: int64(s.u4(77)),
	}
	if s.u4(69) == missing4 {
		f.nr = missing
	}
	e := earth2(s, 15)
	f.major, f.minor = e.MajorAxis, e.MinorAxis
	if e.Shape == 3 {
		f.major, f.minor = s.scaled(21), s.scaled(26)
	}
	return f
}

// spectralTemplate reads templates 3.50 to 3.53. Octets are 15-18 J, 19-22 K, 23-26 M, 27
// type, 28 mode, then rotation and stretching.
func spectralTemplate(s *section, g *Grid) *template {
	f := &spectral{j: int64(s.u4(15)), k: int64(s.u4(19)), m: int64(s.u4(23)), sort: int64(s.u1(27)), storage: int64(s.u1(28))}
	end := 28
	if g.Template == 51 || g.Template == 53 {
		f.rot, end = rotation2(s, end+1), end+12
	}
	if g.Template >= 52 {
		f.stretch = &stretching{s.micro(end + 1), s.micro(end + 5), s.umicro(end + 9)}
	}
	g.family = f
	return &template{gridType: [...]string{"sh", "rotated_sh", "stretched_sh", "stretched_rotated_sh"}[g.Template-50]}
}

// biFourierTemplate reads templates 3.61 to 3.63. Octets are 15 type, 16-19 N, 20-23 M, 24
// truncation, 25-72 six lengths, 73-88 Earth, then the corner points of a projection.
func biFourierTemplate(s *section, g *Grid) *template {
	bi := &biFourier{n: int64(s.u4(16)), m: int64(s.u4(20)), truncation: int64(s.u1(24))}
	for i := range bi.lengths {
		bi.lengths[i] = int64(min(s.u8(25+8*i), math.MaxInt64))
	}
	g.Earth = earth2(s, 73)
	t := &template{}
	switch g.Template {
	case 61:
		t.gridType = "mercator_bf"
		bi.projection = &mercator{
			lat1: s.micro(89), lon1: s.micro(93), lad: s.micro(97), lat2: s.micro(101), lon2: s.micro(105), orientation: s.umicro(109),
			dx: missing, dy: missing,
		}
	case 62:
		t.gridType = "polar_stereographic_bf"
		bi.projection = &polarStereographic{
			lat1: s.micro(89), lon1: s.umicro(93), lad: s.micro(98), orientation: s.micro(102), centre: int64(s.u1(106)),
			dx: missing, dy: missing,
		}
	case 63:
		t.gridType = "lambert_bf"
		bi.projection = &lambert{
			lat1: s.micro(89), lon1: s.umicro(93), lad: s.micro(97), lov: s.umicro(101), centre: int64(s.u1(105)),
			latin1: s.micro(106), latin2: s.micro(110), poleLat: s.micro(114), poleLon: s.umicro(118), dx: missing, dy: missing,
		}
	}
	g.family = &spectral{sort: int64(s.u1(15)), bi: bi}
	return t
}

// ncepTemplate reads NCEP's local templates. The template 3.32769 has the layout of 3.0 with the
// centre in place of the last point, and the last point from octet 73 on; of 3.32768, which ecCodes
// has no definition of, only the shape is taken.
func ncepTemplate(s *section, g *Grid) *template {
	g.Earth = earth2(s, 15)
	g.Ni, g.Nj = given(s.u4(31), missing4), int(s.u4(35))
	g.Scan = Scan(s.u1(72))
	if g.Template == 32768 {
		return &template{}
	}
	f := &rotatedNCEP{
		lat1: s.micro(47), lon1: s.micro(51), lat0: s.micro(56), lon0: s.micro(60), di: s.umicro(64), dj: s.umicro(68),
		lat2: s.micro(73), lon2: s.umicro(77),
	}
	if s.u4(64) == missing4 {
		f.di = missing
	}
	if s.u4(68) == missing4 {
		f.dj = missing
	}
	g.family = f
	return &template{gridType: "ncep_32769"}
}
