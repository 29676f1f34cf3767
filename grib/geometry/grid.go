package geometry

import "math"

// DefaultMaxPoints is how many points a grid may have unless MaxPoints says otherwise.
const DefaultMaxPoints = 1 << 30

// A Scan is the scanning mode octet (flag table 3.4 of edition 2, table 8 of edition 1).
type Scan uint8

// NegativeI reports whether points of a row proceed in the -i (west) direction.
func (s Scan) NegativeI() bool { return s&0x80 != 0 }

// PositiveJ reports whether rows proceed in the +j (north) direction.
func (s Scan) PositiveJ() bool { return s&0x40 != 0 }

// ConsecutiveJ reports whether points of a column are stored next to each other.
func (s Scan) ConsecutiveJ() bool { return s&0x20 != 0 }

// Alternating reports whether adjacent rows are stored in opposite directions. Edition 1 has no
// such flag.
func (s Scan) Alternating() bool { return s&0x10 != 0 }

// directed gives the grid lengths of a projection the signs of the directions in which the values
// proceed. Negative are dx where they run to -i, and dy where they run to -j. The first value is
// at the first grid point of a section (Manual on Codes, flag table 3.4).
func (s Scan) directed(dx, dy float64) (float64, float64) {
	if s.NegativeI() {
		dx = -dx
	}
	if !s.PositiveJ() {
		dy = -dy
	}
	return dx, dy
}

// An Earth is the figure of the Earth that a grid refers to (code table 3.2), lengths in metres.
type Earth struct {
	Shape     int     // code table 3.2; 0 in edition 1, whether oblate or not
	Oblate    bool    // as ecCodes' key earthIsOblate
	Radius    float64 // of the sphere, 0 when oblate
	MajorAxis float64 // of the spheroid, 0 when spherical or not known
	MinorAxis float64
}

// A Grid is a parsed grid definition. It is immutable and may be used by several goroutines at
// once.
type Grid struct {
	// GridType is ecCodes' gridType: regular_ll, reduced_gg, lambert, healpix, sh ... The names
	// "unknown" and "unknown_PLPresent" are ecCodes' too.
	GridType string
	// Edition is the GRIB edition.
	Edition int
	// Template is the grid definition template 3.n; for edition 1 the data representation type
	// (section 2, octet 6).
	Template int
	// NumberOfDataPoints is how many values a field on this grid has, missing values
	// included.
	NumberOfDataPoints int
	// Ni and Nj are the points along a row and along a column. They are 0 where the grid does not
	// say (Ni of reduced grids).
	Ni, Nj int
	// Scan is how the values are stored.
	Scan Scan
	// Earth is the figure of the Earth; the zero value for spectral and unstructured grids.
	Earth Earth
	// PL is the number of points along each parallel of a reduced grid, nil for others. Callers
	// must not change it.
	PL []int
	// PV holds the vertical coordinate parameters of edition 1, which that edition keeps in section
	// 2, nil elsewhere.
	PV []float64

	family family
}

// A family is the part of a grid that distinguishes its kind from others.
type family interface {
	// visit presents every parameter of the coordinates by name, for reading and for writing.
	visit(v visitor)
}

// A separable family computes the latitude of each row and the longitude of each column.
type separable interface {
	// axes returns g.Nj latitudes and g.Ni longitudes.
	axes(g *Grid) (lat, lon []float64, err error)
	// whole reports whether these are true latitudes and longitudes, not on a rotated or
	// stretched sphere.
	whole() bool
}

// pairs reports whether the values are complex numbers, real and imaginary part in turn.
func (g *Grid) pairs() bool {
	f, ok := g.family.(*spectral)
	return ok && f.bi == nil && g.NumberOfDataPoints%2 == 0
}

// rectangular reports whether the values form Nj rows of Ni points.
func (g *Grid) rectangular() bool {
	if _, ok := g.family.(*spectral); ok || g.PL != nil {
		return false
	}
	n := g.NumberOfDataPoints
	return g.Ni > 0 && g.Nj > 0 && g.Ni <= n && g.Nj == n/g.Ni && n%g.Ni == 0
}

// Shape returns the lengths of the axes of a field. They are Nj, Ni where the points form rows and
// columns; pairs, 2 for spectral coefficients (real and imaginary part); otherwise the number of
// points.
func (g *Grid) Shape() []int {
	switch {
	case g.pairs():
		return []int{g.NumberOfDataPoints / 2, 2}
	case g.rectangular():
		return []int{g.Nj, g.Ni}
	}
	return []int{g.NumberOfDataPoints}
}

// Dims returns the names of the axes of a field. They are latitude, longitude where the grid is
// Separable; y, x on other grids of rows and columns; coefficient, part for spectral
// coefficients; otherwise values.
func (g *Grid) Dims() []string {
	switch {
	case g.pairs():
		return []string{"coefficient", "part"}
	case g.Separable():
		return []string{"latitude", "longitude"}
	case g.rectangular():
		return []string{"y", "x"}
	}
	return []string{"values"}
}

// Separable reports whether latitude depends on the row alone and longitude on the column alone.
func (g *Grid) Separable() bool {
	s, ok := g.family.(separable)
	return ok && s.whole() && g.rectangular()
}

// HasCoordinates reports whether Coordinates may succeed: false for spectral, unstructured and
// unknown grids.
func (g *Grid) HasCoordinates() bool {
	switch g.family.(type) {
	case separable, pointwise:
		return true
	}
	return false
}

// Coordinates returns latitudes and longitudes in degrees. For a Separable grid these are Nj and Ni
// values, one a row and one a column; else every point has both, in the order of the values after
// Reorder. A *CoordinateError says why there are none.
func (g *Grid) Coordinates() (lat, lon []float64, err error) {
	if g.Separable() {
		return g.axes(g.family.(separable))
	}
	return g.PointCoordinates()
}

// PointCoordinates returns one latitude and one longitude a point for every kind of grid. Points
// computes them by parts.
func (g *Grid) PointCoordinates() (lat, lon []float64, err error) {
	p, err := g.Points()
	if err != nil {
		return nil, nil, err
	}
	lat, lon = make([]float64, p.Len()), make([]float64, p.Len())
	if err := p.read(0, lat, lon); err != nil {
		return nil, nil, err
	}
	return lat, lon, nil
}

func (g *Grid) none(reason string) error {
	return &CoordinateError{GridType: g.GridType, Reason: reason}
}

func (g *Grid) mismatch() error {
	return g.none("the number of points is not the number of rows times the number of columns")
}

// maxAxis is the most rows or columns that have coordinates: more than any grid in use has. A
// section of a few bytes must not take much memory.
const maxAxis = 1 << 22

// needRectangle returns an error unless the points form rows and columns of a usual number.
func (g *Grid) needRectangle() error {
	switch {
	case !g.rectangular():
		return g.mismatch()
	case max(g.Ni, g.Nj) > maxAxis:
		return g.none("it has more rows or columns than any grid in use")
	}
	return nil
}

// axes returns the latitudes of rows and the longitudes of columns.
func (g *Grid) axes(f separable) (lat, lon []float64, err error) {
	if err := g.needRectangle(); err != nil {
		return nil, nil, err
	}
	return f.axes(g)
}

// An Extent holds the corner points and increments of a latitude-longitude or Gaussian grid in
// degrees. They are NaN where the section does not give them. On rotated grids they refer to
// the rotated sphere.
type Extent struct {
	LatitudeOfFirst, LongitudeOfFirst float64
	LatitudeOfLast, LongitudeOfLast   float64
	IncrementI, IncrementJ            float64 // never negative; IncrementJ is NaN for Gaussian grids
	// N is the number of parallels between a pole and the equator of a Gaussian grid, else 0.
	N int
}

// Extent returns the corner points; false when the grid has none.
func (g *Grid) Extent() (Extent, bool) {
	var r *region
	var n int64
	switch f := g.family.(type) {
	case *latLon:
		r = &f.region
	case *reducedLatLon:
		r = &f.region
	case *gaussian:
		r, n = &f.region, f.n
	case *reducedGaussian:
		r, n = &f.region, f.n
	default:
		return Extent{}, false
	}
	e := Extent{r.lat1, r.lon1, r.lat2, r.lon2, r.di, r.dj, int(n)}
	if n > 0 {
		e.IncrementJ = math.NaN()
	}
	return e, true
}

// Spectral returns the pentagonal resolution parameters J, K and M of spherical harmonics; false
// for other grids.
func (g *Grid) Spectral() (j, k, m int, ok bool) {
	f, ok := g.family.(*spectral)
	if !ok || f.bi != nil {
		return 0, 0, 0, false
	}
	return int(f.j), int(f.k), int(f.m), true
}

// UUID returns the identity of an unstructured horizontal grid (template 3.101, octets 20-35);
// false for other grids.
func (g *Grid) UUID() (uuid [16]byte, ok bool) {
	f, ok := g.family.(*unstructured)
	if ok {
		uuid = f.uuid
	}
	return uuid, ok
}
