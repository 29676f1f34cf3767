package chart

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"time"

	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/tgmconv/tgmconv/internal/plot/colour"
	"github.com/tgmconv/tgmconv/internal/plot/page"
	"github.com/tgmconv/tgmconv/internal/plot/png24"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// dpi is the resolution of PNG: 8 inches are 1200 pixels.
const dpi = 150

// PNG writes the chart as a picture of 1200 pixels width.
func (c *Chart) PNG(w io.Writer) error {
	height, err := c.height()
	if err != nil {
		return err
	}
	canvas := vgimg.NewWith(vgimg.UseWH(pageWidth, vg.Length(height)), vgimg.UseDPI(dpi))
	if err := c.drawOn(canvas, height); err != nil {
		return err
	}
	picture, ok := canvas.Image().(*image.RGBA)
	if !ok {
		return fmt.Errorf("the picture is a %T, expected RGBA", canvas.Image())
	}
	return png24.Encode(w, picture)
}

// SVG writes the chart as a drawing of 8 inches width.
func (c *Chart) SVG(w io.Writer) error { return c.drawing(w, "svg") }

// PDF writes the chart as a page of 8 inches width.
func (c *Chart) PDF(w io.Writer) error { return c.drawing(w, "pdf") }

func (c *Chart) drawing(w io.Writer, format string) error {
	height, err := c.height()
	if err != nil {
		return err
	}
	drawing, err := page.New(format, pageWidth, vg.Length(height))
	if err != nil {
		return err
	}
	if err := c.drawOn(drawing, height); err != nil {
		return err
	}
	_, err = drawing.WriteTo(w)
	return err
}

// Colours of everything except data.
var (
	paper = color.NRGBA{255, 255, 255, 255}
	ink   = color.NRGBA{30, 30, 34, 255}
	pale  = color.NRGBA{100, 100, 108, 255}
	rule  = color.NRGBA{226, 226, 230, 255} // lines of the grid
)

// few are colours that people tell apart whatever their eyes (Okabe and Ito 2008).
var few = []color.NRGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {90, 90, 90, 255},
}

// colourOf is the colour of one of n curves.
func colourOf(i, n int) color.NRGBA {
	if n <= len(few) {
		return few[i]
	}
	c := colour.Named("viridis").At(0.92 * float64(i) / float64(n-1)) // its end is too pale for lines
	return color.NRGBA{c.R, c.G, c.B, 255}
}

// A sheet takes the drawing of a page. Places are in points (1/72 inch) from the upper left.
type sheet struct {
	vg.Canvas
	height float64
	font   *opentype.Font
}

type point struct{ x, y float64 }

func (p *sheet) place(q point) vg.Point {
	return vg.Point{X: vg.Length(q.x), Y: vg.Length(p.height - q.y)}
}

func (p *sheet) stroke(points []point, width float64, c color.Color) {
	p.SetLineWidth(vg.Length(width))
	p.SetColor(c)
	p.Stroke(page.Path(points, p.place))
}

func (p *sheet) fill(points []point, c color.Color) {
	path := page.Path(points, p.place)
	path.Close()
	p.SetColor(c)
	p.Fill(path)
}

// dot fills a circle.
func (p *sheet) dot(at point, radius float64, c color.Color) {
	var path vg.Path
	centre := p.place(at)
	path.Move(vg.Point{X: centre.X + vg.Length(radius), Y: centre.Y})
	path.Arc(centre, vg.Length(radius), 0, 2*math.Pi)
	path.Close()
	p.SetColor(c)
	p.Fill(path)
}

func (p *sheet) face(size float64) font.Face {
	return page.Face(p.font, size)
}

func (p *sheet) textWidth(s string, size float64) float64 {
	face := p.face(size)
	return float64(face.Width(safetext.Line(s)))
}

// An align says which part of a text is at its place: 0 its left end, 0.5 its middle, 1 its right end.
type align float64

const (
	left   align = 0
	centre align = 0.5
	right  align = 1
)

// text writes s on a line with its baseline at the place.
func (p *sheet) text(s string, at point, size float64, a align, c color.Color) {
	at.x -= float64(float64(a) * p.textWidth(s, size))
	p.SetColor(c)
	p.FillString(p.face(size), p.place(at), safetext.Line(s))
}

// upright writes s from below to above, with its middle at the place.
func (p *sheet) upright(s string, at point, size float64, c color.Color) {
	p.Push()
	p.Translate(p.place(at))
	p.Rotate(math.Pi / 2)
	p.SetColor(c)
	p.FillString(p.face(size), vg.Point{X: vg.Length(-p.textWidth(s, size) / 2)}, safetext.Line(s))
	p.Pop()
}

// fitted shortens a text to a width.
func (p *sheet) fitted(s string, size, width float64) string {
	if p.textWidth(s, size) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 1 && p.textWidth(string(runes)+"…", size) > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}

func timeOf(seconds float64) time.Time {
	whole := math.Floor(seconds)
	return time.Unix(int64(whole), int64((seconds-whole)*1e9)).UTC()
}
