package screen

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"io"
)

// blocks sends two rows of pixels as one row of characters: an upper half block in the colour of
// the upper pixel, on a background in the colour of the lower.
func blocks(w io.Writer, img *image.RGBA, code func(c color.RGBA, ground bool) string) error {
	out := bufio.NewWriter(w)
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		last := ""
		for x := b.Min.X; x < b.Max.X; x++ {
			lower := color.RGBA{255, 255, 255, 255}
			if y+1 < b.Max.Y {
				lower = img.RGBAAt(x, y+1)
			}
			if s := code(img.RGBAAt(x, y), false) + code(lower, true); s != last {
				out.WriteString(s)
				last = s
			}
			out.WriteString("▀")
		}
		out.WriteString("\x1b[0m\n")
	}
	return out.Flush()
}

func trueColour(c color.RGBA, ground bool) string {
	code := 38
	if ground {
		code = 48
	}
	return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", code, c.R, c.G, c.B)
}

func xtermColour(c color.RGBA, ground bool) string {
	code := 38
	if ground {
		code = 48
	}
	return fmt.Sprintf("\x1b[%d;5;%dm", code, nearest(c))
}

// levels are the levels of the colour cube of xterm, colours 16 to 231; colours 232 to 255 are
// greys.
var levels = [6]uint8{0, 95, 135, 175, 215, 255}

// xterm is a colour from 16 on.
func xterm(n uint8) color.RGBA {
	if n >= 232 {
		v := 8 + 10*(n-232)
		return color.RGBA{v, v, v, 255}
	}
	n -= min(n, 16)
	return color.RGBA{levels[n/36], levels[n/6%6], levels[n%6], 255}
}

// nearest is the number of the colour that is most like c.
func nearest(c color.RGBA) uint8 {
	level := func(v uint8) uint8 {
		best, at := 256, 0
		for i, l := range levels {
			if d := max(int(v), int(l)) - min(int(v), int(l)); d < best {
				best, at = d, i
			}
		}
		return uint8(at)
	}
	cube := 16 + 36*level(c.R) + 6*level(c.G) + level(c.B)
	mean := (int(c.R) + int(c.G) + int(c.B)) / 3
	grey := uint8(232 + min(max((mean-3)/10, 0), 23))
	if difference(c, xterm(grey)) < difference(c, xterm(cube)) {
		return grey
	}
	return cube
}

func difference(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return 2*r*r + 4*g*g + 3*bl*bl
}

// shades go from light to dark.
const shades = " .:-=+*#%@"

func ascii(w io.Writer, img *image.RGBA) error {
	out := bufio.NewWriter(w)
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := img.RGBAAt(x, y)
			grey := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
			out.WriteByte(shades[(255-grey)*(len(shades)-1)/255])
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}
