package screen_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/plot/screen"
)

func picture() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 4, 7))
	for y := range 7 {
		for x := range 4 {
			img.SetRGBA(x, y, color.RGBA{uint8(60 * x), uint8(30 * y), 200, 255})
		}
	}
	return img
}

func ExampleShow() {
	grey := image.NewRGBA(image.Rect(0, 0, 3, 1))
	for x, v := range []uint8{255, 128, 0} {
		grey.SetRGBA(x, 0, color.RGBA{v, v, v, 255})
	}
	screen.Show(os.Stdout, screen.ASCII, grey)
	// Output:  =@
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want screen.Protocol
	}{
		{map[string]string{"TERM": "xterm-kitty", "COLORTERM": "truecolor"}, screen.Kitty},
		{map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, screen.Kitty},
		{map[string]string{"TERM": "foot"}, screen.Sixel},
		{map[string]string{"TERM": "xterm-256color", "WT_SESSION": "1"}, screen.Sixel},
		{map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, screen.Blocks},
		{map[string]string{"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "COLORTERM": "truecolor"}, screen.Blocks},
		{map[string]string{"TERM": "xterm-256color"}, screen.Few},
		{map[string]string{"TERM": "dumb"}, screen.ASCII},
		{map[string]string{"TERM": "xterm-kitty", "NO_COLOR": "1"}, screen.ASCII},
	} {
		if got := screen.Detect(func(key string) string { return c.env[key] }); got != c.want {
			t.Errorf("%v: %s, expected %s", c.env, got, c.want)
		}
	}
}

// TestKitty puts the chunks together again.
func TestKitty(t *testing.T) {
	big := image.NewRGBA(image.Rect(0, 0, 200, 200))
	for i := range big.Pix {
		big.Pix[i] = byte(i * i >> 3)
	}
	var out strings.Builder
	if err := screen.Show(&out, screen.Kitty, big); err != nil {
		t.Fatal(err)
	}
	var data string
	for i, part := range strings.Split(strings.TrimSuffix(out.String(), "\x1b\\\n"), "\x1b\\") {
		keys, chunk, ok := strings.Cut(strings.TrimPrefix(part, "\x1b_G"), ";")
		if !ok || len(chunk) > 4096 || (i == 0) != strings.HasPrefix(keys, "f=100,a=T,") {
			t.Fatalf("chunk %d has the keys %q and %d characters", i, keys, len(chunk))
		}
		data += chunk
	}
	file, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(file)); err != nil || img.Bounds() != big.Bounds() {
		t.Errorf("not the picture: %v", err)
	}
}

// TestSixel draws the bands again.
func TestSixel(t *testing.T) {
	var out strings.Builder
	img := picture()
	if err := screen.Show(&out, screen.Sixel, img); err != nil {
		t.Fatal(err)
	}
	body, ok := strings.CutPrefix(out.String(), "\x1bP0;1q\"1;1;4;7")
	if !ok || !strings.HasSuffix(body, "\x1b\\\n") {
		t.Fatalf("%q is no sixel picture of 4 by 7 pixels", out.String())
	}
	pixels := make(map[image.Point]bool)
	x, top := 0, 0
	body = strings.TrimSuffix(body, "\x1b\\\n")
	for len(body) > 0 {
		c, n := body[0], 1
		switch {
		case c == '#':
			end := 1
			for end < len(body) && strings.IndexByte("0123456789;", body[end]) >= 0 {
				end++
			}
			body = body[end:]
			continue
		case c == '$':
			x = 0
		case c == '-':
			x, top = 0, top+6
		case c == '!':
			var ch byte
			fmt.Sscanf(body, "!%d%c", &n, &ch)
			body = body[strings.IndexByte(body, ch):]
			c = ch
		}
		if c >= '?' && c < 0x7f {
			for range n {
				for bit := range 6 {
					if (c-'?')>>bit&1 == 1 {
						p := image.Pt(x, top+bit)
						if pixels[p] {
							t.Errorf("pixel %v is drawn twice", p)
						}
						pixels[p] = true
					}
				}
				x++
			}
		}
		body = body[1:]
	}
	if len(pixels) != 28 {
		t.Errorf("%d pixels are drawn, expected 28", len(pixels))
	}
}

func TestBlocks(t *testing.T) {
	for _, p := range []screen.Protocol{screen.Blocks, screen.Few} {
		var out strings.Builder
		if err := screen.Show(&out, p, picture()); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(out.String(), "\n"); lines != 4 || strings.Count(out.String(), "▀") != 16 {
			t.Errorf("%s: %d lines in %q, expected 4 of 4 characters", p, lines, out.String())
		}
	}
}
