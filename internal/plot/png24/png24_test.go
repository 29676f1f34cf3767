package png24_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"

	"github.com/tgmconv/tgmconv/internal/plot/png24"
)

// picture has bands of smooth colours, and lines through them.
func picture(r image.Rectangle) *image.RGBA {
	img := image.NewRGBA(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.RGBA{uint8(x * y / 16), uint8(x ^ y), uint8(y), 255}
			if x%17 == 0 {
				c = color.RGBA{A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func ExampleEncode() {
	img := image.NewRGBA(image.Rect(0, 0, 2, 1))
	img.Set(0, 0, color.White)
	img.Set(1, 0, color.Black)
	var file bytes.Buffer
	fmt.Println(png24.Encode(&file, img))
	back, err := png.Decode(&file)
	fmt.Println(back.At(0, 0), back.Bounds(), err)
	// Output:
	// <nil>
	// {255 255 255 255} (0,0)-(2,1) <nil>
}

// The standard library reads the written pixels, and decodes the file to the same kind of pixels as
// a file of its own encoder.
func TestPixels(t *testing.T) {
	for _, r := range []image.Rectangle{
		image.Rect(0, 0, 1, 1), image.Rect(0, 0, 3, 2), image.Rect(0, 0, 1000, 581), image.Rect(7, 5, 80, 64),
	} {
		img := picture(r)
		part := img.SubImage(image.Rect(r.Min.X, r.Min.Y, r.Max.X-r.Dx()/3, r.Max.Y)).(*image.RGBA)
		for _, img := range []*image.RGBA{img, part} {
			var ours, theirs bytes.Buffer
			if err := png24.Encode(&ours, img); err != nil {
				t.Fatal(err)
			}
			if err := png.Encode(&theirs, img); err != nil {
				t.Fatal(err)
			}
			got, err := png.Decode(&ours)
			if err != nil {
				t.Fatal(err)
			}
			want, err := png.Decode(&theirs)
			if err != nil {
				t.Fatal(err)
			}
			if got.Bounds() != want.Bounds() || !bytes.Equal(got.(*image.RGBA).Pix, want.(*image.RGBA).Pix) {
				t.Errorf("%v: other pixels than were written", img.Bounds())
			}
		}
	}
}

func TestTransparent(t *testing.T) {
	img := picture(image.Rect(0, 0, 4, 4))
	img.Set(2, 2, color.Transparent)
	if err := png24.Encode(io.Discard, img); !errors.Is(err, png24.ErrTransparent) {
		t.Errorf("error %v, expected %v", err, png24.ErrTransparent)
	}
}

func BenchmarkEncode(b *testing.B) {
	img := picture(image.Rect(0, 0, 1000, 581))
	b.SetBytes(int64(len(img.Pix)))
	for b.Loop() {
		if err := png24.Encode(io.Discard, img); err != nil {
			b.Fatal(err)
		}
	}
}
