package extract

import (
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/look"
)

// interpolate chooses the four points around each place: of rows and columns of latitudes and
// longitudes, of cells between rows and columns elsewhere, and of rows of points on one latitude each.
func (c *chosen) interpolate(grid *look.Grid, places []Place) error {
	nearest := new(chosen)
	if err := nearest.nearest(grid, places, nil); err != nil {
		return err
	}
	around, err := cornersOf(grid)
	if err != nil {
		return err
	}
	for i, p := range places {
		r := nearest.rows[i]
		if r.reason == "" {
			corners, weights, ok, err := around(p, nearest.at[r.first])
			if err != nil {
				return err
			}
			if ok {
				r.lat, r.lon, r.distance, r.first, r.corners = p.Lat, p.Lon, 0, len(c.at), &weights
				c.at = append(c.at, corners[:]...)
			} else {
				r.reason = "the place is outside the grid: it does not lie between four points"
			}
		}
		c.rows = append(c.rows, r)
	}
	return nil
}

// A cornersFunc finds the four points around a place and their weights. nearest is the number of the
// nearest point. It reports false if the place does not lie between points.
type cornersFunc func(p Place, nearest uint64) (corners [4]uint64, weights [4]float64, ok bool, err error)

// cornersOf returns the function for a grid.
func cornersOf(grid *look.Grid) (cornersFunc, error) {
	switch {
	case grid.Separable && len(grid.Lat) > 0 && len(grid.Lon) > 0:
		return regularCorners(grid), nil
	case grid.Rows > 1 && grid.Cols > 1:
		return (&cells{grid: grid, places: grid.Places()}).corners, nil
	}
	rows, err := rowsOf(grid)
	if err != nil {
		return nil, err
	}
	if rows == nil {
		return nil, &GridError{"values are interpolated between rows and columns, or rows on one latitude each, and this grid has neither: the nearest point can be taken"}
	}
	return rows.corners, nil
}

// weightsOf are the weights of four points: two of a row, two of the next. right and down are from 0
// to 1, the part of the way to the second column and row.
func weightsOf(right, down float64) [4]float64 {
	return [4]float64{
		float64((1 - down) * (1 - right)), float64((1 - down) * right), float64(down * (1 - right)), float64(down * right),
	}
}

// regularCorners is the function for rows and columns of latitudes and longitudes.
func regularCorners(grid *look.Grid) cornersFunc {
	rows, columns := newAxis(grid.Lat, false), newAxis(grid.Lon, true)
	n := len(grid.Lon)
	return func(p Place, _ uint64) ([4]uint64, [4]float64, bool, error) {
		j0, j1, down := rows.around(p.Lat)
		i0, i1, right := columns.around(degrees360(p.Lon - grid.Lon[0]))
		return [4]uint64{uint64(j0*n + i0), uint64(j0*n + i1), uint64(j1*n + i0), uint64(j1*n + i1)}, weightsOf(right, down), true, nil
	}
}

// A rowsOfPoints is a grid of rows of points, each row on one latitude. A reduced Gaussian grid is
// such, or the rings of HEALPix.
type rowsOfPoints struct {
	places *look.Places
	rows   *axis
	first  []int // of each row; of one more the number of points
	axes   map[int]*axis
}

// rowsOf finds the rows of a GRIB grid, from north to south or from south to north. It returns nil if
// the points are in another order, as in unstructured grids and nested HEALPix.
func rowsOf(grid *look.Grid) (*rowsOfPoints, error) {
	r := &rowsOfPoints{places: grid.Places(), axes: make(map[int]*axis)}
	var lats []float64
	ordered := true
	err := grid.Blocks(func(first int, block, _ []float64) {
		for i, lat := range block {
			if n := len(lats); ordered && (n == 0 || lat != lats[n-1]) {
				ordered = n < 2 || (lat < lats[n-1]) == (lats[n-1] < lats[n-2])
				lats, r.first = append(lats, lat), append(r.first, first+i)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if !ordered || grid.Type == "" || len(lats) < 2 || len(lats) > grid.Len()/2 {
		return nil, nil
	}
	r.first, r.rows = append(r.first, grid.Len()), newAxis(lats, false)
	return r, nil
}

// corners finds two points in each of the rows to the north and the south.
func (r *rowsOfPoints) corners(p Place, _ uint64) (corners [4]uint64, weights [4]float64, ok bool, err error) {
	north, south, down := r.rows.around(p.Lat)
	for k, row := range []int{north, south} {
		first := r.first[row]
		_, west, err := r.places.At(first)
		if err != nil {
			return corners, weights, false, err
		}
		columns, err := r.row(row)
		if err != nil {
			return corners, weights, false, err
		}
		i0, i1, right := columns.around(degrees360(p.Lon - west))
		corners[2*k], corners[2*k+1] = uint64(first+i0), uint64(first+i1)
		w := weightsOf(right, down)
		weights[2*k], weights[2*k+1] = w[2*k], w[2*k+1]
	}
	return corners, weights, true, nil
}

// row is the axis of longitudes of a row.
func (r *rowsOfPoints) row(row int) (*axis, error) {
	if r.axes[row] == nil {
		var lons []float64
		for i := r.first[row]; i < r.first[row+1]; i++ {
			_, lon, err := r.places.At(i)
			if err != nil {
				return nil, err
			}
			lons = append(lons, lon)
		}
		r.axes[row] = newAxis(lons, true)
	}
	return r.axes[row], nil
}

// cells lie between rows and columns whose latitudes and longitudes differ at each point: in rotated
// grids, maps and curvilinear grids.
type cells struct {
	grid   *look.Grid
	places *look.Places
}

// searched is how many rows and columns from the nearest point the cell of a place is looked for: in
// skewed cells the nearest point may not be a corner.
const searched = 3

// corners finds the cell in which a place lies, the nearest cells first.
func (c *cells) corners(p Place, nearest uint64) (corners [4]uint64, weights [4]float64, ok bool, err error) {
	j, i := int(nearest)/c.grid.Cols, int(nearest)%c.grid.Cols
	for ring := range searched {
		for row := j - 1 - ring; row <= j+ring; row++ {
			for column := i - 1 - ring; column <= i+ring; column++ {
				inner := row > j-1-ring && row < j+ring && column > i-1-ring && column < i+ring
				if inner || row < 0 || row+1 >= c.grid.Rows {
					continue
				}
				if corners, weights, ok, err = c.within(p, row, column); ok || err != nil {
					return corners, weights, ok, err
				}
			}
		}
	}
	return corners, weights, false, nil
}

// within reports whether a place lies in the cell to the lower right of a point, and where: the cell is
// drawn as it is seen from the centre of the earth (the gnomonic projection about the place), where
// great circles are straight. The cells after the last column lie between it and the first.
func (c *cells) within(p Place, row, column int) (corners [4]uint64, weights [4]float64, ok bool, err error) {
	n := c.grid.Cols
	west, east := (column+n)%n, (column+1+n)%n
	var x, y [4]float64
	for k, at := range [4]int{row*n + west, row*n + east, (row+1)*n + west, (row+1)*n + east} {
		corners[k] = uint64(at)
		lat, lon, err := c.places.At(at)
		if err != nil {
			return corners, weights, false, err
		}
		if x[k], y[k], ok = gnomonic(p, lat, lon); !ok {
			return corners, weights, false, nil
		}
	}
	right, down, ok := inCell(x, y)
	if ok && (east < west) {
		ok, err = c.closes(row, west, east)
	}
	return corners, weightsOf(right, down), ok, err
}

// closes reports whether a row closes: its last point is as near to the first as neighbours are.
func (c *cells) closes(row, last, first int) (bool, error) {
	var lat, lon [3]float64
	for k, i := range [3]int{first, last, last - 1} {
		var err error
		if lat[k], lon[k], err = c.places.At(row*c.grid.Cols + i); err != nil {
			return false, err
		}
	}
	return look.Distance(lat[0], lon[0], lat[1], lon[1]) <= 1.5*look.Distance(lat[1], lon[1], lat[2], lon[2]), nil
}

// gnomonic projects a point to the plane that touches the sphere at a place. It reports false for points
// more than 60 degrees away, and for points without a latitude or longitude.
func gnomonic(p Place, lat, lon float64) (x, y float64, ok bool) {
	const degree = math.Pi / 180
	sin0, cos0 := math.Sincos(p.Lat * degree)
	sin, cos := math.Sincos(lat * degree)
	sinLon, cosLon := math.Sincos((lon - p.Lon) * degree)
	towards := float64(sin0*sin) + float64(cos0*cos)*cosLon
	if !(towards > 0.5) {
		return 0, 0, false
	}
	return cos * sinLon / towards, (float64(cos0*sin) - float64(sin0*cos)*cosLon) / towards, true
}

// onEdge is how far beyond the edge of a cell, in parts of it, a place counts as inside.
const onEdge = 1e-6

// inCell finds the parts of the way, along the row and to the next row, at which the origin lies. It
// uses the four corners, and Newton's method. It reports false if the origin is outside.
func inCell(x, y [4]float64) (right, down float64, ok bool) {
	right, down = 0.5, 0.5
	for range 20 {
		w := weightsOf(right, down)
		var fx, fy float64
		for k := range w {
			fx += w[k] * x[k]
			fy += w[k] * y[k]
		}
		xr := (1-down)*(x[1]-x[0]) + down*(x[3]-x[2])
		yr := (1-down)*(y[1]-y[0]) + down*(y[3]-y[2])
		xd := (1-right)*(x[2]-x[0]) + right*(x[3]-x[1])
		yd := (1-right)*(y[2]-y[0]) + right*(y[3]-y[1])
		area := xr*yd - xd*yr
		if area == 0 {
			return 0, 0, false
		}
		dr, dd := (fx*yd-fy*xd)/area, (fy*xr-fx*yr)/area
		right, down = right-dr, down-dd
		if math.Abs(dr)+math.Abs(dd) < 1e-12 {
			break
		}
	}
	ok = right >= -onEdge && right <= 1+onEdge && down >= -onEdge && down <= 1+onEdge
	return onPoint(right), onPoint(down), ok
}

// onPoint is a part of the way from 0 to 1. It is 0 or 1 where it is as close to these as coordinates
// can tell, so that a point has its own value.
func onPoint(part float64) float64 {
	if nearest := math.Round(part); math.Abs(part-nearest) < 1e-9 {
		return nearest
	}
	return min(max(part, 0), 1)
}

// An axis has the latitudes of rows, or the longitudes of columns, in ascending order.
type axis struct {
	values []float64
	number []int // of the row or column
	round  bool  // longitudes that go round the earth
}

func newAxis(values []float64, longitudes bool) *axis {
	a := &axis{number: make([]int, len(values))}
	for i := range a.number {
		a.number[i] = i
	}
	turned := func(i int) float64 {
		if v := values[i]; longitudes {
			return degrees360(v - values[0])
		} else {
			return v
		}
	}
	slices.SortStableFunc(a.number, func(i, j int) int { return compare(turned(i), turned(j)) })
	for _, i := range a.number {
		a.values = append(a.values, turned(i))
	}
	if n := len(values); longitudes && n > 1 {
		gap := 360 - a.values[n-1]
		a.round = gap <= 1.5*a.values[n-1]/float64(n-1)
	}
	return a
}

// around returns the two rows or columns between which a latitude or longitude lies. A longitude
// counts from the first column. part is the way from the first to the second, from 0 to 1. Beyond
// the last one both are the same.
func (a *axis) around(x float64) (first, second int, part float64) {
	n := len(a.values)
	at, found := slices.BinarySearch(a.values, x)
	switch {
	case found || at == 0 || at == n && !a.round:
		if at = min(at, n-1); !found && x > 180+a.values[n-1]/2 {
			at = 0 // which is nearer, to the west
		}
		return a.number[at], a.number[at], 0
	case at == n:
		return a.number[n-1], a.number[0], (x - a.values[n-1]) / (360 - a.values[n-1])
	}
	return a.number[at-1], a.number[at], (x - a.values[at-1]) / (a.values[at] - a.values[at-1])
}
