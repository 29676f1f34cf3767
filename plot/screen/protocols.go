package screen

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
)

// kittyChunk is how many characters of base64 an escape sequence may hold.
const kittyChunk = 4096

// kitty sends a PNG in base64: ESC _G keys ; data ESC \, the first with f=100 (PNG) and a=T (show),
// all but the last with m=1.
func kitty(w io.Writer, img *image.RGBA) error {
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		return err
	}
	data := base64.StdEncoding.EncodeToString(file.Bytes())
	out := bufio.NewWriter(w)
	keys := "f=100,a=T,"
	for len(data) > 0 {
		n := min(len(data), kittyChunk)
		more := 0
		if n < len(data) {
			more = 1
		}
		fmt.Fprintf(out, "\x1b_G%sm=%d;%s\x1b\\", keys, more, data[:n])
		data, keys = data[n:], ""
	}
	fmt.Fprintln(out)
	return out.Flush()
}

// sixel sends bands of six rows: each character holds a column of six pixels that have the chosen
// colour (DEC STD 070). The colours are a cube of six levels with greys between them.
func sixel(w io.Writer, img *image.RGBA) error {
	out := bufio.NewWriter(w)
	b := img.Bounds()
	fmt.Fprintf(out, "\x1bP0;1q\"1;1;%d;%d", b.Dx(), b.Dy())
	var used [256]bool
	pixels := make([]uint8, b.Dx()*b.Dy())
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := nearest(img.RGBAAt(b.Min.X+x, b.Min.Y+y))
			pixels[y*b.Dx()+x], used[c] = c, true
		}
	}
	for c, is := range used {
		if is {
			rgb := xterm(uint8(c))
			fmt.Fprintf(out, "#%d;2;%d;%d;%d", c, percent(rgb.R), percent(rgb.G), percent(rgb.B))
		}
	}
	for top := 0; top < b.Dy(); top += 6 {
		sixelBand(out, pixels, b.Dx(), top, min(6, b.Dy()-top))
	}
	out.WriteString("\x1b\\\n")
	return out.Flush()
}

func percent(v uint8) int { return (int(v)*100 + 127) / 255 }

// sixelBand sends up to six rows, a colour after the other.
func sixelBand(out *bufio.Writer, pixels []uint8, width, top, rows int) {
	var colours [256]bool
	for _, c := range pixels[top*width : (top+rows)*width] {
		colours[c] = true
	}
	for c, is := range colours {
		if !is {
			continue
		}
		fmt.Fprintf(out, "#%d", c)
		last, run := byte(0), 0
		flush := func() {
			switch {
			case run > 3:
				fmt.Fprintf(out, "!%d%c", run, last)
			default:
				for range run {
					out.WriteByte(last)
				}
			}
		}
		for x := range width {
			bits := byte(0)
			for y := range rows {
				if pixels[(top+y)*width+x] == uint8(c) {
					bits |= 1 << y
				}
			}
			if ch := '?' + bits; ch != last {
				flush()
				last, run = ch, 0
			}
			run++
		}
		flush()
		out.WriteByte('$')
	}
	out.WriteByte('-')
}

// blocks sends two rows of pixels as one of characters: the upper half block has the colour of the
// upper pixel on that of the lower.
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

// levels are those of the colour cube of xterm, colours 16 to 231; 232 to 255 are greys.
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
