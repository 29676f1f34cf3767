package screen_test

import (
	"image"
	"image/color"
	"os"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/screen"
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
		{map[string]string{"TERM": "xterm-kitty"}, screen.Blocks},
		{map[string]string{"TERM": "xterm-256color", "WT_SESSION": "1"}, screen.Blocks},
		{map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, screen.Blocks},
		{map[string]string{"TERM": "xterm-256color"}, screen.Few},
		{map[string]string{"TERM": "dumb"}, screen.ASCII},
		{map[string]string{"TERM": "xterm-kitty", "NO_COLOR": "1"}, screen.ASCII},
	} {
		if got := screen.Detect(func(key string) string { return c.env[key] }); got != c.want {
			t.Errorf("%v: %s, expected %s", c.env, got, c.want)
		}
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
