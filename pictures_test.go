package tgmconv

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// pictured matches a picture of a page, by its name in docs/images.
var pictured = regexp.MustCompile(`!\[[^]]*\]\((?:\S*/)?images/([^)]+)\)`)

// comparePictures demands that the pictures made by the commands of a page equal the pictures in
// the page, which people have looked at. UPDATE_GOLDEN=1 writes them.
func comparePictures(t *testing.T, page, dir string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range pictured.FindAllSubmatch(text, -1) {
		name := string(m[1])
		made, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue // of another page
		}
		if err != nil {
			t.Fatal(err)
		}
		shown := filepath.Join("docs", "images", name)
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := updatePicture(shown, made); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(shown)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := samePicture(made, want); err != nil {
			t.Errorf("%s: %s is not the picture that its command makes (UPDATE_GOLDEN=1 writes it, to be looked at): %v", page, shown, err)
		}
	}
}

// animated reports whether a PNG has several pictures.
func animated(data []byte) bool { return bytes.Contains(data, []byte("acTL")) }

// updatePicture writes a picture. A PNG is written with 256 colours, which take half as much.
func updatePicture(path string, data []byte) error {
	if filepath.Ext(path) == ".png" && !animated(data) {
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&b, reduced(img)); err != nil {
			return err
		}
		data = b.Bytes()
	}
	return os.WriteFile(path, data, 0o600)
}

// reduced gives a picture 256 of its colours.
func reduced(img image.Image) image.Image {
	many := make(map[color.RGBA]int)
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	box := img.Bounds()
	for y := range box.Dy() {
		for x := range box.Dx() {
			many[at(x, y)]++
		}
	}
	var list []color.RGBA
	for c := range many {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b color.RGBA) int {
		return cmp.Or(many[b]-many[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	palette := paletteOf(list)
	index := make(map[color.RGBA]uint8)
	for _, c := range list {
		index[c] = uint8(palette.Index(c))
	}
	p := image.NewPaletted(box, palette)
	for y := range box.Dy() {
		for x := range box.Dx() {
			p.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	return p
}

// paletteOf chooses 256 colours, the first of a list that are not close to others of them.
func paletteOf(list []color.RGBA) (palette color.Palette) {
	apart := func(a, b uint8) uint8 { return max(a, b) - min(a, b) }
	for _, least := range []uint8{24, 16, 10, 6, 3, 1} {
		for _, c := range list {
			if len(palette) == 256 {
				return palette
			}
			if !slices.ContainsFunc(palette, func(p color.Color) bool {
				o := color.RGBAModel.Convert(p).(color.RGBA)
				return max(apart(c.R, o.R), apart(c.G, o.G), apart(c.B, o.B)) < least
			}) {
				palette = append(palette, c)
			}
		}
	}
	return palette
}

// samePicture compares pictures. Some pixels may differ: roundings depend on the machine, and pictures of pages
// have fewer colours.
func samePicture(made, want []byte) error {
	if bytes.Equal(made, want) {
		return nil
	}
	decode := png.Decode
	if bytes.HasPrefix(want, []byte("GIF8")) {
		decode = gif.Decode
	}
	a, err := decode(bytes.NewReader(made))
	if err != nil {
		return err
	}
	b, err := decode(bytes.NewReader(want))
	if err != nil {
		return err
	}
	if a.Bounds() != b.Bounds() {
		return fmt.Errorf("it is of %v pixels, expected %v", a.Bounds().Size(), b.Bounds().Size())
	}
	const far, most = 48 << 8, 500 // of colour values; one pixel in 500 may differ
	differ, box := 0, a.Bounds()
	for y := range box.Dy() {
		for x := range box.Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if max(r1, r2)-min(r1, r2) > far || max(g1, g2)-min(g1, g2) > far || max(b1, b2)-min(b1, b2) > far {
				differ++
			}
		}
	}
	if all := box.Dx() * box.Dy(); differ*most > all {
		return fmt.Errorf("%d of %d pixels differ", differ, all)
	}
	return nil
}

func TestSamePicture(t *testing.T) {
	picture := func(change int) []byte {
		img := image.NewRGBA(image.Rect(0, 0, 100, 100))
		for i := range change {
			img.SetRGBA(i, 50, color.RGBA{200, 0, 0, 255})
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if err := samePicture(picture(0), picture(10)); err != nil {
		t.Error(err)
	}
	if err := samePicture(picture(0), picture(40)); err == nil {
		t.Error("40 pixels of 10000 may differ")
	}
}

// TestPictures demands that each picture is shown by a page, of which a command makes it.
func TestPictures(t *testing.T) {
	made := make(map[string]bool)
	for _, page := range documentPages(t) {
		for _, d := range readDocumented(t, page) {
			for _, m := range regexp.MustCompile(`(?:^| )([\w-]+\.(?:png|gif))(?: |$)`).FindAllStringSubmatch(d.command, -1) {
				made[m[1]] = true
			}
		}
	}
	files, err := os.ReadDir("docs/images")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := f.Name(); name != "speed.svg" && !made[name] { // which package bench/chart makes
			t.Errorf("docs/images/%s: no page has the command that makes it", name)
		}
	}
}
