package plot

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/tgmconv/tgmconv/internal/plot/page"
)

// Colours of everything except data.
var (
	paper  = color.RGBA{255, 255, 255, 255}
	ink    = color.RGBA{30, 30, 34, 255}
	pale   = color.RGBA{110, 110, 118, 255}
	absent = color.RGBA{214, 214, 218, 255} // missing values
)

// A point is a place on a picture, in pixels from its upper left.
type point struct{ x, y float64 }

// A surface takes the drawing of maps: pixels, or a drawing of lines and texts.
type surface interface {
	// stroke draws lines from point to point within a rectangle.
	stroke(points []point, width float64, col color.RGBA, within image.Rectangle)
	// area fills a polygon.
	area(points []point, col color.RGBA)
	// picture draws an opaque picture of as many pixels as r has, times detail.
	picture(img *image.RGBA, r image.Rectangle)
	detail() int
	// text writes s with its baseline at y.
	text(s string, x, y int, size float64, a align, col color.RGBA)
	// turned writes s with its middle at a place, turned clockwise by an angle.
	turned(s string, at point, size, angle float64, col color.RGBA)
	textWidth(s string, size float64) int
}

// A canvas is a picture that lines and texts are drawn on.
type canvas struct {
	*image.RGBA
	regular *opentype.Font
	faces   map[float64]font.Face
}

func newCanvas(width, height int) (*canvas, error) {
	regular, err := page.Font()
	if err != nil {
		return nil, err
	}
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), regular, make(map[float64]font.Face)}
	draw.Draw(c, c.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	return c, nil
}

func (c *canvas) face(size float64) font.Face {
	f := c.faces[size]
	if f == nil {
		// It fails only for sizes that are none.
		f, _ = opentype.NewFace(c.regular, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
		c.faces[size] = f
	}
	return f
}

// textWidth is the width of a text in pixels.
func (c *canvas) textWidth(s string, size float64) int {
	return font.MeasureString(c.face(size), s).Ceil()
}

// An align says which point of a text is given.
type align int

const (
	left align = iota
	centre
	right
)

// text writes s with its baseline at y.
func (c *canvas) text(s string, x, y int, size float64, a align, col color.RGBA) {
	switch a {
	case centre:
		x -= c.textWidth(s, size) / 2
	case right:
		x -= c.textWidth(s, size)
	}
	d := font.Drawer{Dst: c, Src: image.NewUniform(col), Face: c.face(size), Dot: fixed.P(x, y)}
	d.DrawString(s)
}

// turned implements surface.
func (c *canvas) turned(s string, at point, size, angle float64, col color.RGBA) {
	sin, cos := math.Sincos(angle)
	left, low := -float64(c.textWidth(s, size))/2, float64(size*0.35)
	corner := image.Pt(int(at.x)-2*int(size)-int(-left), int(at.y)-2*int(size)-int(-left))
	place := func(a [2]float64) (x, y float32) {
		dx, dy := left+a[0], low+a[1]
		return float32(at.x + float64(dx*cos) - float64(dy*sin) - float64(corner.X)), float32(at.y + float64(dx*sin) + float64(dy*cos) - float64(corner.Y))
	}
	side := 4*int(size) + 2*int(-left)
	raster := vector.NewRasterizer(side, side)
	page.Outline(c.regular, s, size, func(op sfnt.SegmentOp, args [3][2]float64) {
		ax, ay := place(args[0])
		bx, by := place(args[1])
		switch op {
		case sfnt.SegmentOpMoveTo:
			raster.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			raster.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			raster.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			cx, cy := place(args[2])
			raster.CubeTo(ax, ay, bx, by, cx, cy)
		}
	})
	c.paint(raster, corner, col)
}

// paint paints the area of a raster whose upper left is a corner.
func (c *canvas) paint(raster *vector.Rasterizer, corner image.Point, col color.RGBA) {
	mask := image.NewAlpha(raster.Bounds())
	raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	draw.DrawMask(c.RGBA, mask.Rect.Add(corner), image.NewUniform(col), image.Point{}, mask, image.Point{}, draw.Over)
}

// area implements surface.
func (c *canvas) area(points []point, col color.RGBA) {
	low, high := points[0], points[0]
	for _, p := range points {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)), int(math.Ceil(high.y))).Intersect(c.Bounds())
	raster := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range points {
		x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
		if i == 0 {
			raster.MoveTo(x, y)
		} else {
			raster.LineTo(x, y)
		}
	}
	raster.ClosePath()
	c.paint(raster, box.Min, col)
}

// picture implements surface.
func (c *canvas) picture(img *image.RGBA, r image.Rectangle) {
	draw.Draw(c.RGBA, r, img, image.Point{}, draw.Src)
}

func (c *canvas) detail() int { return 1 }

// stroke implements surface.
func (c *canvas) stroke(points []point, width float64, col color.RGBA, within image.Rectangle) {
	for i := 1; i < len(points); i++ {
		c.line(points[i-1].x, points[i-1].y, points[i].x, points[i].y, width, col, within)
	}
}

// fitted shortens a text to a width.
func fitted(c surface, s string, size float64, width int) string {
	if c.textWidth(s, size) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 1 && c.textWidth(string(runes)+"…", size) > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// line draws a line within a rectangle, with smooth edges.
func (c *canvas) line(x1, y1, x2, y2, width float64, col color.RGBA, within image.Rectangle) {
	reach := float64(width/2) + 1
	box := image.Rect(
		int(math.Floor(min(x1, x2)-reach)), int(math.Floor(min(y1, y2)-reach)),
		int(math.Ceil(max(x1, x2)+reach)), int(math.Ceil(max(y1, y2)+reach)),
	).Intersect(within)
	dx, dy := x2-x1, y2-y1
	length := float64(dx*dx) + float64(dy*dy)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px, py := float64(x)+0.5-x1, float64(y)+0.5-y1
			t := 0.0
			if length > 0 {
				t = min(max((float64(px*dx)+float64(py*dy))/length, 0), 1)
			}
			distance := math.Hypot(px-float64(t*dx), py-float64(t*dy))
			if cover := float64(width/2) + 0.5 - distance; cover > 0 {
				c.blend(x, y, col, min(cover, 1)*float64(col.A)/255)
			}
		}
	}
}

// blend puts a colour over a pixel; a from 0 to 1 is how much of it.
func (c *canvas) blend(x, y int, col color.RGBA, a float64) {
	i := c.PixOffset(x, y)
	for k, v := range [3]uint8{col.R, col.G, col.B} {
		old := float64(c.Pix[i+k])
		c.Pix[i+k] = uint8(old + float64((float64(v)-old)*a) + 0.5)
	}
}

// frame draws the edge of a rectangle.
func frame(c surface, r image.Rectangle, col color.RGBA) {
	x1, y1, x2, y2 := float64(r.Min.X)+0.5, float64(r.Min.Y)+0.5, float64(r.Max.X)-0.5, float64(r.Max.Y)-0.5
	c.stroke([]point{{x1, y1}, {x2, y1}, {x2, y2}, {x1, y2}, {x1, y1}}, 1, col, r)
}
