package page

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zlib"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A pdf is a file of one page (ISO 32000-1). Texts are in Helvetica, a font that every reader has and whose
// letters are as wide as those of Liberation Sans; letters outside Windows-1252 are areas.
type pdf struct {
	font          *opentype.Font
	width, height vg.Length
	content       bytes.Buffer
	alphas        []uint8 // of the graphics states
	pictures      []*image.RGBA
	now           state
	saved         []state
}

type state struct {
	colour color.NRGBA
	width  vg.Length
}

func newPDF(f *opentype.Font, width, height vg.Length) *pdf {
	p := &pdf{font: f, width: width, height: height, now: state{color.NRGBA{A: 255}, 1}}
	p.content.WriteString("1 j 1 J\n")
	return p
}

// number is a number with as many digits as a page needs.
func number(v float64) string {
	s := strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	if s == "-0" {
		return "0"
	}
	return s
}

func (p *pdf) op(name string, args ...float64) {
	for _, a := range args {
		p.content.WriteString(number(a))
		p.content.WriteByte(' ')
	}
	p.content.WriteString(name)
	p.content.WriteByte('\n')
}

// Size implements vg.CanvasSizer.
func (p *pdf) Size() (width, height vg.Length) { return p.width, p.height }

// SetLineWidth implements vg.Canvas.
func (p *pdf) SetLineWidth(w vg.Length) {
	p.now.width = w
	p.op("w", float64(w))
}

// SetLineDash implements vg.Canvas.
func (p *pdf) SetLineDash(pattern []vg.Length, offset vg.Length) {
	p.content.WriteString("[")
	for _, l := range pattern {
		p.content.WriteString(number(float64(l)) + " ")
	}
	p.op("] " + number(float64(offset)) + " d")
}

// SetColor implements vg.Canvas.
func (p *pdf) SetColor(c color.Color) {
	n, ok := color.NRGBAModel.Convert(c).(color.NRGBA)
	if !ok {
		return
	}
	p.now.colour = n
	r, g, b := float64(n.R)/255, float64(n.G)/255, float64(n.B)/255
	p.op("rg", r, g, b)
	p.op("RG", r, g, b)
	k := slices.Index(p.alphas, n.A)
	if k < 0 {
		k, p.alphas = len(p.alphas), append(p.alphas, n.A)
	}
	fmt.Fprintf(&p.content, "/A%d gs\n", k)
}

// Rotate implements vg.Canvas.
func (p *pdf) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	fmt.Fprintf(&p.content, "%.6f %.6f %.6f %.6f 0 0 cm\n", cos, sin, -sin, cos)
}

// Translate implements vg.Canvas.
func (p *pdf) Translate(by vg.Point) { p.op("cm", 1, 0, 0, 1, float64(by.X), float64(by.Y)) }

// Scale implements vg.Canvas.
func (p *pdf) Scale(x, y float64) { p.op("cm", x, 0, 0, y, 0, 0) }

// Push implements vg.Canvas.
func (p *pdf) Push() {
	p.saved = append(p.saved, p.now)
	p.op("q")
}

// Pop implements vg.Canvas.
func (p *pdf) Pop() {
	p.now, p.saved = p.saved[len(p.saved)-1], p.saved[:len(p.saved)-1]
	p.op("Q")
}

// Stroke implements vg.Canvas.
func (p *pdf) Stroke(path vg.Path) {
	if p.now.width > 0 {
		p.path(path)
		p.op("S")
	}
}

// Fill implements vg.Canvas.
func (p *pdf) Fill(path vg.Path) {
	p.path(path)
	p.op("f")
}

func (p *pdf) path(path vg.Path) {
	var last vg.Point
	curve := func(a, b, c vg.Point) {
		p.op("c", float64(a.X), float64(a.Y), float64(b.X), float64(b.Y), float64(c.X), float64(c.Y))
	}
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			p.op("m", float64(c.Pos.X), float64(c.Pos.Y))
		case vg.LineComp:
			p.op("l", float64(c.Pos.X), float64(c.Pos.Y))
		case vg.ArcComp:
			last = p.arc(c)
			continue
		case vg.CurveComp:
			a, b := c.Control[0], c.Control[0]
			if len(c.Control) == 2 {
				b = c.Control[1]
			} else { // of the second degree
				a, b = between(last, a), between(c.Pos, b)
			}
			curve(a, b, c.Pos)
		case vg.CloseComp:
			p.op("h")
		}
		last = c.Pos
	}
}

// between is two thirds of the way from p to q.
func between(p, q vg.Point) vg.Point {
	return vg.Point{X: p.X + vg.Length(float64(q.X-p.X)*2/3), Y: p.Y + vg.Length(float64(q.Y-p.Y)*2/3)}
}

// arc draws a part of a circle as lines, which are shorter than one sees.
func (p *pdf) arc(c vg.PathComp) (last vg.Point) {
	const n = 24
	for i := range n + 1 {
		sin, cos := math.Sincos(c.Start + float64(c.Angle*float64(i)/n))
		last = vg.Point{X: c.Pos.X + vg.Length(float64(float64(c.Radius)*cos)), Y: c.Pos.Y + vg.Length(float64(float64(c.Radius)*sin))}
		p.op("l", float64(last.X), float64(last.Y))
	}
	return last
}

// windows1252 are the letters of the codes from 0x80 to 0x9f.
var windows1252 = []rune("€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ")

// encoded returns a text in Windows-1252, as the text of a string of PDF.
func encoded(s string) (string, bool) {
	var b strings.Builder
	for _, r := range s {
		k := slices.Index(windows1252, r)
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r >= 0xa0 && r <= 0xff:
			fmt.Fprintf(&b, "\\%03o", r)
		case k >= 0 && r != 0:
			fmt.Fprintf(&b, "\\%03o", 0x80+k)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// FillString implements vg.Canvas.
func (p *pdf) FillString(f font.Face, at vg.Point, s string) {
	size := float64(f.Font.Size)
	if text, ok := encoded(s); ok {
		fmt.Fprintf(&p.content, "BT /F %s Tf %s %s Td (%s) Tj ET\n", number(size), number(float64(at.X)), number(float64(at.Y)), text)
		return
	}
	var path vg.Path
	place := func(a [2]float64) vg.Point { return vg.Point{X: at.X + vg.Length(a[0]), Y: at.Y - vg.Length(a[1])} }
	Outline(p.font, s, size, func(op sfnt.SegmentOp, args [3][2]float64) {
		switch op {
		case sfnt.SegmentOpMoveTo:
			path.Move(place(args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(args[0]), place(args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(args[0]), place(args[1]), place(args[2]))
		}
	})
	if len(path) > 0 {
		p.Fill(path)
	}
}

// DrawImage implements vg.Canvas. The picture must be an opaque *image.RGBA, others are not drawn.
func (p *pdf) DrawImage(r vg.Rectangle, img image.Image) {
	picture, ok := img.(*image.RGBA)
	if !ok {
		return
	}
	size := r.Size()
	p.op("q")
	p.op("cm", float64(size.X), 0, 0, float64(size.Y), float64(r.Min.X), float64(r.Min.Y))
	fmt.Fprintf(&p.content, "/I%d Do\n", len(p.pictures))
	p.op("Q")
	p.pictures = append(p.pictures, picture)
}

// WriteTo implements io.WriterTo.
func (p *pdf) WriteTo(w io.Writer) (int64, error) {
	var out bytes.Buffer
	var places []int
	object := func(text string) {
		places = append(places, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", len(places), text)
	}
	stream := func(dictionary string, write func(io.Writer)) error {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		write(z)
		if err := z.Close(); err != nil {
			return err
		}
		object(fmt.Sprintf("<<%s/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", dictionary, b.Len(), b.Bytes()))
		return nil
	}
	out.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	var alphas, pictures strings.Builder
	for k, a := range p.alphas {
		fmt.Fprintf(&alphas, "/A%d<</ca %.3f/CA %.3f>>", k, float64(a)/255, float64(a)/255)
	}
	const first = 6 // the number of the first picture
	for k := range p.pictures {
		fmt.Fprintf(&pictures, "/I%d %d 0 R", k, first+k)
	}
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s %s]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/ExtGState<<%s>>/XObject<<%s>>>>>>",
		number(float64(p.width)), number(float64(p.height)), alphas.String(), pictures.String()))
	if err := stream("", func(z io.Writer) { _, _ = z.Write(p.content.Bytes()) }); err != nil {
		return 0, err
	}
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	for _, img := range p.pictures {
		size := img.Bounds().Size()
		dictionary := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8", size.X, size.Y)
		err := stream(dictionary, func(z io.Writer) {
			row := make([]byte, 3*size.X)
			for y := range size.Y {
				pixels := img.Pix[y*img.Stride:][:4*size.X]
				for x := range size.X {
					copy(row[3*x:3*x+3], pixels[4*x:])
				}
				_, _ = z.Write(row)
			}
		})
		if err != nil {
			return 0, err
		}
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(places)+1)
	for _, at := range places {
		fmt.Fprintf(&out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(places)+1, start)
	n, err := w.Write(out.Bytes())
	return int64(n), err
}
