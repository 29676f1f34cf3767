package geometry

import "sort"

// A pointwise family computes one latitude and one longitude a point, row by row.
type pointwise interface {
	// points does the common work of all points, such as the constants of a projection.
	points(g *Grid) (pointRange, error)
}

// A pointRange computes the coordinates of consecutive points, from point first on. There are as
// many as the slices have, which are zeroed. Either of lat and lon may be nil, and is not
// computed then.
type pointRange func(first int, lat, lon []float64) error

// Points computes coordinates of some points of a grid without the coordinates of the others. It
// may be used by several goroutines at once.
type Points struct {
	grid *Grid
	read pointRange
}

// Points prepares the computation of coordinates by parts, which takes little memory whatever the
// number of points. A *CoordinateError says why there are none.
func (g *Grid) Points() (*Points, error) {
	switch f := g.family.(type) {
	case pointwise:
		read, err := f.points(g)
		if err != nil {
			return nil, err
		}
		return &Points{g, read}, nil
	case separable:
		rows, columns, err := g.axes(f)
		if err != nil {
			return nil, err
		}
		return &Points{g, func(first int, lat, lon []float64) error {
			g.eachRow(first, lat, lon, func(j, from int, lat, lon []float64) bool {
				for i := range lat {
					lat[i] = rows[j]
				}
				copy(lon, columns[from:])
				return true
			})
			return nil
		}}, nil
	}
	return nil, g.none("the message does not give them")
}

// CheckCoordinates returns the *CoordinateError that says why there are no coordinates, nil if there
// are any. Of a grid that is not Separable it computes the corners alone: the area in which a
// projection has points is convex.
func (g *Grid) CheckCoordinates() error {
	if g.Separable() {
		_, _, err := g.Coordinates()
		return err
	}
	p, err := g.Points()
	if err != nil || p.Len() == 0 {
		return err
	}
	corners := []int{0, p.Len() - 1}
	if g.rectangular() {
		corners = append(corners, g.Ni-1, p.Len()-g.Ni)
	}
	var lat, lon [1]float64
	for _, corner := range corners {
		if err := p.Read(corner, lat[:], lon[:]); err != nil {
			return err
		}
	}
	return nil
}

// Len returns the number of points.
func (p *Points) Len() int { return p.grid.NumberOfDataPoints }

// Read computes the latitudes and the longitudes of consecutive points from point first on, in
// degrees. They are in the order of the values after Reorder. Either of lat and lon may be nil;
// else both have the same length. The error is a *CoordinateError if a point has no coordinates.
func (p *Points) Read(first int, lat, lon []float64) error {
	n := max(len(lat), len(lon))
	if lat != nil && lon != nil && len(lat) != len(lon) || first < 0 || n > p.Len()-first {
		return p.grid.mismatch()
	}
	if n == 0 {
		return nil
	}
	clear(lat)
	clear(lon)
	return p.read(first, lat, lon)
}

// projectedWork is how many numbers are read in the time in which a coordinate of a projection is
// computed. The same is oblateWork where the latitude on a spheroid is found step by step.
const (
	projectedWork = 8
	oblateWork    = 14
)

// PointWork is how many numbers are read in about the time in which a coordinate of a point is
// computed. It is 1 where the coordinate belongs to a row or a column.
func (g *Grid) PointWork() int {
	if g.Separable() || len(g.PL) > 0 || len(g.Shape()) < 2 {
		return 1
	}
	switch g.family.(type) {
	case *lambert, *polarStereographic:
		if g.Earth.Oblate {
			return oblateWork
		}
	}
	return projectedWork
}

// eachRow calls row for the part of each row of a rectangle that has points from first on. Its
// arguments are its number, the column of its first point, and its elements of lat and lon, nil
// where lat or lon is nil. The calls are made by several goroutines where there are many points. It
// reports whether all calls returned true.
func (g *Grid) eachRow(first int, lat, lon []float64, row func(j, from int, lat, lon []float64) bool) bool {
	n := max(len(lat), len(lon))
	if n == 0 {
		return true
	}
	top := first / g.Ni
	rows := (first+n-1)/g.Ni - top + 1
	failed := make([]bool, rows)
	parallelRows(rows, min(n, g.Ni), func(k int) {
		from := max(first, (top+k)*g.Ni)
		to := min(first+n, (top+k+1)*g.Ni)
		failed[k] = !row(top+k, from-(top+k)*g.Ni, within(lat, from-first, to-first), within(lon, from-first, to-first))
	})
	for _, bad := range failed {
		if bad {
			return false
		}
	}
	return true
}

// within returns elements of a slice that may be nil.
func within(v []float64, from, to int) []float64 {
	if v == nil {
		return nil
	}
	return v[from:to]
}

// put sets an element of a slice that may be nil.
func put(v []float64, k int, x float64) {
	if v != nil {
		v[k] = x
	}
}

// parallels are rows of points that lie on a parallel each, of any lengths.
type parallels struct {
	starts []int // of the rows
	ends   []int
	lat    []float64
}

// add adds a row of n points.
func (p *parallels) add(n int, lat float64) {
	start := p.points()
	p.starts, p.ends, p.lat = append(p.starts, start), append(p.ends, start+n), append(p.lat, lat)
}

// points returns the number of points of all rows.
func (p *parallels) points() int {
	if len(p.ends) == 0 {
		return 0
	}
	return p.ends[len(p.ends)-1]
}

// read computes the points of the rows. Points after the last row stay at latitude and longitude 0.
// The function longitudes computes the longitudes of row j, of as many points as lon has from the
// point from on.
func (p *parallels) read(longitudes func(j, from int, lon []float64)) pointRange {
	return func(first int, lat, lon []float64) error {
		end := min(first+max(len(lat), len(lon)), p.points())
		if first >= end {
			return nil
		}
		top := sort.SearchInts(p.ends, first+1)
		rows := sort.SearchInts(p.ends, end) - top + 1
		parallelRows(rows, (end-first)/rows, func(k int) {
			j := top + k
			from, to := max(first, p.starts[j]), min(end, p.ends[j])
			if from >= to {
				return
			}
			if lat != nil {
				row := lat[from-first : to-first]
				for i := range row {
					row[i] = p.lat[j]
				}
			}
			if lon != nil {
				longitudes(j, from-p.starts[j], lon[from-first:to-first])
			}
		})
		return nil
	}
}
