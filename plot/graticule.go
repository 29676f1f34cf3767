package plot

import (
	"fmt"
	"image"
	"image/color"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/plot/coast"
)

// graticule draws parallels and meridians, with their degrees at the left and lower edge of the
// map.
func (m *gridMap) graticule(c surface, r image.Rectangle, size float64) {
	step, near := m.visible(r)
	fine := min(step/8, 1)
	col := color.RGBA{60, 60, 70, 70}
	l := labels{canvas: c, r: r, size: size}
	for lat := math.Ceil(near.south/step) * step; lat <= near.north; lat += step {
		var line []coast.Point
		for lon := near.west; lon <= near.east+float64(fine/2); lon += fine {
			line = append(line, coast.Point{Lon: lon, Lat: lat})
		}
		m.polyline(c, r, line, 1, col)
		text := degreesText(lat, "N", "S")
		if m.straight() {
			if _, y, ok := m.pixel(lat, m.middle(), r); ok {
				l.left(y, text)
			}
			continue
		}
		for y := range m.crossings(line, r, false) {
			l.left(y, text)
		}
	}
	for lon := math.Ceil(near.west/step) * step; lon < near.east; lon += step {
		var line []coast.Point
		for lat := near.south; lat <= near.north+float64(fine/2); lat += fine {
			line = append(line, coast.Point{Lon: lon, Lat: min(lat, 90)})
		}
		m.polyline(c, r, line, 1, col)
		text := degreesText(math.Remainder(lon, 360), "E", "W")
		if m.straight() {
			if x, _, ok := m.pixel(0, lon, r); ok {
				l.below(x, text)
			}
			continue
		}
		for x := range m.crossings(line, r, true) {
			l.below(x, text)
		}
	}
}

// crossings are where a line meets the left edge of a map, or the lower one.
func (m *gridMap) crossings(line []coast.Point, r image.Rectangle, lower bool) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		edge := float64(r.Min.X)
		if lower {
			edge = float64(r.Max.Y)
		}
		across, along, known := 0.0, 0.0, false
		for _, p := range line {
			a, b, ok := m.pixel(p.Lat, p.Lon, r)
			if lower {
				a, b = b, a
			}
			near := math.Abs(a-across) < float64(r.Dx()) // else the line goes around
			if ok && known && near && (across < edge) != (a < edge) {
				if !yield(along + float64((b-along)*(edge-across)/(a-across))) {
					return
				}
			}
			across, along, known = a, b, ok
		}
	}
}

// labels are the degrees at the edges of a map. One that would lie on another is left out.
type labels struct {
	canvas surface
	r      image.Rectangle
	size   float64
	ys, xs []float64
}

func (l *labels) left(y float64, text string) {
	if y < float64(l.r.Min.Y)+l.size/3 || y > float64(l.r.Max.Y)-l.size/3 || !apart(l.ys, y, l.size) {
		return
	}
	l.ys = append(l.ys, y)
	l.canvas.text(text, l.r.Min.X-int(l.size/4), int(y+float64(l.size*0.3)), l.size*0.75, right, pale)
}

func (l *labels) below(x float64, text string) {
	if x < float64(l.r.Min.X)+l.size || x > float64(l.r.Max.X)-l.size || !apart(l.xs, x, float64(2.5*l.size)) {
		return
	}
	l.xs = append(l.xs, x)
	l.canvas.text(text, int(x), l.r.Max.Y+int(l.size), l.size*0.75, centre, pale)
}

// apart reports whether v is that far from all others.
func apart(others []float64, v, far float64) bool {
	return !slices.ContainsFunc(others, func(o float64) bool { return math.Abs(o-v) < far-1e-6 }) // rounding is not the same all over a sheet
}

// visible is how far lines of the graticule are apart, and where there are some: on small maps not
// all over the world.
func (m *gridMap) visible(r image.Rectangle) (step float64, near extent) {
	span := m.degrees(r)
	step = graticuleStep(span)
	near = extent{south: -90, north: 90, west: -180, east: 180}
	lat, lon, ok := m.Inverse((m.x1+m.x2)/2, (m.y1+m.y2)/2)
	if step >= 10 || !ok {
		return step, near
	}
	near.south, near.north = max(-90, lat-span), min(90, lat+span)
	if wide := span * 2 / max(0.05, math.Cos(lat*degree)); wide < 180 {
		near.west, near.east = lon-wide, lon+wide
	}
	return step, near
}

// degrees is about how many degrees the map is high.
func (m *gridMap) degrees(r image.Rectangle) float64 {
	x := (m.x1 + m.x2) / 2
	low, _, ok1 := m.Inverse(x, m.y1)
	high, _, ok2 := m.Inverse(x, m.y2)
	if !ok1 || !ok2 || high-low < 0.01 {
		return 90
	}
	return max(high-low, (high-low)*m.aspect()/1.5)
}

// straight reports whether parallels and meridians are straight and upright.
func (m *gridMap) straight() bool {
	x1, _, _ := m.Forward(10, m.middle()+5)
	x2, _, _ := m.Forward(60, m.middle()+5)
	return m.Width() > 0 && math.Abs(x1-x2) < 1e-9
}

// middle is the longitude in the middle of the map.
func (m *gridMap) middle() float64 {
	_, lon, _ := m.Inverse((m.x1+m.x2)/2, (m.y1+m.y2)/2)
	return lon
}

func graticuleStep(span float64) float64 {
	for _, step := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30} {
		if span/step <= 7 {
			return step
		}
	}
	return 30
}

func degreesText(v float64, positive, negative string) string {
	text := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", math.Abs(v)), "0"), ".")
	switch {
	case math.Abs(v) < 1e-9:
		return "0°"
	case v < 0:
		return text + "°" + negative
	}
	return text + "°" + positive
}
