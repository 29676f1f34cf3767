package plot

import (
	"image"
	"math"
	"strings"

	"github.com/tgmconv/tgmconv/internal/plot/ticks"
)

// A wind is that at a place of a map. Its direction on the map is x, y, of length 1.
type wind struct {
	at    point
	speed float64
	x, y  float64
	south bool
}

// winds draws barbs or arrows at even distances, of the components of a wind at each pixel.
func (m *gridMap) winds(c surface, r image.Rectangle, east, north []float64, l Layer, size float64) (key func(surface, point) float64) {
	apart := max(float64(2.3*size), 23)
	var list []wind
	for y := apart / 2; y < float64(r.Dy()); y += apart {
		for x := apart / 2; x < float64(r.Dx()); x += apart {
			k := int(y)*r.Dx() + int(x)
			if w, ok := m.wind(r, x, y, east[k], north[k]); ok {
				list = append(list, w)
			}
		}
	}
	if l.Style == Barbs {
		for _, w := range list {
			barb(c, r, w, w.speed*knots(l.Units), float64(apart*0.82))
		}
		return nil
	}
	var speeds []float64
	for _, w := range list {
		speeds = append(speeds, w.speed)
	}
	_, high, _, last := reach([][]float64{speeds})
	if last = max(last, high/2); last <= 0 {
		return nil
	}
	length := float64(apart*1.5) / last // of a speed of 1
	for _, w := range list {
		arrow(c, r, w, float64(w.speed*length))
	}
	return func(c surface, at point) float64 {
		speed := ticks.Step(last, 2)
		text := ticks.Every(speed, speed, speed)[0].Text + " " + shownUnits(l.Units)
		wide := float64(c.textWidth(text, size))
		c.text(text, int(at.x-wide), int(at.y+float64(0.3*size)), size, left, ink)
		tail := at.x - wide - float64(size/2) - float64(speed*length)
		arrow(c, image.Rect(0, 0, maxWidth, 4*maxWidth), wind{at: point{tail + float64(speed*length/2), at.y}, x: 1}, float64(speed*length))
		return at.x - tail + size
	}
}

// wind finds the direction on the map of a wind at a pixel: that of the way it takes. Where meridians are upright it is
// the direction of the compass, whatever the scales of the axes.
func (m *gridMap) wind(r image.Rectangle, x, y, east, north float64) (w wind, ok bool) {
	w.at = point{float64(r.Min.X) + x, float64(r.Min.Y) + y}
	lat, lon, ok := m.place(x, y, r.Size())
	if w.speed = math.Hypot(east, north); !ok || !(w.speed < math.Inf(1)) || math.Abs(lat) > 89 {
		return w, false
	}
	w.south = lat < 0
	const near = 0.01 // degrees
	along := func(dlat, dlon float64) (dx, dy float64, ok bool) {
		px, py, ok := m.pixel(lat+dlat, lon+dlon, r)
		ox, oy, _ := m.pixel(lat, lon, r)
		dx, dy = px-ox, py-oy
		length := math.Hypot(dx, dy)
		if ok = ok && length > 0 && length < float64(r.Dx())/4; m.straight() {
			dx, dy = dx/length, dy/length
		}
		return dx, dy, ok
	}
	ex, ey, ok1 := along(0, near/math.Cos(lat*degree))
	nx, ny, ok2 := along(near, 0)
	if w.speed > 0 {
		w.x, w.y = float64(east*ex)+float64(north*nx), float64(east*ey)+float64(north*ny)
		length := math.Hypot(w.x, w.y)
		w.x, w.y = w.x/length, w.y/length
	}
	return w, ok1 && ok2
}

// arrow draws an arrow with its middle at the place of a wind.
func arrow(c surface, r image.Rectangle, w wind, length float64) {
	tip := point{w.at.x + float64(w.x*length/2), w.at.y + float64(w.y*length/2)}
	tail := point{w.at.x - float64(w.x*length/2), w.at.y - float64(w.y*length/2)}
	head := min(max(length*0.35, 2), 7)
	back := point{tip.x - float64(w.x*head), tip.y - float64(w.y*head)}
	if !image.Pt(int(tip.x), int(tip.y)).In(r) || !image.Pt(int(tail.x), int(tail.y)).In(r) {
		return
	}
	if length > 3 {
		c.stroke([]point{tail, back}, 1.2, lineColour, r)
	}
	side := head * 0.38
	c.area([]point{tip, {back.x - float64(w.y*side), back.y + float64(w.x*side)}, {back.x + float64(w.y*side), back.y - float64(w.x*side)}}, lineColour)
}

// barb draws the sign of a wind: a shaft that points to where the wind comes from, with a pennant for 50 knots, a
// line for 10 and half a line for 5 (WMO No. 485, appendix II.4). The lines are at the side of lower pressure.
func barb(c surface, r image.Rectangle, w wind, speed, length float64) {
	inner := r.Inset(2)
	if !image.Pt(int(w.at.x), int(w.at.y)).In(inner) {
		return
	}
	fives := int(speed/5 + 0.5)
	if fives == 0 {
		ring := make([]point, 13)
		for i := range ring {
			sin, cos := math.Sincos(float64(i) * math.Pi / 6)
			ring[i] = point{w.at.x + float64(length/8*cos), w.at.y + float64(length/8*sin)}
		}
		c.stroke(ring, 1, lineColour, r)
		return
	}
	side := 1.0
	if w.south {
		side = -1
	}
	// at is the place t along the shaft, and out away from it.
	at := func(t, out float64) point {
		t, out = float64(t*length), float64(out*length*side)
		return point{w.at.x - float64(w.x*t) + float64(w.y*out), w.at.y - float64(w.y*t) - float64(w.x*out)}
	}
	const step, full = 0.13, 0.4
	for _, p := range []point{at(1, 0), at(1, full)} {
		if !image.Pt(int(p.x), int(p.y)).In(r) {
			return // cut off it would be the barb of a weaker wind
		}
	}
	c.stroke([]point{at(0, 0), at(1, 0)}, 1, lineColour, r)
	t := 1.0
	for ; fives >= 10; fives -= 10 {
		c.area([]point{at(t, 0), at(t, full), at(t-1.4*step, 0)}, lineColour)
		if t -= 1.4 * step; fives < 20 {
			t -= step * 0.6
		}
	}
	for ; fives >= 2; fives -= 2 {
		c.stroke([]point{at(t, 0), at(t+0.12, full)}, 1, lineColour, r)
		t -= step
	}
	if fives == 1 {
		if t == 1 {
			t -= step
		}
		c.stroke([]point{at(t, 0), at(t+0.06, full/2)}, 1, lineColour, r)
	}
}

// knots is how many knots one of some units of speed is: m s-1 unless they are others.
func knots(units string) float64 {
	const perSecond = 3600.0 / 1852
	switch strings.ToLower(units) {
	case "kt", "kts", "knot", "knots":
		return 1
	case "km h-1", "km/h", "km h**-1":
		return perSecond / 3.6
	}
	return perSecond
}
