package jpegpack

import (
	"bytes"
	"encoding/binary"
	"image"
	"testing"

	jpeg2000 "github.com/mrjoshuak/go-jpeg2000"
)

// stream makes a lossless code stream of 16-bit pixels.
func stream(t testing.TB, width, height int) ([]byte, []uint32) {
	t.Helper()
	img := image.NewGray16(image.Rect(0, 0, width, height))
	pixels := make([]uint32, width*height)
	for i := range pixels {
		pixels[i] = uint32(i * i % 65521)
		binary.BigEndian.PutUint16(img.Pix[2*i:], uint16(pixels[i]))
	}
	opts := jpeg2000.DefaultOptions()
	opts.Format, opts.Lossless = jpeg2000.FormatJ2K, true
	var b bytes.Buffer
	if err := jpeg2000.Encode(&b, img, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), pixels
}

func TestDecode(t *testing.T) {
	src, want := stream(t, 37, 20)
	m, err := Open(src)
	if err != nil || m.Width != 37 || m.Height != 20 || m.Bits != 16 {
		t.Fatalf("%+v, %v", m, err)
	}
	got := make([]uint32, len(want))
	if err := m.Decode(got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("pixel %d is %d, expected %d", i, got[i], want[i])
		}
	}
}

func TestTruncated(t *testing.T) {
	src, want := stream(t, 37, 20)
	for n := range len(src) - 2 { // without the last marker it is whole
		m, err := Open(src[:n])
		if err == nil {
			err = m.Decode(make([]uint32, len(want)))
		}
		if err == nil {
			t.Fatalf("no error for %d of %d bytes", n, len(src))
		}
	}
}

func FuzzDecode(f *testing.F) {
	src, _ := stream(f, 9, 7)
	f.Add(src)
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Open(src)
		if err != nil || m.Width > 1<<12 || m.Height > 1<<12 || m.Width*m.Height > 1<<16 {
			return
		}
		dst := make([]uint32, m.Width*m.Height)
		if m.Decode(dst) != nil {
			return
		}
		for i, v := range dst {
			if v>>m.Bits != 0 {
				t.Fatalf("pixel %d of %d bits is %d", i, m.Bits, v)
			}
		}
	})
}
