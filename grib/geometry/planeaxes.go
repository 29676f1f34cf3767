package geometry

import "github.com/tgmconv/tgmconv/grib/internal/libm"

// A planar family has rows and columns of its own on a plane, or on a rotated sphere.
type planar interface {
	// plane returns the coordinates of the Nj rows and the Ni columns.
	plane(g *Grid) (rows, columns []float64, err error)
}

// PlaneAxes returns the coordinates of rows and columns in the grid's own system, for grids that
// are not separable. They are metres from the origin of a projection, with x growing to the east
// and y to the north there, or latitudes and longitudes on a rotated sphere, in degrees. The origin
// is the same as in the CF grid mapping: the pole of a polar stereographic projection, the central
// meridian and the parallel LaD of conical projections, the centre of an azimuthal projection. A
// *CoordinateError says why there are none.
func (g *Grid) PlaneAxes() (rows, columns []float64, err error) {
	f, ok := g.family.(planar)
	if !ok || g.Separable() {
		return nil, nil, g.none("its rows and columns have no coordinates of their own")
	}
	if err := g.needRectangle(); err != nil {
		return nil, nil, err
	}
	return f.plane(g)
}

// metres returns the coordinates of rows and columns that are dx and dy apart. They have the
// signs of the scanning mode.
func (g *Grid) metres(x0, y0, dx, dy float64) (rows, columns []float64) {
	dx, dy = g.Scan.directed(dx, dy)
	return evenly(g.Nj, y0, dy), evenly(g.Ni, x0, dx)
}

// evenly returns start and n-1 more values, d apart.
func evenly(n int, start, d float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = start + float64(float64(i)*d)
	}
	return values
}

func (f *lambert) plane(g *Grid) (rows, columns []float64, err error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, nil, err
	}
	if f.latin1 == -f.latin2 {
		return nil, nil, g.none("the standard parallels lie symmetrically to the equator")
	}
	var x0, y0 float64
	if !g.Earth.Oblate {
		_, _, _, x0, y0 = f.cone(major)
	} else if _, _, x0, y0, err = f.oblateCone(g, major, minor); err != nil {
		return nil, nil, err
	}
	rows, columns = g.metres(x0, y0, f.dx, f.dy)
	return rows, columns, nil
}

func (f *albers) plane(g *Grid) (rows, columns []float64, err error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, nil, err
	}
	a, x0, y0, err := f.cone(g, major, minor)
	if err != nil {
		return nil, nil, err
	}
	p := &f.parameters
	y0 += a.radius(libm.Sin(p.lad * degree)) // from the parallel LaD
	rows, columns = g.metres(x0, y0, p.dx, p.dy)
	return rows, columns, nil
}

func (f *polarStereographic) plane(g *Grid) (rows, columns []float64, err error) {
	s, err := newStereographic(g, f)
	if err != nil {
		return nil, nil, err
	}
	x0, y0 := f.first(s)
	rows, columns = g.metres(x0, y0, f.dx, f.dy)
	return rows, columns, nil
}

func (f *azimuthal) plane(g *Grid) (rows, columns []float64, err error) {
	major, minor, err := g.spheroid()
	if err != nil {
		return nil, nil, err
	}
	if !g.Earth.Oblate {
		columns, rows = f.sphereAxes(g, major)
		return rows, columns, nil
	}
	a, err := f.oblate(g, major, minor)
	if err != nil {
		return nil, nil, err
	}
	for _, axis := range [][]float64{a.xs, a.ys} {
		for i := range axis {
			axis[i] *= major
		}
	}
	return a.ys, a.xs, nil
}

func (f *rotatedLatLon) plane(g *Grid) (rows, columns []float64, err error) { return f.axes(g) }
