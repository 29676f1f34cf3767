package j2k

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	jpeg2000 "github.com/mrjoshuak/go-jpeg2000"
)

// encode makes a lossless stream of 16-bit pixels.
func encode(t testing.TB, pixels []uint32, width int, change func(*jpeg2000.Options)) []byte {
	t.Helper()
	img := image.NewGray16(image.Rect(0, 0, width, len(pixels)/width))
	for i, v := range pixels {
		binary.BigEndian.PutUint16(img.Pix[2*i:], uint16(v))
	}
	opts := jpeg2000.DefaultOptions()
	opts.Format, opts.Lossless = jpeg2000.FormatJ2K, true
	if change != nil {
		change(opts)
	}
	var b bytes.Buffer
	if err := jpeg2000.Encode(&b, img, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// picture is smooth, with noise and an edge.
func picture(width, height int) []uint32 {
	rng := rand.New(rand.NewPCG(uint64(width), uint64(height)))
	out := make([]uint32, width*height)
	for i := range out {
		x, y := float64(i%width), float64(i/width)
		v := 20000 + 9000*math.Sin(x/9)*math.Cos(y/7) + 300*rng.NormFloat64()
		if x > y {
			v += 20000
		}
		out[i] = uint32(min(max(v, 0), 65535))
	}
	return out
}

func TestDecode(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 3}, {5, 4}, {64, 64}, {65, 63}, {130, 7}, {200, 150}} {
		for levels := range 6 {
			want := picture(size[0], size[1])
			src := encode(t, want, size[0], func(o *jpeg2000.Options) { o.NumResolutions = levels + 1 })
			got := make([]uint32, len(want))
			if err := Decode(got, src); err != nil {
				t.Errorf("%v, %d levels: %v", size, levels, err)
				continue
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%v, %d levels: pixel %d is %d, expected %d", size, levels, i, got[i], want[i])
					break
				}
			}
		}
	}
}

// general decodes with the general decoder, whose twin for plain streams this package is.
func general(src []byte) ([]uint32, error) {
	size := 4 + int(binary.BigEndian.Uint16(src[4:]))
	const raw = "\xff\x76\x00\x06\xff\xff\x9f\x03" // makes it return the bits of the integers
	img, err := jpeg2000.DecodeFloat(strings.NewReader(string(src[:size]) + raw + string(src[size:])))
	if err != nil {
		return nil, err
	}
	out := make([]uint32, len(img.Components[0]))
	for i, v := range img.Components[0] {
		out[i] = math.Float32bits(v)
	}
	return out, nil
}

func TestTwin(t *testing.T) {
	want := picture(300, 170)
	for name, change := range map[string]func(*jpeg2000.Options){
		"plain":   nil,
		"layers":  func(o *jpeg2000.Options) { o.NumLayers = 3 },
		"tiles":   func(o *jpeg2000.Options) { o.TileSize = image.Pt(97, 64) },
		"blocks":  func(o *jpeg2000.Options) { o.CodeBlockSize = image.Pt(16, 32) },
		"markers": func(o *jpeg2000.Options) { o.EnableSOP, o.EnableEPH = true, true },
	} {
		src := encode(t, want, 300, change)
		twin, err := general(src)
		if err != nil {
			t.Errorf("%s: the general decoder: %v", name, err)
			continue
		}
		got := make([]uint32, len(want))
		if err := Decode(got, src); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range want {
			if got[i] != twin[i] {
				t.Errorf("%s: pixel %d is %d, %d by the general decoder", name, i, got[i], twin[i])
				break
			}
		}
	}
	for order := range 5 {
		src := encode(t, want, 300, func(o *jpeg2000.Options) { o.ProgressionOrder = jpeg2000.ProgressionOrder(order) })
		got := make([]uint32, len(want))
		if err := Decode(got, src); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("progression order %d: %v", order, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	want := picture(40, 30)
	src := encode(t, want, 40, nil)
	got := make([]uint32, len(want))
	for n := range len(src) - 2 {
		if Decode(got, src[:n]) == nil {
			t.Fatalf("no error for %d of %d bytes", n, len(src))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, picture(9, 7), 9, nil))
	f.Add(encode(f, picture(33, 20), 33, func(o *jpeg2000.Options) { o.TileSize = image.Pt(16, 16); o.NumLayers = 2 }))
	f.Fuzz(func(t *testing.T, src []byte) {
		h, err := parse(src)
		if err != nil || h.image.width() > 1<<12 || h.image.height() > 1<<12 || h.image.width()*h.image.height() > 1<<16 {
			return
		}
		dst := make([]uint32, h.image.width()*h.image.height())
		if Decode(dst, src) != nil {
			return
		}
		for i, v := range dst {
			if v>>h.depth != 0 {
				t.Fatalf("pixel %d of %d bits is %d", i, h.depth, v)
			}
		}
	})
}
