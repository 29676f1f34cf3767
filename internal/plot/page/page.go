// Package page makes drawings of lines, areas and texts: SVG and PDF, in the typeface that charts and
// maps share.
//
// Most callers make a drawing with [New], draw on it as on any vg.Canvas, and write it with WriteTo.
package page

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Drawing is a page that is written when it is complete.
type Drawing interface {
	vg.Canvas
	io.WriterTo
}

// Formats are the formats of drawings.
func Formats() []string { return []string{"svg", "pdf"} }

// New returns an empty drawing of one of [Formats].
func New(format string, width, height vg.Length) (Drawing, error) {
	switch format {
	case "svg":
		return svg{vgsvg.New(width, height)}, nil
	case "pdf":
		f, err := Font()
		if err != nil {
			return nil, err
		}
		return newPDF(f, width, height), nil
	}
	return nil, fmt.Errorf("page: a drawing of format %q, expected svg or pdf", format)
}

// Font returns the typeface.
var Font = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(liberationsansregular.TTF) })

// Face returns the typeface f at a size in points.
func Face(f *opentype.Font, size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}, Face: f}
}

type svg struct{ *vgsvg.Canvas }

// fonts are the names of fonts in SVG, in the order in which they are looked for: texts are placed by the
// widths of the first, and the next two have the same widths.
const fonts = "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"

// WriteTo implements io.WriterTo.
func (s svg) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := s.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	text := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte(fonts))
	n, err := w.Write(bytes.ReplaceAll(text, []byte("data:image/jpg;"), []byte("data:image/png;")))
	return int64(n), err
}

// Path returns the path through points, given the place of each on a drawing.
func Path[P any](points []P, place func(P) vg.Point) vg.Path {
	var path vg.Path
	for i, p := range points {
		if i == 0 {
			path.Move(place(p))
		} else {
			path.Line(place(p))
		}
	}
	return path
}

// Outline calls draw for each piece of the outlines of the letters of a text, which begins at 0, 0 and
// grows downwards, in units of its size.
func Outline(f *opentype.Font, s string, size float64, draw func(op sfnt.SegmentOp, args [3][2]float64)) {
	const whole = 64
	var buffer sfnt.Buffer
	ppem := fixed.I(whole)
	scale := size / (whole * 64)
	at := 0.0
	for _, r := range s {
		index, err := f.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		segments, err := f.LoadGlyph(&buffer, index, ppem, nil)
		if err == nil {
			for _, g := range segments {
				var args [3][2]float64
				for i, p := range g.Args {
					args[i] = [2]float64{at + float64(float64(p.X)*scale), float64(p.Y) * scale}
				}
				draw(g.Op, args)
			}
		}
		if advance, err := f.GlyphAdvance(&buffer, index, ppem, xfont.HintingNone); err == nil {
			at += float64(float64(advance) * scale)
		}
	}
}
