package chart

import (
	"image/color"
	"math"
	"slices"
)

// marked is the most values of a curve whose values are marked.
const marked = 40

// perPoint is the most values that are drawn for each point (1/72 inch) of the page.
const perPoint = 8

// curves draws the bands of all curves, and then the lines.
func (l *layout) curves(p *Panel, at func(at, v float64) point, length float64) {
	for _, c := range p.Curves {
		shade := l.colour[c.Name]
		shade.A = 48
		for _, b := range c.Bands {
			l.band(&c, b, at, shade)
		}
	}
	for _, c := range p.Curves {
		l.curve(&c, at, length)
	}
}

// band fills the area between two lines, except where they are missing.
func (l *layout) band(c *Curve, b Band, at func(at, v float64) point, shade color.NRGBA) {
	for _, run := range runs(len(c.At), func(i int) bool { return finite(b.Low[i]) && finite(b.High[i]) }) {
		var upper, lower []point
		for i := run[0]; i < run[1]; i++ {
			upper, lower = append(upper, at(c.At[i], b.High[i])), append(lower, at(c.At[i], b.Low[i]))
		}
		if len(upper) == 1 {
			l.stroke([]point{upper[0], lower[0]}, 4*lineWidth, shade)
			continue
		}
		slices.Reverse(lower)
		l.fill(append(upper, lower...), shade)
	}
}

// curve draws a line through the values. One that has no neighbour is a dot.
func (l *layout) curve(c *Curve, at func(at, v float64) point, length float64) {
	shade, width := l.colour[c.Name], lineWidth
	if float64(len(c.At)) > 4*length {
		shade.A, width = 190, denseWidth
	}
	for _, run := range runs(len(c.At), func(i int) bool { return finite(c.Values[i]) }) {
		var points []point
		for i := run[0]; i < run[1]; i++ {
			points = append(points, at(c.At[i], c.Values[i]))
		}
		if len(points) > 1 {
			l.stroke(thinned(points, l.chart.Profile, int(perPoint*length)), width, shade)
		}
		if len(points) == 1 || len(c.At) <= marked {
			for _, q := range points {
				l.dot(q, 1.25*lineWidth, shade)
			}
		}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// runs are the parts of 0 to n, first and end, for which has reports true.
func runs(n int, has func(i int) bool) (list [][2]int) {
	first := -1
	for i := range n + 1 {
		switch in := i < n && has(i); {
		case in && first < 0:
			first = i
		case !in && first >= 0:
			list = append(list, [2]int{first, i})
			first = -1
		}
	}
	return list
}

// thinned leaves of more points than most the least and the greatest of each part of them: the line through
// these looks the same.
func thinned(points []point, upright bool, most int) []point {
	if len(points) <= most {
		return points
	}
	across := func(p point) float64 {
		if upright {
			return p.x
		}
		return p.y
	}
	size := 4*len(points)/most + 1 // of which at most four points stay
	var kept []point
	for part := range slices.Chunk(points, size) {
		least, greatest := 0, 0
		for i, p := range part {
			if across(p) < across(part[least]) {
				least = i
			}
			if across(p) > across(part[greatest]) {
				greatest = i
			}
		}
		for _, i := range slices.Compact(slices.Sorted(slices.Values([]int{0, least, greatest, len(part) - 1}))) {
			kept = append(kept, part[i])
		}
	}
	return kept
}
