package plot

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"time"

	"github.com/tgmconv/tgmconv/internal/plot/apng"
)

// Animate writes an animation of n panels as an animated PNG, or as a GIF if format is "gif". It calls panel for one
// after the other; each is shown for the given time. All must have maps of the same size: grids of one area and projection.
func Animate(w io.Writer, format string, n int, panel func(i int) (*Panel, Scale, error), each time.Duration, opts Options) error {
	add, end := new(gifs).of(w, each)
	if format != "gif" {
		a, err := apng.NewWriter(w, n, each)
		if err != nil {
			return err
		}
		add, end = func(img *image.RGBA, _ Scale) error { return a.Add(img) }, a.Close
	}
	opts.maps = newMaps()
	for i := range n {
		p, s, err := panel(i)
		if err != nil {
			return err
		}
		opts.Scales = []Scale{s}
		img, err := Draw([]*Panel{p}, opts)
		if err != nil {
			return err
		}
		if err := add(img, s); err != nil {
			return fmt.Errorf("%s: %w", p.Labels, err)
		}
	}
	return end()
}

// gifs are the pictures of a GIF.
type gifs struct {
	gif.GIF
	nearest map[color.RGBA]uint8 // the number of a colour in the palette
	scale   Scale                // of the palette
}

// mostPixels bounds the pictures of a GIF, which are held in memory.
const mostPixels = 1 << 29

// of returns a function that adds a picture, and a function that writes all pictures.
func (g *gifs) of(w io.Writer, each time.Duration) (add func(*image.RGBA, Scale) error, end func() error) {
	add = func(img *image.RGBA, s Scale) error {
		box := img.Bounds()
		if n := len(g.Image); n > 0 && box != g.Image[0].Rect {
			return fmt.Errorf("picture %d is of %v pixels, the first of %v", n, box.Size(), g.Image[0].Rect.Size())
		}
		if (len(g.Image)+1)*box.Dx()*box.Dy() > mostPixels {
			return fmt.Errorf("picture %d is too much for a GIF: expected at most %d pixels in all", len(g.Image), mostPixels)
		}
		palette := color.Palette(nil)
		if n := len(g.Image); n > 0 && s == g.scale {
			palette = g.Image[n-1].Palette
		} else {
			palette, g.nearest, g.scale = paletteOf(&s), make(map[color.RGBA]uint8), s
		}
		frame := image.NewPaletted(box, palette)
		for y := range box.Dy() {
			for x := range box.Dx() {
				c := img.RGBAAt(x, y)
				k, known := g.nearest[c]
				if !known {
					k = uint8(palette.Index(c))
					g.nearest[c] = k
				}
				frame.SetColorIndex(x, y, k)
			}
		}
		g.Image, g.Delay = append(g.Image, frame), append(g.Delay, max(1, int(each.Milliseconds()/10)))
		return nil
	}
	return add, func() error { return gif.EncodeAll(w, &g.GIF) }
}

// paletteOf has the colours of a scale and those between paper and ink.
func paletteOf(s *Scale) (list color.Palette) {
	const greys, all = 40, 256
	list = append(list, absent)
	for i := range greys {
		c := image.NewRGBA(image.Rect(0, 0, 1, 1))
		draw.Draw(c, c.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
		(&canvas{RGBA: c}).blend(0, 0, lineColour, float64(i)/(greys-1))
		list = append(list, c.RGBAAt(0, 0))
	}
	for i := range all - len(list) {
		list = append(list, s.part(float64(i)/float64(all-1-greys-1)))
	}
	return list
}
