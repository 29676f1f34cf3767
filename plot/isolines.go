package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/tgmconv/tgmconv/internal/plot/ticks"
)

// mostIsolines is how many lines a map has room for.
const mostIsolines = 200

// isolines draws lines of equal value, with their numbers.
func isolines(c surface, r image.Rectangle, values []float64, size, step float64) error {
	low, high, first, last := reach([][]float64{values})
	if step <= 0 {
		step = ticks.Step(last-first, min(20, r.Dx()/30))
	}
	if step <= 0 {
		return nil
	}
	if n := (high - low) / step; n > mostIsolines {
		return fmt.Errorf("plot: isolines %v apart are too many: %.0f from %v to %v, expected at most %d", step, n, low, high, mostIsolines)
	}
	labels := numbersOnLines{size: max(float64(size*0.78), 7.5), r: r}
	for _, level := range ticks.Every(low, high, step) {
		width := size / 13
		if k := math.Round(level.At / step); math.Mod(k, 5) == 0 {
			width = size / 7.5
		}
		for _, line := range trace(values, r.Dx(), r.Dy(), level.At) {
			line = simplified(line, 0.15)
			for i := range line {
				line[i].x, line[i].y = line[i].x+float64(r.Min.X), line[i].y+float64(r.Min.Y)
			}
			labels.draw(c, line, width, level.Text)
		}
	}
	return nil
}

// lineColour is the colour of isolines and winds.
var lineColour = color.RGBA{12, 12, 16, 255}

// trace finds the lines where values of a picture are a level, by marching squares.
func trace(values []float64, w, h int, level float64) (lines [][]point) {
	type ends [2]int32 // edges that a line goes on to, -1 for none
	next := make(map[int32]ends)
	var order []int32
	join := func(a, b int32) {
		for _, e := range [2][2]int32{{a, b}, {b, a}} {
			to, known := next[e[0]]
			if !known {
				to = ends{-1, -1}
				order = append(order, e[0])
			}
			if to[0] < 0 {
				to[0] = e[1]
			} else {
				to[1] = e[1]
			}
			next[e[0]] = to
		}
	}
	// The edge to the right of pixel k has the number 2 k, the edge below it 2 k + 1.
	for y := range h - 1 {
		for x := range w - 1 {
			k := y*w + x
			a, b, d, e := values[k], values[k+1], values[k+w+1], values[k+w]
			form := 0
			for i, v := range [4]float64{a, b, d, e} {
				if v >= level {
					form |= 1 << i
				}
			}
			if form == 0 || form == 15 || math.IsNaN(a+b+d+e) {
				continue
			}
			top, side, foot, edge := int32(2*k), int32(2*k+3), int32(2*(k+w)), int32(2*k+1)
			high := (a+b+d+e)/4 >= level
			switch form {
			case 1, 14:
				join(edge, top)
			case 2, 13:
				join(top, side)
			case 4, 11:
				join(side, foot)
			case 8, 7:
				join(foot, edge)
			case 3, 12:
				join(edge, side)
			case 6, 9:
				join(top, foot)
			case 5, 10:
				if (form == 5) == high {
					join(top, side)
					join(foot, edge)
				} else {
					join(edge, top)
					join(side, foot)
				}
			}
		}
	}
	at := func(edge int32) point {
		k := int(edge / 2)
		x, y, other := float64(k%w), float64(k/w), k+1
		if edge%2 == 1 {
			other = k + w
		}
		t := 0.5
		if p, q := values[k], values[other]; p != q {
			t = (level - p) / (q - p)
		}
		if edge%2 == 1 {
			return point{x + 0.5, y + 0.5 + t}
		}
		return point{x + 0.5 + t, y + 0.5}
	}
	follow := func(from, edge int32) (line []point) {
		line = append(line, at(from))
		for edge >= 0 {
			line = append(line, at(edge))
			to, ok := next[edge]
			if !ok {
				break // a ring is closed
			}
			delete(next, edge)
			if to[0] == from {
				from, edge = edge, to[1]
			} else {
				from, edge = edge, to[0]
			}
		}
		return line
	}
	for _, open := range []bool{true, false} { // lines with ends before rings
		for _, edge := range order {
			if to, ok := next[edge]; ok && (to[1] < 0) == open {
				delete(next, edge)
				lines = append(lines, follow(edge, to[0]))
			}
		}
	}
	return lines
}

// numbersOnLines are the numbers on the isolines of a map.
type numbersOnLines struct {
	size  float64
	r     image.Rectangle
	taken []point
}

// draw draws a line with its number where it is straight, away from the other numbers. The line has a gap there.
func (n *numbersOnLines) draw(c surface, line []point, width float64, text string) {
	along := make([]float64, len(line)) // from the beginning of the line
	for i := 1; i < len(line); i++ {
		along[i] = along[i-1] + math.Hypot(line[i].x-line[i-1].x, line[i].y-line[i-1].y)
	}
	total := along[len(along)-1]
	if total < n.size/2 {
		return // a dot
	}
	wide := float64(c.textWidth(text, n.size)) + float64(n.size*0.7)
	apart := float64(22 * n.size) // numbers on one line
	var gaps [][2]float64
	for begin := 0.0; total > 2.2*wide && begin+wide < total; begin += apart {
		if from, ok := n.best(line, along, begin, min(begin+apart, total), wide); ok {
			p, q := pointAt(line, along, from), pointAt(line, along, from+wide)
			angle := math.Atan2(q.y-p.y, q.x-p.x)
			if math.Abs(angle) > math.Pi/2 {
				angle -= math.Copysign(math.Pi, angle)
			}
			middle := point{(p.x + q.x) / 2, (p.y + q.y) / 2}
			n.taken = append(n.taken, middle)
			gaps = append(gaps, [2]float64{from, from + wide})
			c.turned(text, middle, n.size, angle, lineColour)
		}
	}
	from := 0.0
	for _, g := range append(gaps, [2]float64{total, total}) {
		if g[0] > from {
			c.stroke(part(line, along, from, g[0]), width, lineColour, n.r)
		}
		from = g[1]
	}
}

// best finds the straightest place of a number on a part of a line.
func (n *numbersOnLines) best(line []point, along []float64, from, to, wide float64) (at float64, ok bool) {
	least := 1.12 // how much longer the line is than its chord
	for s := from + float64(wide*0.6); s+float64(wide*1.6) < to; s += max(wide/3, 2) {
		p, q := pointAt(line, along, s), pointAt(line, along, s+wide)
		chord := math.Hypot(q.x-p.x, q.y-p.y)
		upright := 0.04 * math.Abs(q.y-p.y) / max(chord, 1)
		if bend := wide/max(chord, 1) + upright; bend < least && n.free(point{(p.x + q.x) / 2, (p.y + q.y) / 2}, wide) {
			least, at, ok = bend, s, true
		}
	}
	return at, ok
}

// free reports whether a number in the middle of a place lies within the map and away from others.
func (n *numbersOnLines) free(p point, wide float64) bool {
	room := float64(wide/2) + 2
	if p.x-room < float64(n.r.Min.X) || p.x+room > float64(n.r.Max.X) || p.y-room < float64(n.r.Min.Y) || p.y+room > float64(n.r.Max.Y) {
		return false
	}
	for _, q := range n.taken {
		if math.Hypot(p.x-q.x, p.y-q.y) < wide*1.5 {
			return false
		}
	}
	return true
}

// pointAt is the point of a line at a distance from its beginning.
func pointAt(line []point, along []float64, s float64) point {
	i := 1
	for low, high := 1, len(along)-1; low <= high; {
		if i = (low + high) / 2; along[i] < s {
			low = i + 1
		} else {
			high = i - 1
		}
		i = low
	}
	i = min(i, len(line)-1)
	p, q := line[i-1], line[i]
	t := 0.0
	if length := along[i] - along[i-1]; length > 0 {
		t = (s - along[i-1]) / length
	}
	return point{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y))}
}

// part is a line between two distances from its beginning.
func part(line []point, along []float64, from, to float64) []point {
	list := []point{pointAt(line, along, from)}
	for i, s := range along {
		if s > from && s < to {
			list = append(list, line[i])
		}
	}
	return append(list, pointAt(line, along, to))
}
