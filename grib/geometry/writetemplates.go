package geometry

import "math"

// writeRegion writes templates 3.0 to 3.3 and 3.40 to 3.43, see latLonTemplate; n is 0 except for
// Gaussian grids.
func (g *Grid) writeRegion(s *sheet, r *region, flags int64, rot *rotation, stretch *stretching, n int64) {
	s.earth(15, g)
	s.count(31, g.Ni)
	s.u4(35, int64(g.Nj))
	s.u4(39, 0)
	s.u4(43, missing4)
	s.micro(47, r.lat1)
	s.umicro(51, r.lon1)
	if !math.IsNaN(r.di) {
		flags |= 0x20
	}
	if !math.IsNaN(r.dj) && n == 0 {
		flags |= 0x10
	}
	s.u1(55, flags)
	s.micro(56, r.lat2)
	s.umicro(60, r.lon2)
	s.times(64, r.di, 1e6)
	if n > 0 {
		s.u4(68, n)
	} else {
		s.times(68, r.dj, 1e6)
	}
	s.u1(72, int64(g.Scan))
	end := 72
	if rot != nil {
		s.micro(end+1, rot.lat)
		s.umicro(end+5, rot.lon)
		s.ieee(end+9, rot.angle)
		end += 12
	}
	if stretch != nil {
		s.micro(end+1, stretch.lat)
		s.umicro(end+5, stretch.lon)
		s.micro(end+9, stretch.factor)
	}
}

// plane writes octets 15 to 38 of projections: the Earth, Nx and Ny.
func (g *Grid) plane(s *sheet) {
	s.earth(15, g)
	s.u4(31, int64(g.Ni))
	s.u4(35, int64(g.Nj))
}

// The flags of resolution and components of projections say that both increments are given.
const bothGiven = 0x30

func (f *mercator) write(g *Grid, s *sheet, flags int64) {
	g.plane(s)
	s.micro(39, f.lat1)
	s.umicro(43, f.lon1)
	s.u1(47, flags|bothGiven)
	s.micro(48, f.lad)
	s.micro(52, f.lat2)
	s.umicro(56, f.lon2)
	s.u1(60, int64(g.Scan))
	orientation := f.orientation
	if math.IsNaN(orientation) {
		orientation = 0 // edition 1 has none
	}
	s.umicro(61, orientation)
	s.times(65, f.dx, 1e3)
	s.times(69, f.dy, 1e3)
}

func (f *polarStereographic) write(g *Grid, s *sheet, flags int64) {
	g.plane(s)
	s.micro(39, f.lat1)
	s.umicro(43, f.lon1)
	s.u1(47, flags|bothGiven)
	lad := f.lad
	if f.pole() < 0 {
		lad = -math.Abs(lad) // for readers that ignore the flag
	}
	s.micro(48, lad)
	s.umicro(52, f.orientation)
	s.times(56, f.dx, 1e3)
	s.times(60, f.dy, 1e3)
	s.u1(64, f.centre)
	s.u1(65, int64(g.Scan))
}

func (f *lambert) write(g *Grid, s *sheet, flags int64) {
	g.plane(s)
	s.micro(39, f.lat1)
	s.umicro(43, f.lon1)
	s.u1(47, flags|bothGiven)
	s.micro(48, f.lad)
	s.umicro(52, f.lov)
	s.times(56, f.dx, 1e3)
	s.times(60, f.dy, 1e3)
	s.u1(64, f.centre)
	s.u1(65, int64(g.Scan))
	s.micro(66, f.latin1)
	s.micro(70, f.latin2)
	poleLat, poleLon := f.poleLat, f.poleLon
	if math.IsNaN(poleLat) || math.IsNaN(poleLon) {
		poleLat, poleLon = -90, 0
	}
	s.micro(74, poleLat)
	s.umicro(78, poleLon)
}

func (f *azimuthal) write(g *Grid, s *sheet, flags int64) {
	g.plane(s)
	s.micro(39, f.lat1)
	s.micro(43, f.lon1)
	s.micro(47, f.parallel)
	s.micro(51, f.centralLon)
	s.u1(55, flags|bothGiven)
	s.u4(56, f.dx)
	s.u4(60, f.dy)
	s.u1(64, int64(g.Scan))
}

func (f *spaceView) write(g *Grid, s *sheet, flags int64) {
	g.plane(s)
	if g.Earth.Shape == 3 { // whose axes are coded in kilometres
		s.scaled(21, f.major)
		s.scaled(26, f.minor)
	}
	s.micro(39, f.lat)
	s.micro(43, f.lon)
	s.u1(47, flags|bothGiven)
	s.u4(48, f.dx)
	s.u4(52, f.dy)
	s.times(56, f.xp, 1e3)
	s.times(60, f.yp, 1e3)
	s.u1(64, int64(g.Scan))
	s.micro(65, f.orientation)
	s.times(69, f.nr, 1e6)
	s.u4(73, f.xo)
	s.u4(77, f.yo)
}

func (f *healpix) write(g *Grid, s *sheet, _ int64) {
	s.earth(15, g)
	s.u1(31, 0)
	s.u4(32, f.nside)
	s.umicro(36, f.lon)
	s.u1(40, f.position)
	s.u1(41, f.ordering)
	s.u1(42, 0)
}

func (f *unstructured) write(g *Grid, s *sheet) {
	s.u1(15, int64(g.Earth.Shape))
	s.u1(16, f.used>>16)
	s.u1(17, f.used>>8&0xff)
	s.u1(18, f.used&0xff)
	s.u1(19, f.reference)
	copy(s.room(20, 16), f.uuid[:])
}

// write writes templates 3.50 to 3.53; bi-Fourier series have none here.
func (f *spectral) write(s *sheet) bool {
	if f.bi != nil {
		return false
	}
	s.u4(15, f.j)
	s.u4(19, f.k)
	s.u4(23, f.m)
	s.u1(27, f.sort)
	s.u1(28, f.storage)
	end := 28
	if f.rot != nil {
		s.micro(end+1, f.rot.lat)
		s.umicro(end+5, f.rot.lon)
		s.ieee(end+9, f.rot.angle)
		end += 12
	}
	if f.stretch != nil {
		s.micro(end+1, f.stretch.lat)
		s.umicro(end+5, f.stretch.lon)
		s.micro(end+9, f.stretch.factor)
	}
	return true
}
