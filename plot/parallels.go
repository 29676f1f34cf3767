package plot

import (
	"image"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/look"
)

// parallels are the points of a grid whose rows lie along parallels and have points at equal
// distances, as in reduced Gaussian grids. The nearest point of each row follows from the
// longitude.
type parallels struct {
	rows   []row   // from south to north
	nearby float64 // the square of the chord beyond which a point is not near
}

type row struct {
	lat, cos  float64
	first, n  int // the number of its first point, and how many there are
	lon, step float64
	whole     bool // the first point lies beside the last
}

// pointsPerRow is the least number of points that rows have on average.
const pointsPerRow = 8

// newParallels returns the rows of a grid, nil if it has no such rows.
func newParallels(g *look.Grid) (*parallels, error) {
	p := new(parallels)
	even := true
	err := g.Blocks(func(first int, lat, lon []float64) {
		for i := 0; i < len(lat) && even; i++ {
			k := first + i
			if !onEarth(lat[i], lon[i]) || len(p.rows) > 100 && len(p.rows)*pointsPerRow > k {
				even = false
				return
			}
			if n := len(p.rows); n == 0 || p.rows[n-1].lat != lat[i] {
				p.rows = append(p.rows, row{lat: lat[i], cos: math.Cos(lat[i] * degree), first: k, n: 1, lon: lon[i]})
				continue
			}
			r := &p.rows[len(p.rows)-1]
			step := (lon[i] - r.lon) / float64(r.n) // of all points until here
			even = step > 0 && (r.n == 1 || math.Abs(step-r.step) < 0.01*r.step)
			r.step = step
			r.n++
		}
	})
	if err != nil || !even || len(p.rows) < 2 || len(p.rows)*pointsPerRow > g.Len() {
		return nil, err
	}
	if p.rows[0].lat > p.rows[1].lat {
		slices.Reverse(p.rows)
	}
	for i := range p.rows {
		r := &p.rows[i]
		if i > 0 && r.lat <= p.rows[i-1].lat {
			return nil, nil
		}
		if r.n == 1 {
			r.step = 360
		}
		r.whole = math.Abs(float64(float64(r.n)*r.step)-360) < 0.5*r.step
	}
	var apart []float64
	n := g.Len()
	for k := range min(samples, n) {
		i := k * n / min(samples, n)
		for _, r := range p.rows {
			if i >= r.first && i < r.first+r.n {
				if j, d := p.nearest(r.lat, r.lon+float64(float64(i-r.first)*r.step), i); j >= 0 {
					apart = append(apart, d)
				}
			}
		}
	}
	slices.Sort(apart)
	p.nearby = 4 * apart[len(apart)*9/10]
	return p, nil
}

// nearest finds the point nearest to a place, other than skip, and the square of the chord to it.
func (p *parallels) nearest(lat, lon float64, skip int) (point int, chord float64) {
	point, chord = -1, math.Inf(1)
	cos := math.Cos(lat * degree)
	try := func(r *row) (beyond bool) {
		s := math.Sin((lat - r.lat) * degree / 2)
		away := float64(4 * s * s)
		if away > chord {
			return true
		}
		at := int(math.Round(turned(lon-r.lon) / r.step))
		for k := at - 1; k <= at+1; k++ {
			i := k
			if r.whole {
				i = (k + r.n) % r.n
			} else if turned(lon-r.lon) > 180+float64(float64(r.n)*r.step/2) {
				i = 0 // west of the row
			} else {
				i = min(max(k, 0), r.n-1)
			}
			if skip < 0 && k != at || r.first+i == skip {
				continue
			}
			s := math.Sin((lon - r.lon - float64(float64(i)*r.step)) * degree / 2)
			if d := away + float64(4*cos*r.cos*s*s); d < chord {
				point, chord = r.first+i, d
			}
		}
		return false
	}
	north, _ := slices.BinarySearchFunc(p.rows, lat, func(r row, lat float64) int {
		if r.lat < lat {
			return -1
		}
		return 1
	})
	for i := north - 1; i >= 0 && !try(&p.rows[i]); i-- {
	}
	for i := north; i < len(p.rows) && !try(&p.rows[i]); i++ {
	}
	return point, chord
}

func (p *parallels) lookup(size image.Point, place func(x, y int) (lat, lon float64, ok bool)) ([]int32, error) {
	return eachPixel(size, place, func(lat, lon float64) int {
		if lat-lat != 0 || lon-lon != 0 {
			return -1
		}
		if i, d := p.nearest(lat, lon, -1); d <= p.nearby {
			return i
		}
		return -1
	}), nil
}
