package plot

import (
	"image"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/look"
)

// bins divide the area of any grid: bands of latitude, divided into boxes that are about as wide as
// high. Places whose nearest point is wanted lie in boxes, and the points pass them by, one after the
// other: of the points themselves nothing is kept.
type bins struct {
	grid   *look.Grid
	area   extent
	height float64 // of a band, in degrees
	first  []int   // the number of the first box of each band
	wide   []int   // boxes in each band
	filled []bool  // of each box: whether it has points
	// nearby is the square of the chord beyond which a point is not near, on grids without rows.
	nearby float64
}

// A box has pointsPerBox points on average, and pointsPerLargeBox on a grid of more than largeGrid points.
const (
	pointsPerBox      = 4
	pointsPerLargeBox = 64
	largeGrid         = 1 << 23
)

func newBins(g *look.Grid, area extent) (*bins, error) {
	b, total := divided(g, area)
	if g.Rows > 0 && g.Cols > 0 {
		return b, b.mark(total)
	}
	return b, b.spacing(total)
}

// divided returns the boxes of a grid, and how many there are.
func divided(g *look.Grid, area extent) (b *bins, boxes int) {
	n := g.Len()
	b = &bins{grid: g, area: area}
	if b.area.empty() {
		b.area = extent{south: -90, north: 90, west: -180, east: 180, global: true}
	}
	high, wide := b.area.north-b.area.south, b.area.east-b.area.west
	size := (math.Sin(b.area.north*degree) - math.Sin(b.area.south*degree)) * wide / degree // in square degrees
	many := float64(max(n, 16))
	each := float64(pointsPerBox)
	if n > largeGrid {
		each = pointsPerLargeBox
	}
	// There are not more boxes than points, whatever the form of the area.
	b.height = max(math.Sqrt(size*each/many), high/many, wide/many, 1e-6)
	return b, b.divide()
}

func unit(lat, lon float64) [3]float32 {
	sin, cos := math.Sincos(lat * degree)
	s, c := math.Sincos(lon * degree)
	return [3]float32{float32(cos * c), float32(cos * s), float32(sin)}
}

// divide makes the boxes, and returns how many there are.
func (b *bins) divide() (total int) {
	bands := int((b.area.north-b.area.south)/b.height) + 1
	for k := range bands {
		south := b.area.south + float64(float64(k)*b.height)
		lat := max(0, south, -south-b.height) // nearest to the equator
		wide := max(1, int((b.area.east-b.area.west)*math.Cos(min(lat, 90)*degree)/b.height))
		b.first, b.wide = append(b.first, total), append(b.wide, wide)
		total += wide
	}
	return total
}

// box is the number of the box of a place.
func (b *bins) box(lat, lon float64) int {
	band := b.band(lat)
	return b.first[band] + b.column(band, lon)
}

// mark finds which boxes have points.
func (b *bins) mark(total int) error {
	b.filled = make([]bool, total)
	return b.points(func(_, box int, _, _ float64) { b.filled[box] = true })
}

// points calls visit for each point that has a place.
func (b *bins) points(visit func(i, box int, lat, lon float64)) error {
	return b.grid.Blocks(func(first int, lat, lon []float64) {
		for i, y := range lat {
			if x := lon[i]; onEarth(y, x) {
				visit(first+i, b.box(y, x), y, x)
			}
		}
	})
}

func (b *bins) band(lat float64) int {
	return min(max(int((lat-b.area.south)/b.height), 0), len(b.wide)-1)
}

// column is the column of a longitude; a longitude outside the area has the column of the nearer
// end.
func (b *bins) column(band int, lon float64) int {
	wide, span := b.wide[band], b.area.east-b.area.west
	east := turned(lon - b.area.west)
	switch {
	case east <= span:
		return min(int(east/span*float64(wide)), wide-1)
	case east-span < 360-east:
		return wide - 1
	}
	return 0
}

// around calls visit for the boxes around a place.
func (b *bins) around(lat, lon float64, rings int, visit func(box int)) {
	b.spans(lat, lon, rings, func(from, to int) {
		for box := from; box < to; box++ {
			visit(box)
		}
	})
}

// spans calls visit for the boxes around a place: the boxes from number from up to, but without,
// number to.
func (b *bins) spans(lat, lon float64, rings int, visit func(from, to int)) {
	middle := b.band(lat)
	for band := max(0, middle-rings); band <= min(len(b.wide)-1, middle+rings); band++ {
		first, wide, at := b.first[band], b.wide[band], b.column(band, lon)
		from, to := at-rings, at+rings+1
		switch {
		case b.area.global && wide <= 2*rings+1:
			from, to = 0, wide // all of them
		case !b.area.global:
			from, to = max(from, 0), min(to, wide)
		case from < 0:
			visit(first+from+wide, first+wide)
			from = 0
		case to > wide:
			visit(first+from, first+wide)
			from, to = 0, to-wide
		}
		visit(first+from, first+to)
	}
}

// A search is one for the point nearest to a place.
type search struct {
	lat, lon float64
	chord    float64 // the square of the distance to the nearest point
	xyz      [3]float32
	rings    int32 // of boxes around the place; 0: none of them has points
	box      int32 // of the point
	point    int32 // the nearest, -1 for none
}

// maxRings is how many boxes away from a place points are looked for.
const maxRings = 4

func (b *bins) newSearch(lat, lon float64) search {
	s := search{lat: lat, lon: lon, chord: math.Inf(1), point: -1}
	for rings := 1; rings <= maxRings && s.rings == 0; rings++ {
		b.around(lat, lon, rings, func(box int) {
			if b.filled[box] {
				s.rings = int32(rings)
			}
		})
	}
	if s.rings > 0 {
		s.xyz = unit(lat, lon)
	}
	return s
}

// run finds the nearest points, other than skip of each search if there is such a list.
func (b *bins) run(list []search, skip []int32) error {
	start := make([]int32, len(b.filled)+1)
	total := 0
	for i := range list {
		if s := &list[i]; s.rings > 0 {
			b.around(s.lat, s.lon, int(s.rings), func(box int) {
				if b.filled[box] {
					start[box]++
					total++
				}
			})
		}
	}
	for box := range len(b.filled) {
		start[box+1] += start[box]
	}
	in := make([]int32, total) // the searches of each box, the last first
	for i := range list {
		if s := &list[i]; s.rings > 0 {
			b.around(s.lat, s.lon, int(s.rings), func(box int) {
				if b.filled[box] {
					start[box]--
					in[start[box]] = int32(i)
				}
			})
		}
	}
	return b.points(func(i, box int, lat, lon float64) {
		searches := in[start[box]:start[box+1]]
		if len(searches) == 0 {
			return
		}
		p := unit(lat, lon)
		for _, k := range searches {
			s := &list[k]
			d := square(s.xyz, p)
			if d < s.chord || d == s.chord && int(s.box) != box && b.before(s, box) {
				if skip == nil || int(skip[k]) != i {
					s.chord, s.box, s.point = d, int32(box), int32(i)
				}
			}
		}
	})
}

// before reports whether a box comes before the nearest point's box, in the order around a place.
func (b *bins) before(s *search, box int) bool {
	next, _ := slices.BinarySearch(b.first, box+1)
	band := next - 1
	first, wide := b.first[band], b.wide[band]
	if was := int(s.box); was < first || was >= first+wide || !b.area.global || wide <= 2*int(s.rings)+1 {
		return box < was
	}
	west := b.column(band, s.lon) - int(s.rings)
	order := func(box int) int { return (box - first - west + wide) % wide }
	return order(box) < order(int(s.box))
}

// square is the square of the distance between two points.
func square(p, q [3]float32) float64 {
	dx, dy, dz := float64(p[0]-q[0]), float64(p[1]-q[1]), float64(p[2]-q[2])
	return float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
}

// samples is how many points are looked at to find how far points are apart.
const samples = 300

// spacing finds which boxes have points, and how far points of a grid without rows are apart.
func (b *bins) spacing(boxes int) error {
	b.filled, b.nearby = make([]bool, boxes), 4
	count := make([]int32, boxes)
	if err := b.points(func(_, box int, _, _ float64) { count[box]++ }); err != nil {
		return err
	}
	total := 0
	for box, n := range count {
		b.filled[box] = n > 0
		total += int(n)
	}
	if total == 0 {
		return nil
	}
	// The points are sampled by box.
	wanted := make(map[int][]int32) // of a box: which of its points
	sampled := make([]bool, boxes)
	for k, box, before := 0, 0, 0; k < min(samples, total); k++ {
		at := k * total / min(samples, total)
		for ; at >= before+int(count[box]); box++ {
			before += int(count[box])
		}
		wanted[box], sampled[box] = append(wanted[box], int32(at-before)), true
	}
	clear(count)
	var list []search
	var skip []int32
	err := b.points(func(i, box int, lat, lon float64) {
		if !sampled[box] {
			return
		}
		if slices.Contains(wanted[box], count[box]) {
			list, skip = append(list, search{lat: lat, lon: lon, chord: math.Inf(1), xyz: unit(lat, lon), rings: 2, point: -1}), append(skip, int32(i))
		}
		count[box]++
	})
	if err != nil {
		return err
	}
	if err := b.run(list, skip); err != nil {
		return err
	}
	var apart []float64
	for _, s := range list {
		if s.point >= 0 && s.chord > 0 {
			apart = append(apart, s.chord)
		}
	}
	if len(apart) > 0 {
		slices.Sort(apart)
		b.nearby = 4 * apart[len(apart)*9/10]
	}
	return nil
}

func (b *bins) lookup(size image.Point, place func(x, y int) (lat, lon float64, ok bool)) ([]int32, error) {
	list := make([]search, size.X*size.Y)
	parallel.Each(size.Y, func(y int) {
		for x := range size.X {
			if lat, lon, ok := place(x, y); ok && !math.IsNaN(lat+lon) {
				list[y*size.X+x] = b.newSearch(lat, lon)
			}
		}
	})
	if err := b.run(list, nil); err != nil {
		return nil, err
	}
	indices := make([]int32, len(list))
	parallel.Each(size.Y, func(y int) {
		last, reach := int32(-1), 0.0
		for k := y * size.X; k < (y+1)*size.X; k++ {
			s := &list[k]
			indices[k] = -1
			if s.rings == 0 || s.point < 0 {
				continue
			}
			if s.point != last {
				last, reach = s.point, b.reach(int(s.point))
			}
			if !(s.chord > reach) {
				indices[k] = s.point
			}
		}
	})
	return indices, nil
}

// reach is the square of the distance up to which a point stands for its surroundings: of rows and
// columns a bit more than half the diagonal of a cell.
func (b *bins) reach(i int) float64 {
	g := b.grid
	if g.Rows == 0 || g.Cols == 0 {
		return b.nearby
	}
	row, col := i/g.Cols, i%g.Cols
	p := unit(g.Lat[i], g.Lon[i])
	return 0.3 * (b.step(p, i, row, g.Rows, g.Cols) + b.step(p, i, col, g.Cols, 1))
}

// step is the square of the distance to the next point along an axis.
func (b *bins) step(p [3]float32, i, at, n, stride int) (least float64) {
	g := b.grid
	for _, k := range []int{-1, 1} {
		if at+k < 0 || at+k >= n {
			continue
		}
		lat, lon := g.Lat[i+k*stride], g.Lon[i+k*stride]
		if !onEarth(lat, lon) {
			continue
		}
		if d := square(p, unit(lat, lon)); d == d && (least == 0 || d < least) {
			least = d
		}
	}
	return least
}
