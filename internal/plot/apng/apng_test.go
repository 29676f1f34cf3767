package apng_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/plot/apng"
)

func picture(c color.Color, width int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, 4))
	for i := range img.Bounds().Dx() * img.Bounds().Dy() {
		img.Set(i%width, i/width, c)
	}
	return img
}

func ExampleWriter() {
	var file bytes.Buffer
	a, err := apng.NewWriter(&file, 2, 100*time.Millisecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	a.Add(picture(color.White, 4))
	a.Add(picture(color.Black, 4))
	fmt.Println(a.Close())
	first, _ := png.Decode(&file)
	fmt.Println(first.At(0, 0))
	// Output:
	// <nil>
	// {255 255 255 255}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		frames int
		each   time.Duration
	}{{0, time.Second}, {1, 0}, {1, 2 * time.Minute}} {
		if _, err := apng.NewWriter(nil, c.frames, c.each); err == nil {
			t.Errorf("%d pictures of %v are taken", c.frames, c.each)
		}
	}
	var file bytes.Buffer
	a, _ := apng.NewWriter(&file, 2, time.Second)
	if err := a.Add(picture(color.White, 4)); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err == nil {
		t.Error("an animation ends before its last picture")
	}
	if err := a.Add(picture(color.White, 5)); err == nil {
		t.Error("a picture of another size is taken")
	}
	if err := a.Add(picture(color.White, 4)); err != nil {
		t.Error(err)
	}
	if err := a.Add(picture(color.White, 4)); err == nil {
		t.Error("more pictures are taken than were announced")
	}
}
