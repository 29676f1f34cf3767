package plot

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/vg"

	"github.com/tgmconv/tgmconv/internal/plot/page"
)

// pixel is the size of a pixel on a page: 96 are an inch.
const pixel = vg.Length(0.75)

// A drawing is a surface of lines and texts.
type drawing struct {
	page.Drawing
	font   *opentype.Font
	height int
}

func newDrawing(format string, width, height int) (*drawing, error) {
	f, err := page.Font()
	if err != nil {
		return nil, err
	}
	p, err := page.New(format, vg.Length(width)*pixel, vg.Length(height)*pixel)
	if err != nil {
		return nil, err
	}
	d := &drawing{p, f, height}
	w, h := float64(width), float64(height)
	d.area([]point{{0, 0}, {w, 0}, {w, h}, {0, h}}, paper)
	return d, nil
}

func (d *drawing) place(p point) vg.Point {
	return vg.Point{X: vg.Length(p.x) * pixel, Y: vg.Length(float64(d.height)-p.y) * pixel}
}

func (d *drawing) colour(c color.RGBA) { d.SetColor(color.NRGBA(c)) }

// stroke implements surface.
func (d *drawing) stroke(points []point, width float64, col color.RGBA, within image.Rectangle) {
	d.SetLineWidth(vg.Length(width) * pixel)
	d.colour(col)
	for _, run := range clipped(points, within) {
		d.Stroke(page.Path(run, d.place))
	}
}

// area implements surface.
func (d *drawing) area(points []point, col color.RGBA) {
	path := page.Path(points, d.place)
	path.Close()
	d.colour(col)
	d.Fill(path)
}

// picture implements surface.
func (d *drawing) picture(img *image.RGBA, r image.Rectangle) {
	low, high := d.place(point{float64(r.Min.X), float64(r.Max.Y)}), d.place(point{float64(r.Max.X), float64(r.Min.Y)})
	d.DrawImage(vg.Rectangle{Min: low, Max: high}, img)
}

func (d *drawing) detail() int { return 2 }

func (d *drawing) textWidth(s string, size float64) int {
	face := page.Face(d.font, size)
	return int(math.Ceil(float64(face.Width(s))))
}

// text implements surface.
func (d *drawing) text(s string, x, y int, size float64, a align, col color.RGBA) {
	switch a {
	case centre:
		x -= d.textWidth(s, size) / 2
	case right:
		x -= d.textWidth(s, size)
	}
	d.colour(col)
	d.FillString(page.Face(d.font, size*float64(pixel)), d.place(point{float64(x), float64(y)}), s)
}

// turned implements surface.
func (d *drawing) turned(s string, at point, size, angle float64, col color.RGBA) {
	d.Push()
	d.Translate(d.place(at))
	d.Rotate(-angle)
	d.colour(col)
	half := vg.Length(float64(d.textWidth(s, size))/2) * pixel
	d.FillString(page.Face(d.font, size*float64(pixel)), vg.Point{X: -half, Y: -vg.Length(size*0.35) * pixel}, s)
	d.Pop()
}

// clipped returns the parts of a line that lie within a rectangle, without points that one does not see.
func clipped(points []point, r image.Rectangle) (runs [][]point) {
	var run []point
	end := func() {
		if len(run) > 1 {
			runs = append(runs, run)
		}
		run = nil
	}
	for i := 1; i < len(points); i++ {
		p, q, ok := clip(points[i-1], points[i], r)
		if !ok {
			end()
			continue
		}
		if n := len(run); n == 0 || run[n-1] != p {
			end()
			run = append(run, p)
		}
		run = append(run, q)
	}
	end()
	for i := range runs {
		runs[i] = simplified(runs[i], 0.1)
	}
	return runs
}

// clip returns the part of a line within a rectangle (Liang and Barsky 1984).
func clip(p, q point, r image.Rectangle) (from, to point, ok bool) {
	dx, dy := q.x-p.x, q.y-p.y
	first, last := 0.0, 1.0
	for _, edge := range [4][2]float64{
		{-dx, p.x - float64(r.Min.X)}, {dx, float64(r.Max.X) - p.x}, {-dy, p.y - float64(r.Min.Y)}, {dy, float64(r.Max.Y) - p.y},
	} {
		switch d, room := edge[0], edge[1]; {
		case d == 0 && room < 0:
			return p, q, false
		case d < 0:
			first = max(first, room/d)
		case d > 0:
			last = min(last, room/d)
		}
	}
	if first > last {
		return p, q, false
	}
	from, to = p, q
	if first > 0 {
		from = point{p.x + float64(first*dx), p.y + float64(first*dy)}
	}
	if last < 1 {
		to = point{p.x + float64(last*dx), p.y + float64(last*dy)}
	}
	return from, to, true
}

// simplified leaves out points that lie within a distance of the line through the others (Douglas and
// Peucker 1973).
func simplified(points []point, within float64) []point {
	if len(points) < 3 {
		return points
	}
	keep := make([]bool, len(points))
	keep[0], keep[len(points)-1] = true, true
	parts := [][2]int{{0, len(points) - 1}}
	for len(parts) > 0 {
		a, b := parts[len(parts)-1][0], parts[len(parts)-1][1]
		parts = parts[:len(parts)-1]
		far, at := within, -1
		for i := a + 1; i < b; i++ {
			if d := distance(points[i], points[a], points[b]); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			parts = append(parts, [2]int{a, at}, [2]int{at, b})
		}
	}
	kept := make([]point, 0, len(points))
	for i, p := range points {
		if keep[i] {
			kept = append(kept, p)
		}
	}
	return kept
}

// distance is the distance of p from the line from a to b.
func distance(p, a, b point) float64 {
	dx, dy, px, py := b.x-a.x, b.y-a.y, p.x-a.x, p.y-a.y
	t := 0.0
	if length := float64(dx*dx) + float64(dy*dy); length > 0 {
		t = min(max((float64(px*dx)+float64(py*dy))/length, 0), 1)
	}
	return math.Hypot(px-float64(t*dx), py-float64(t*dy))
}
