package j2k

import (
	"bytes"
	"encoding/binary"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"slices"
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
			got, err := decode(encode(t, want, size[0], func(o *jpeg2000.Options) { o.NumResolutions = levels + 1 }), len(want))
			if err != nil {
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

// decode decodes a stream whose image has n pixels.
func decode(src []byte, n int) ([]uint32, error) {
	m, err := Open(src)
	if err != nil {
		return nil, err
	}
	dst := make([]uint32, n)
	return dst, m.Decode(dst)
}

func TestKinds(t *testing.T) {
	want := picture(300, 170)
	for name, change := range map[string]func(*jpeg2000.Options){
		"plain":   nil,
		"layers":  func(o *jpeg2000.Options) { o.NumLayers = 3 },
		"tiles":   func(o *jpeg2000.Options) { o.TileSize = image.Pt(97, 64) },
		"blocks":  func(o *jpeg2000.Options) { o.CodeBlockSize = image.Pt(16, 32) },
		"markers": func(o *jpeg2000.Options) { o.EnableSOP, o.EnableEPH = true, true },
		"file":    func(o *jpeg2000.Options) { o.Format = jpeg2000.FormatJP2 },
		"LRCP":    func(o *jpeg2000.Options) { o.ProgressionOrder = 0 },
		"RLCP":    func(o *jpeg2000.Options) { o.ProgressionOrder = 1 },
		"RPCL":    func(o *jpeg2000.Options) { o.ProgressionOrder = 2 },
		"PCRL":    func(o *jpeg2000.Options) { o.ProgressionOrder = 3 },
		"CPRL":    func(o *jpeg2000.Options) { o.ProgressionOrder = 4 },
	} {
		got, err := decode(encode(t, want, 300, change), len(want))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: not what was encoded (%v)", name, err)
		}
	}
}

// TestTileHeader reads a stream of JasPer, which puts the quantization into the header of the tile
// part.
func TestTileHeader(t *testing.T) {
	want := picture(40, 30)
	src := encode(t, want, 40, nil)
	at := bytes.Index(src, []byte{markQCD >> 8, markQCD & 0xff})
	n := int(binary.BigEndian.Uint16(src[at+2:]))
	own := slices.Concat([]byte{markQCC >> 8, markQCC & 0xff, 0, byte(n + 1), 0}, src[at+4:at+2+n])
	for i := range src[at+5 : at+2+n] {
		src[at+5+i] = 0 // the main header is wrong
	}
	start := bytes.Index(src, []byte{markSOT >> 8, markSOT & 0xff})
	if length := binary.BigEndian.Uint32(src[start+6:]); length != 0 {
		binary.BigEndian.PutUint32(src[start+6:], length+uint32(len(own)))
	}
	got, err := decode(slices.Concat(src[:start+12], own, src[start+12:]), len(want))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("not what was encoded (%v)", err)
	}
	if got, err := decode(src, len(want)); err == nil && slices.Equal(got, want) {
		t.Error("the quantization is ignored")
	}
}

func TestTruncated(t *testing.T) {
	want := picture(40, 30)
	src := encode(t, want, 40, nil)
	for n := range len(src) - 2 { // without the last marker it is whole
		if _, err := decode(src[:n], len(want)); err == nil {
			t.Fatalf("no error for %d of %d bytes", n, len(src))
		}
	}
}

// streams returns the code streams that OpenJPEG wrote with all its options; package grib compares
// their decoded integers.
func streams(t testing.TB) [][]byte {
	t.Helper()
	b, err := os.ReadFile("../../testdata/jpeg2000.grib")
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, part := range bytes.Split(b, []byte(streamStart))[1:] {
		end := max(bytes.LastIndex(part, []byte("\xff\xd9")), 0)
		out = append(out, append([]byte(streamStart), part[:end]...))
	}
	return out
}

func FuzzDecode(f *testing.F) {
	for _, src := range streams(f) {
		f.Add(src)
	}
	f.Add(encode(f, picture(9, 7), 9, nil))
	f.Add(encode(f, picture(33, 20), 33, func(o *jpeg2000.Options) { o.TileSize = image.Pt(16, 16); o.NumLayers = 2 }))
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

// BenchmarkDecode measures our decoder and the library that encodes in these tests.
func BenchmarkDecode(b *testing.B) {
	pixels := picture(720, 361)
	stream := encode(b, pixels, 720, nil)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(2 * len(pixels)))
		for b.Loop() {
			if _, err := decode(stream, len(pixels)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(2 * len(pixels)))
		for b.Loop() {
			if _, err := jpeg2000.Decode(bytes.NewReader(stream)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
