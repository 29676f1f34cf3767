package look

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// Areas are the areas of the cells of a grid, in a unit of their own.
type Areas struct {
	// The area of a value is the product of row and column areas, or its own area.
	rows, columns []float64
	ends          []int // of rows that have as many points as each has; nil if all have the columns
	points        []float64
	n             int
}

// Len is the number of cells.
func (a *Areas) Len() int { return a.n }

// A weighing is the mean of values by the areas of their cells.
type weighing struct {
	areas       *Areas
	next, row   int // of the values that follow
	sum, weight compensated
}

// add adds values. Those that are not finite, and cells without an area, have no part in the mean.
// After the last cell the first follows.
func (w *weighing) add(r Run) {
	a := w.areas
	if next := int(r.First % uint64(a.n)); next != w.next%a.n {
		w.next = next
		w.row, _ = slices.BinarySearch(a.ends, next+1)
	}
	for _, v := range r.Values {
		if w.next == a.n {
			w.next, w.row = 0, 0
		}
		area := 1.0
		switch {
		case a.points != nil:
			area = a.points[w.next]
		case a.ends != nil:
			for w.next >= a.ends[w.row] {
				w.row++
			}
			area = a.rows[w.row]
		case a.rows != nil:
			area = a.rows[w.next/len(a.columns)] * a.columns[w.next%len(a.columns)]
		}
		w.next++
		if v-v == 0 && area > 0 && !math.IsInf(area, 0) {
			w.sum.add(float64(v * area))
			w.weight.add(area)
		}
	}
}

// mean is NaN if no value has an area.
func (w *weighing) mean() float64 {
	if total := w.weight.total(); total > 0 {
		return w.sum.total() / total
	}
	return math.NaN()
}

// Areas returns the areas of the cells that the last dimensions of the field have. Fields on the
// same grid share them. The error is a [*NoGridError] if they are not known.
func (f *Field) Areas(ctx context.Context) (*Areas, error) {
	s := f.cells
	if s == nil {
		s = f.grid
	}
	if s == nil {
		return nil, &NoGridError{f.Where, "neither a grid nor latitudes and longitudes are known"}
	}
	s.cellsOnce.Do(func() { s.areas, s.cellsErr = s.cells(ctx) })
	a, err := s.areas, s.cellsErr
	if err != nil {
		reason := err.Error()
		if none := (*geometry.CoordinateError)(nil); errors.As(err, &none) {
			reason = fmt.Sprintf("the grid is of type %s: %s", none.GridType, none.Reason)
		}
		return nil, &NoGridError{f.Where, reason}
	}
	n := nd.Volume(f.Shape)
	if a.n == 0 || n%uint64(a.n) != 0 {
		return nil, &NoGridError{f.Where, fmt.Sprintf("the grid has %d cells, the field %d values", a.n, n)}
	}
	return a, nil
}

// measured are the areas that the attribute cell_measures of a netCDF variable names, nil if they are
// not in the file.
func (a *fileAxes) measured(f *Field) *gridSource {
	words := strings.Fields(f.attribute(cf.AttrCellMeasures))
	i := slices.Index(words, "area:")
	if i < 0 || i+1 == len(words) {
		return nil
	}
	area := a.find(f, words[i+1])
	if area == nil || len(area.Dims) > len(f.Dims) || !slices.Equal(area.Dims, f.Dims[len(f.Dims)-len(area.Dims):]) {
		return nil
	}
	key := gridKey{lat: area}
	if a.grids[key] == nil {
		a.grids[key] = &gridSource{cells: func(ctx context.Context) (*Areas, error) {
			values, err := area.Values(ctx)
			if err != nil {
				return nil, err
			}
			return &Areas{points: values, n: len(values)}, nil
		}}
	}
	return a.grids[key]
}

// maxMeasured is how many cells have their areas computed one by one.
const maxMeasured = 1 << 23

// maxMeasuredWork is the work for maxMeasured cells of a projection of a sphere, see
// [geometry.Grid.PointWork].
const maxMeasuredWork = 8 * maxMeasured

// areaWorkOf is the work of areasOf: the work for the points, as their cells are cheap in
// comparison.
func areaWorkOf(m map[string]any) float64 {
	g, err := geometry.FromGeometry(m)
	if err != nil || strings.HasPrefix(g.GridType, "rotated") || tooManyCells(g) {
		return 0
	}
	return workOf(m)
}

// tooManyCells reports whether areas are not computed one by one.
func tooManyCells(g *geometry.Grid) bool {
	return uint64(g.NumberOfDataPoints)*uint64(g.PointWork()) > maxMeasuredWork
}

// areasOf are the areas of the cells of a grid of GRIB.
func areasOf(m map[string]any) (*Areas, error) {
	g, err := geometry.FromGeometry(m)
	if err != nil {
		return nil, err
	}
	if g.GridType == "healpix" {
		return &Areas{n: g.NumberOfDataPoints}, nil
	}
	if g.Separable() {
		lat, lon, err := g.Coordinates()
		if err != nil {
			return nil, err
		}
		if err := evenRows(g.GridType, lat); err != nil {
			return nil, err
		}
		return separableAreas(lat, lon), nil
	}
	if strings.HasPrefix(g.GridType, "rotated") {
		if rows, columns, err := g.PlaneAxes(); err == nil { // areas are the same on a turned sphere
			return separableAreas(rows, columns), nil
		}
	}
	if lat, points, ok := g.Parallels(); ok {
		return rowAreas(lat, points), nil
	}
	if tooManyCells(g) {
		return nil, fmt.Errorf("the areas of %d cells take too much memory or time", g.NumberOfDataPoints)
	}
	lat, lon, err := g.Coordinates()
	if err != nil {
		return nil, err
	}
	if shape := g.Shape(); len(shape) == 2 {
		return curvedAreas(lat, lon, shape[0], shape[1])
	}
	if g.PL == nil || strings.Contains(g.GridType, "rotated") || strings.Contains(g.GridType, "stretched") {
		return nil, errors.New("the cells of the grid are not known")
	}
	var rows []float64
	var points []int
	for i, y := range lat {
		if i == 0 || y != lat[i-1] {
			rows, points = append(rows, y), append(points, 0)
		}
		points[len(points)-1]++
	}
	return rowAreas(rows, points), nil
}

// evenRows fails for a regular grid whose increment and last latitude contradict each other: its rows
// follow the increment, as in ecCodes, and the last one, at the last latitude, would have most of the
// area.
func evenRows(gridType string, lat []float64) error {
	n := len(lat)
	if gridType != "regular_ll" || n < 3 {
		return nil
	}
	step, last := lat[1]-lat[0], lat[n-1]-lat[n-2]
	if math.Abs(last-step) > math.Abs(step)/2 {
		return fmt.Errorf("%d rows from latitude %v on that are %v degrees apart do not end at %v", n, lat[0], math.Abs(step), lat[n-1])
	}
	return nil
}

// separableAreas are the areas of cells between parallels and meridians.
func separableAreas(lat, lon []float64) *Areas {
	return &Areas{rows: bands(lat), columns: widths(lon), n: len(lat) * len(lon)}
}

// rowAreas are the areas of cells in rows of equal width, each divided among its points.
func rowAreas(lat []float64, points []int) *Areas {
	a := &Areas{rows: bands(lat)}
	for j, n := range points {
		a.n += n
		a.ends = append(a.ends, a.n)
		a.rows[j] /= float64(max(n, 1))
	}
	return a
}

// bands are the differences of the sines of the latitudes between which rows lie: halfway to the
// next ones. The first and the last reach as far to the other side, or to the pole where the
// latitudes are not evenly spaced, as Gaussian ones are not, and it is nearer than the next row.
func bands(lat []float64) []float64 {
	n := len(lat)
	if n == 1 {
		return []float64{1}
	}
	even := true
	step := (lat[n-1] - lat[0]) / float64(n-1)
	for j := 1; j < n; j++ {
		even = even && math.Abs(lat[j]-lat[j-1]-step) < 1e-3*math.Abs(step)
	}
	end := func(last, before float64) float64 {
		step := last - before
		pole := math.Copysign(90, step)
		if edge := last + float64(step/2); math.Abs(edge) < 90 && (even || math.Abs(pole-last) >= math.Abs(step)) {
			return edge
		}
		return pole
	}
	edges := make([]float64, n+1)
	edges[0], edges[n] = end(lat[0], lat[1]), end(lat[n-1], lat[n-2])
	for j := 1; j < n; j++ {
		edges[j] = (lat[j-1] + lat[j]) / 2
	}
	rows := make([]float64, n)
	for j := range rows {
		rows[j] = band(edges[j], edges[j+1])
	}
	return rows
}

// band is the difference of the sines of two latitudes.
func band(a, b float64) float64 { return math.Abs(math.Sin(b*degree) - math.Sin(a*degree)) }

// widths are the distances between the meridians halfway to the neighbours of each.
func widths(lon []float64) []float64 {
	n := len(lon)
	columns := make([]float64, n)
	step := func(i int) float64 { // from i to i+1
		i = min(max(i, 0), n-2)
		return math.Abs(math.Remainder(lon[i+1]-lon[i], 360))
	}
	for i := range columns {
		if columns[i] = 1; n > 1 {
			columns[i] = (step(i-1) + step(i)) / 2
		}
	}
	return columns
}

// boundedAreas are the areas of cells with bounds in a file, two for each row and column.
func boundedAreas(lat, lon []float64) *Areas {
	a := &Areas{n: len(lat) / 2 * (len(lon) / 2)}
	for j := 0; j < len(lat); j += 2 {
		a.rows = append(a.rows, band(lat[j], lat[j+1]))
	}
	for i := 0; i < len(lon); i += 2 {
		a.columns = append(a.columns, math.Abs(lon[i+1]-lon[i]))
	}
	return a
}

// curvedAreas are the areas of cells whose corners lie in the middle of four points. At the edges
// of the grid, points that continue it stand for the missing ones.
func curvedAreas(lat, lon []float64, rows, columns int) (*Areas, error) {
	if rows < 2 || columns < 2 {
		return nil, errors.New("the cells of a grid of one row or column are not known")
	}
	at := func(j, i int) vector {
		k := j*columns + i
		sin, cos := math.Sincos(lat[k] * degree)
		east, north := math.Sincos(lon[k] * degree)
		return vector{float64(cos * north), float64(cos * east), sin}
	}
	var point func(j, i int) vector
	point = func(j, i int) vector {
		switch {
		case j < 0:
			return point(0, i).beyond(point(1, i))
		case j == rows:
			return point(rows-1, i).beyond(point(rows-2, i))
		case i < 0:
			return at(j, 0).beyond(at(j, 1))
		case i == columns:
			return at(j, columns-1).beyond(at(j, columns-2))
		}
		return at(j, i)
	}
	line := func(j int) []vector { // the points of row j, and one beyond each end
		list := make([]vector, 0, columns+2)
		for i := -1; i <= columns; i++ {
			list = append(list, point(j, i))
		}
		return list
	}
	corners := func(above, below []vector) []vector {
		list := make([]vector, columns+1)
		for i := range list {
			list[i] = above[i].plus(above[i+1]).plus(below[i]).plus(below[i+1]).unit()
		}
		return list
	}
	a := &Areas{n: rows * columns, points: make([]float64, 0, rows*columns)}
	below := line(0)
	top := corners(line(-1), below)
	for j := range rows {
		above := below
		below = line(j + 1)
		bottom := corners(above, below)
		for i := range columns {
			area := triangle(top[i], top[i+1], bottom[i+1]) + triangle(top[i], bottom[i+1], bottom[i])
			if math.IsNaN(area) {
				return nil, errors.New("some points have no place on the earth")
			}
			a.points = append(a.points, area)
		}
		top = bottom
	}
	return a, nil
}

// A vector points to a place on the unit sphere.
type vector [3]float64

func (v vector) plus(w vector) vector { return vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }

func (v vector) times(x float64) vector {
	return vector{float64(v[0] * x), float64(v[1] * x), float64(v[2] * x)}
}

func (v vector) dot(w vector) float64 {
	return float64(v[0]*w[0]) + float64(v[1]*w[1]) + float64(v[2]*w[2])
}

func (v vector) unit() vector { return v.times(1 / math.Sqrt(v.dot(v))) }

// beyond is as far from v as w is, on the other side.
func (v vector) beyond(w vector) vector { return v.times(2).plus(w.times(-1)) }

func (v vector) cross(w vector) vector {
	return vector{
		float64(v[1]*w[2]) - float64(v[2]*w[1]), float64(v[2]*w[0]) - float64(v[0]*w[2]), float64(v[0]*w[1]) - float64(v[1]*w[0]),
	}
}

// triangle is the area of a spherical triangle (Eriksson 1990).
func triangle(a, b, c vector) float64 {
	return 2 * math.Atan2(math.Abs(a.dot(b.cross(c))), 1+a.dot(b)+b.dot(c)+c.dot(a))
}
