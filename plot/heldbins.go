package plot

import (
	"image"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/look"
)

// heldPoints is the largest number of points that heldBins keep.
const heldPoints = 1 << 22

// heldBins are bins that keep the points of each box, which is faster where these are few.
type heldBins struct {
	*bins
	xyz   [][3]float32 // of each point on the unit sphere
	start []int32      // of each box in held
	held  []int32      // the numbers of points, box by box
	boxed [][3]float32 // the points in the order of held, so that a search reads memory in order
}

func newHeldBins(g *look.Grid, area extent) *heldBins {
	common, boxes := divided(g, area)
	b := &heldBins{bins: common, xyz: make([][3]float32, g.Len())}
	const block = 1 << 14
	parallel.Each((g.Len()+block-1)/block, func(k int) {
		for i := k * block; i < min((k+1)*block, g.Len()); i++ {
			if lat, lon := g.Lat[i], g.Lon[i]; onEarth(lat, lon) {
				b.xyz[i] = unit(lat, lon)
			} else {
				b.xyz[i][0] = float32(math.NaN())
			}
		}
	})
	b.fill(boxes)
	b.spacing()
	return b
}

// fill puts the points into their boxes.
func (b *heldBins) fill(total int) {
	b.start = make([]int32, total+1)
	boxes := make([]int32, len(b.xyz))
	for i := range boxes {
		boxes[i] = -1
		if b.xyz[i][0] == b.xyz[i][0] {
			boxes[i] = int32(b.box(b.grid.Lat[i], b.grid.Lon[i]))
			b.start[boxes[i]+1]++
		}
	}
	for i := range total {
		b.start[i+1] += b.start[i]
	}
	b.held, b.boxed = make([]int32, b.start[total]), make([][3]float32, b.start[total])
	next := slices.Clone(b.start)
	for i, box := range boxes {
		if box >= 0 {
			b.held[next[box]], b.boxed[next[box]] = int32(i), b.xyz[i]
			next[box]++
		}
	}
}

func (b *heldBins) lookup(size image.Point, place func(x, y int) (lat, lon float64, ok bool)) ([]int32, error) {
	return eachPixel(size, place, b.at), nil
}

// nearest finds the point nearest to a place among the boxes around it, other than skip.
func (b *heldBins) nearest(lat, lon float64, rings, skip int) (point int, chord float64) {
	p := unit(lat, lon)
	point, chord = -1, math.Inf(1)
	b.spans(lat, lon, rings, func(from, to int) {
		first := int(b.start[from])
		for k, q := range b.boxed[first:b.start[to]] {
			if d := square(p, q); d < chord && int(b.held[first+k]) != skip {
				point, chord = int(b.held[first+k]), d
			}
		}
	})
	return point, chord
}

// spacing finds how far points of a grid without rows are apart.
func (b *heldBins) spacing() {
	var apart []float64
	for k := range min(samples, len(b.held)) {
		i := int(b.held[k*len(b.held)/min(samples, len(b.held))])
		lat, lon := b.grid.Lat[i], b.grid.Lon[i]
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

func (b *heldBins) at(lat, lon float64) int {
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
func (b *heldBins) reach(i int) float64 {
	g := b.grid
	if g.Rows == 0 || g.Cols == 0 {
		return b.nearby
	}
	row, col := i/g.Cols, i%g.Cols
	return 0.3 * (b.step(i, row, g.Rows, g.Cols) + b.step(i, col, g.Cols, 1))
}

// step is the square of the distance to the next point along an axis.
func (b *heldBins) step(i, at, n, stride int) (least float64) {
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
