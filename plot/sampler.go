package plot

import (
	"math"
	"slices"
	"sort"

	"github.com/tgmconv/tgmconv/look"
)

const degree = math.Pi / 180

// A sampler finds the value that lies at a place, -1 outside the grid.
type sampler interface{ at(lat, lon float64) int }

func newSampler(g *look.Grid) sampler {
	if g.Separable {
		return newCells(g)
	}
	return newBins(g)
}

// cells are those around the points of rows and columns.
type cells struct{ rows, cols axis }

func newCells(g *look.Grid) *cells {
	return &cells{newAxis(g.Lat, 0), newAxis(g.Lon, 360)}
}

func (c *cells) at(lat, lon float64) int {
	row, col := c.rows.at(lat), c.cols.at(lon)
	if row < 0 || col < 0 {
		return -1
	}
	return row*len(c.cols.order) + col
}

// An axis has the coordinates of rows or columns in rising order.
type axis struct {
	values []float64
	order  []int // the number of each before sorting
	edge   float64
	period float64
}

func newAxis(values []float64, period float64) axis {
	a := axis{values: make([]float64, len(values)), order: make([]int, len(values)), period: period}
	for i, v := range values {
		a.order[i] = i
		if period > 0 {
			v = math.Mod(math.Mod(v, period)+period, period)
		}
		a.values[i] = v
	}
	sort.Sort(&a)
	if a.period > 0 && len(values) > 1 {
		a.rotate()
	}
	a.edge = 0.5
	if n := len(values); n > 1 {
		a.edge = math.Abs(a.values[n-1]-a.values[0]) / float64(n-1) / 2 * (1 + 1e-9)
	}
	return a
}

// rotate lets the values begin after the widest gap, so that a region across the meridian of 0 is
// one piece.
func (a *axis) rotate() {
	n := len(a.values)
	widest, at := a.values[0]+a.period-a.values[n-1], 0
	for i := 1; i < n; i++ {
		if gap := a.values[i] - a.values[i-1]; gap > widest*(1+1e-9) {
			widest, at = gap, i
		}
	}
	for i := range at {
		a.values[i] += a.period
	}
	a.values = append(a.values[at:len(a.values):len(a.values)], a.values[:at]...)
	a.order = append(a.order[at:len(a.order):len(a.order)], a.order[:at]...)
}

// Len, Less and Swap implement sort.Interface.
func (a *axis) Len() int           { return len(a.values) }
func (a *axis) Less(i, j int) bool { return a.values[i] < a.values[j] }
func (a *axis) Swap(i, j int) {
	a.values[i], a.values[j] = a.values[j], a.values[i]
	a.order[i], a.order[j] = a.order[j], a.order[i]
}

// at is the number of the nearest value, -1 if v is beyond the cells at the ends.
func (a *axis) at(v float64) int {
	n := len(a.values)
	if n == 0 || math.IsNaN(v) {
		return -1
	}
	if a.period > 0 {
		v = a.values[0] - a.edge + math.Mod(math.Mod(v-a.values[0]+a.edge, a.period)+a.period, a.period)
	}
	i, _ := slices.BinarySearch(a.values, v)
	switch {
	case i == 0:
		if a.values[0]-v > a.edge {
			return -1
		}
	case i == n:
		if v-a.values[n-1] > a.edge {
			if a.period > 0 && a.values[0]+a.period-v <= a.edge {
				return a.order[0]
			}
			return -1
		}
		i--
	case v-a.values[i-1] < a.values[i]-v:
		i--
	}
	return a.order[i]
}

// bins hold the points of any grid by where they lie: bands of latitude, divided into boxes that
// are about as wide as high.
type bins struct {
	grid   *look.Grid
	area   extent
	xyz    [][3]float32 // of each point on the unit sphere
	height float64      // of a band, in degrees
	first  []int        // the number of the first box of each band
	wide   []int        // boxes in each band
	start  []int32      // of each box in points
	points []int32
	// nearby is the square of the chord beyond which a point is not near, on grids without rows.
	nearby float64
}

// pointsPerBox is how many points a box holds on average.
const pointsPerBox = 4

func newBins(g *look.Grid) *bins {
	n := g.Len()
	b := &bins{grid: g, area: extentOf(g), xyz: make([][3]float32, n)}
	for i := range n {
		if lat, lon := g.At(i); onEarth(lat, lon) {
			b.xyz[i] = unit(lat, lon)
		} else {
			b.xyz[i][0] = float32(math.NaN())
		}
	}
	if b.area.empty() {
		b.area = extent{south: -90, north: 90, west: -180, east: 180, global: true}
	}
	high, wide := b.area.north-b.area.south, b.area.east-b.area.west
	size := (math.Sin(b.area.north*degree) - math.Sin(b.area.south*degree)) * wide / degree // in square degrees
	many := float64(max(n, 16))
	// There are not more boxes than points, whatever the form of the area.
	b.height = max(math.Sqrt(size*pointsPerBox/many), high/many, wide/many, 1e-6)
	b.fill()
	b.spacing()
	return b
}

func unit(lat, lon float64) [3]float32 {
	sin, cos := math.Sincos(lat * degree)
	s, c := math.Sincos(lon * degree)
	return [3]float32{float32(cos * c), float32(cos * s), float32(sin)}
}

// fill puts the points into their boxes.
func (b *bins) fill() {
	bands := int((b.area.north-b.area.south)/b.height) + 1
	total := 0
	for k := range bands {
		south := b.area.south + float64(float64(k)*b.height)
		lat := max(0, south, -south-b.height) // nearest to the equator
		wide := max(1, int((b.area.east-b.area.west)*math.Cos(min(lat, 90)*degree)/b.height))
		b.first, b.wide = append(b.first, total), append(b.wide, wide)
		total += wide
	}
	b.start = make([]int32, total+1)
	boxes := make([]int32, len(b.xyz))
	for i := range boxes {
		boxes[i] = -1
		if b.xyz[i][0] == b.xyz[i][0] {
			lat, lon := b.grid.At(i)
			band := b.band(lat)
			boxes[i] = int32(b.first[band] + b.column(band, lon))
			b.start[boxes[i]+1]++
		}
	}
	for i := range total {
		b.start[i+1] += b.start[i]
	}
	b.points = make([]int32, b.start[total])
	next := slices.Clone(b.start)
	for i, box := range boxes {
		if box >= 0 {
			b.points[next[box]] = int32(i)
			next[box]++
		}
	}
}

func (b *bins) band(lat float64) int {
	return min(max(int((lat-b.area.south)/b.height), 0), len(b.wide)-1)
}

// column is that of a longitude, of one outside the area the nearer end.
func (b *bins) column(band int, lon float64) int {
	wide, span := b.wide[band], b.area.east-b.area.west
	east := math.Mod(math.Mod(lon-b.area.west, 360)+360, 360)
	switch {
	case east <= span:
		return min(int(east/span*float64(wide)), wide-1)
	case east-span < 360-east:
		return wide - 1
	}
	return 0
}

// nearest finds the point nearest to a place among the boxes around it, other than skip.
func (b *bins) nearest(lat, lon float64, rings, skip int) (point int, chord float64) {
	p := unit(lat, lon)
	point, chord = -1, math.Inf(1)
	middle := b.band(lat)
	for band := max(0, middle-rings); band <= min(len(b.wide)-1, middle+rings); band++ {
		wide, at := b.wide[band], b.column(band, lon)
		from, to := at-rings, at+rings
		if !b.area.global || wide <= 2*rings+1 {
			from, to = max(from, 0), min(to, wide-1)
		}
		if b.area.global && wide <= 2*rings+1 {
			from, to = 0, wide-1 // all of them
		}
		for k := from; k <= to; k++ {
			box := b.first[band] + (k+wide)%wide
			for _, i := range b.points[b.start[box]:b.start[box+1]] {
				if d := square(p, b.xyz[i]); d < chord && int(i) != skip {
					point, chord = int(i), d
				}
			}
		}
	}
	return point, chord
}

// square is the square of the distance between two points.
func square(p, q [3]float32) float64 {
	dx, dy, dz := float64(p[0]-q[0]), float64(p[1]-q[1]), float64(p[2]-q[2])
	return float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
}

// samples is how many points are looked at to find how far points are apart.
const samples = 300

// spacing finds how far points of a grid without rows are apart.
func (b *bins) spacing() {
	var apart []float64
	for k := range min(samples, len(b.points)) {
		i := int(b.points[k*len(b.points)/min(samples, len(b.points))])
		lat, lon := b.grid.At(i)
		if j, d := b.nearest(lat, lon, 2, i); j >= 0 && d > 0 {
			apart = append(apart, d)
		}
	}
	if len(apart) == 0 {
		b.nearby = 4
		return
	}
	slices.Sort(apart)
	b.nearby = 4 * apart[len(apart)*9/10]
}

func (b *bins) at(lat, lon float64) int {
	i, d := -1, 0.0
	for rings := 1; rings <= 4 && i < 0; rings++ {
		i, d = b.nearest(lat, lon, rings, -1)
	}
	if i < 0 || d > b.reach(i) {
		return -1
	}
	return i
}

// reach is the square of the distance up to which a point stands for its surroundings: of rows and
// columns a bit more than half the diagonal of a cell.
func (b *bins) reach(i int) float64 {
	g := b.grid
	if g.Rows == 0 || g.Cols == 0 {
		return b.nearby
	}
	row, col := i/g.Cols, i%g.Cols
	return 0.3 * (b.step(i, row, g.Rows, g.Cols) + b.step(i, col, g.Cols, 1))
}

// step is the square of the distance to the next point along an axis.
func (b *bins) step(i, at, n, stride int) (least float64) {
	for _, k := range []int{-1, 1} {
		if at+k < 0 || at+k >= n {
			continue
		}
		if d := square(b.xyz[i], b.xyz[i+k*stride]); d == d && (least == 0 || d < least) {
			least = d
		}
	}
	return least
}
