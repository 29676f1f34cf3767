package plot

import (
	"image"
	"math"
	"slices"
	"sort"

	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/look"
)

const degree = math.Pi / 180

// A sampler finds the values that lie under the pixels of a map, -1 where there is none. place is
// where a pixel lies on the globe, if it does.
type sampler interface {
	lookup(size image.Point, place func(x, y int) (lat, lon float64, ok bool)) ([]int32, error)
}

func newSampler(g *look.Grid, area extent) (sampler, error) {
	if g.Separable {
		return newCells(g), nil
	}
	if g.Rows == 0 || g.Cols == 0 {
		if p, err := newParallels(g); p != nil || err != nil {
			return p, err
		}
	}
	if len(g.Lat) == g.Len() && g.Len() <= heldPoints {
		return newHeldBins(g, area), nil
	}
	return newBins(g, area)
}

// eachPixel returns the result of at for the place of each pixel.
func eachPixel(size image.Point, place func(x, y int) (lat, lon float64, ok bool), at func(lat, lon float64) int) []int32 {
	indices := make([]int32, size.X*size.Y)
	parallel.Each(size.Y, func(y int) {
		for x := range size.X {
			indices[y*size.X+x] = -1
			if lat, lon, ok := place(x, y); ok {
				indices[y*size.X+x] = int32(at(lat, lon))
			}
		}
	})
	return indices
}

// cells are those around the points of rows and columns.
type cells struct{ rows, cols axis }

func newCells(g *look.Grid) *cells {
	return &cells{newAxis(g.Lat, 0), newAxis(g.Lon, 360)}
}

func (c *cells) lookup(size image.Point, place func(x, y int) (lat, lon float64, ok bool)) ([]int32, error) {
	return eachPixel(size, place, c.at), nil
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
