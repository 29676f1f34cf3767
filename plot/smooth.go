package plot

import (
	"image"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/look"
)

// nearest finds the value of the nearest point of each pixel, NaN for none, and which pixels the grid covers.
func (m *gridMap) nearest(size image.Point, p *Panel) (values []float64, indices []int32, err error) {
	if indices, err = m.lookup(size); err != nil {
		return nil, nil, err
	}
	if p.runs != nil {
		values, err = valuesAt(p.runs, indices)
		return values, indices, err
	}
	values = make([]float64, len(indices))
	for k, i := range indices {
		if values[k] = math.NaN(); i >= 0 && int(i) < len(p.Values) {
			values[k] = p.Values[i]
		}
	}
	return values, indices, nil
}

// smooth finds the value at each pixel, interpolated between the points of the grid.
func (m *gridMap) smooth(size image.Point, p *Panel) ([]float64, []int32, error) {
	values, indices, err := m.nearest(size, p)
	if err != nil {
		return nil, nil, err
	}
	if s, ok := m.sampler.(*cells); ok && p.runs == nil && len(p.Values) == p.Grid.Len() {
		m.bilinear(size, s, p.Values, values)
		return values, indices, nil
	}
	return m.blurred(size, p.Grid, values), indices, nil
}

// place is where a pixel lies on the globe.
func (m *gridMap) place(x, y float64, size image.Point) (lat, lon float64, ok bool) {
	return m.Inverse(m.x1+float64(x/float64(size.X)*(m.x2-m.x1)), m.y2-float64(y/float64(size.Y)*(m.y2-m.y1)))
}

// bilinear interpolates between rows and columns. Pixels without a value stay as they are.
func (m *gridMap) bilinear(size image.Point, s *cells, of, values []float64) {
	parallel.Each(size.Y, func(y int) {
		for x := range size.X {
			k := y*size.X + x
			lat, lon, ok := m.place(float64(x)+0.5, float64(y)+0.5, size)
			if !ok || math.IsNaN(values[k]) {
				continue
			}
			values[k] = s.between(of, lat, lon)
		}
	})
}

// between interpolates between rows and columns, unless a value around the place is missing: it is the nearest then.
func (c *cells) between(values []float64, lat, lon float64) float64 {
	wide := len(c.cols.order)
	i, j, u := c.rows.between(lat)
	a, b, v := c.cols.between(lon)
	upper := mixed(values[i*wide+a], values[i*wide+b], v)
	if mean := mixed(upper, mixed(values[j*wide+a], values[j*wide+b], v), u); !math.IsNaN(mean) {
		return mean
	}
	return values[c.at(lat, lon)]
}

// mixed is the part t on the way from a to b.
func mixed(a, b, t float64) float64 {
	if t == 0 {
		return a
	}
	return a + float64(t*(b-a))
}

// between finds the numbers of the values on both sides of v, and how far it is on the way from the first to the
// second. Beyond the ends it is the nearer one.
func (a *axis) between(v float64) (from, to int, part float64) {
	n := len(a.values)
	if a.period > 0 {
		v = a.values[0] + math.Mod(math.Mod(v-a.values[0], a.period)+a.period, a.period)
	}
	i, _ := slices.BinarySearch(a.values, v)
	switch {
	case i == 0:
		return a.order[0], a.order[0], 0
	case i < n:
		return a.order[i-1], a.order[i], (v - a.values[i-1]) / (a.values[i] - a.values[i-1])
	case a.period > 0 && a.values[0]+a.period-a.values[n-1] < 4.1*a.edge: // around the globe
		last := a.values[n-1]
		return a.order[n-1], a.order[0], (v - last) / (a.values[0] + a.period - last)
	case a.period > 0 && a.values[0]+a.period-v < v-a.values[n-1]:
		return a.order[0], a.order[0], 0
	}
	return a.order[n-1], a.order[n-1], 0
}

// blurred is the mean of the nearest values over an area around each pixel as large as a cell of
// the grid. On a regular grid it equals linear interpolation. The surroundings reach around the
// globe.
func (m *gridMap) blurred(size image.Point, g *look.Grid, values []float64) []float64 {
	spacing, around := m.spacing(g), m.around()
	w, h := size.X, size.Y
	// The sum and the number of all values above and left of each corner.
	sum, count := make([]float64, (w+1)*(h+1)), make([]float64, (w+1)*(h+1))
	for y := range h {
		s, n := 0.0, 0.0
		for x := range w {
			if v := values[y*w+x]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				s, n = s+v, n+1
			}
			k := (y+1)*(w+1) + x + 1
			sum[k], count[k] = sum[k-w-1]+s, count[k-w-1]+n
		}
	}
	result := make([]float64, len(values))
	const block = 16
	parallel.Each((h+block-1)/block, func(by int) {
		for bx := range (w + block - 1) / block {
			rx, ry := m.reachOf(spacing, min(bx*block+block/2, w-2), min(by*block+block/2, h-2), size)
			for y := by * block; y < min(by*block+block, h); y++ {
				for x := bx * block; x < min(bx*block+block, w); x++ {
					k := y*w + x
					if result[k] = values[k]; math.IsNaN(values[k]) || rx <= 0.5 && ry <= 0.5 {
						continue
					}
					x1, x2 := float64(x)+0.5-rx, float64(x)+0.5+rx
					y1, y2 := max(float64(y)+0.5-ry, 0), min(float64(y)+0.5+ry, float64(h))
					n, total := 0.0, 0.0
					add := func(x1, x2 float64) {
						n += within(count, w+1, x1, y1, x2, y2)
						total += within(sum, w+1, x1, y1, x2, y2)
					}
					add(max(x1, 0), min(x2, float64(w)))
					if around && x1 < 0 {
						add(x1+float64(w), float64(w))
					}
					if around && x2 > float64(w) {
						add(0, x2-float64(w))
					}
					if n > 0.5 {
						result[k] = total / n
					}
				}
			}
		}
	})
	return result
}

// within is the sum in a box, of sums from the corner on.
func within(sums []float64, stride int, x1, y1, x2, y2 float64) float64 {
	at := func(x, y float64) float64 {
		i, j := int(x), int(y)
		u, v := x-float64(i), y-float64(j)
		k := j*stride + i
		upper := sums[k]
		if u > 0 {
			upper = mixed(upper, sums[k+1], u)
		}
		if v == 0 {
			return upper
		}
		lower := sums[k+stride]
		if u > 0 {
			lower = mixed(lower, sums[k+stride+1], u)
		}
		return mixed(upper, lower, v)
	}
	return at(x2, y2) - at(x1, y2) - at(x2, y1) + at(x1, y1)
}

// spacing is about how far points of a grid are apart, in degrees.
func (m *gridMap) spacing(g *look.Grid) float64 {
	area, err := extentOf(g)
	if err != nil || g.Len() < 2 {
		return 0
	}
	high := (math.Sin(area.north*degree) - math.Sin(area.south*degree)) / degree
	return math.Sqrt(max(high, 0) * (area.east - area.west) / float64(g.Len()))
}

// reachOf is half a distance in degrees, in pixels across and upright at a pixel.
func (m *gridMap) reachOf(spacing float64, x, y int, size image.Point) (rx, ry float64) {
	lat, lon, ok := m.place(float64(x), float64(y), size)
	if !ok {
		return 0, 0
	}
	half := func(dx, dy float64) float64 {
		a, b, ok := m.place(float64(x)+dx, float64(y)+dy, size)
		if !ok {
			return 0
		}
		each := math.Hypot(a-lat, math.Remainder(b-lon, 360)*math.Cos(lat*degree))
		if each == 0 {
			return 0
		}
		return min(spacing/2/each, float64(size.X)/4)
	}
	return half(1, 0), half(0, 1)
}
