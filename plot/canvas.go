package plot

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Colours of what is not data.
var (
	paper  = color.RGBA{255, 255, 255, 255}
	ink    = color.RGBA{30, 30, 34, 255}
	pale   = color.RGBA{110, 110, 118, 255}
	absent = color.RGBA{214, 214, 218, 255} // missing values
)

// A canvas is a picture that lines and texts are drawn on.
type canvas struct {
	*image.RGBA
	regular *opentype.Font
	faces   map[float64]font.Face
}

func newCanvas(width, height int) (*canvas, error) {
	regular, err := opentype.Parse(goregular.TTF)
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
func (c *canvas) text(s string, x, y int, size float64, a align, col color.Color) {
	switch a {
	case centre:
		x -= c.textWidth(s, size) / 2
	case right:
		x -= c.textWidth(s, size)
	}
	d := font.Drawer{Dst: c, Src: image.NewUniform(col), Face: c.face(size), Dot: fixed.P(x, y)}
	d.DrawString(s)
}

// fitted shortens a text to a width.
func (c *canvas) fitted(s string, size float64, width int) string {
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
func (c *canvas) frame(r image.Rectangle, col color.RGBA) {
	for x := r.Min.X; x < r.Max.X; x++ {
		c.SetRGBA(x, r.Min.Y, col)
		c.SetRGBA(x, r.Max.Y-1, col)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		c.SetRGBA(r.Min.X, y, col)
		c.SetRGBA(r.Max.X-1, y, col)
	}
}
