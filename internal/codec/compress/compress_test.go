package compress

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

type codec struct {
	name   string
	encode func(dst, src []byte) ([]byte, error)
	decode func(dst, src []byte, want int) ([]byte, error)
	stream func(w io.Writer, src []byte, want int) error
}

func zstdAt(level int) func(dst, src []byte) ([]byte, error) {
	return func(dst, src []byte) ([]byte, error) { return EncodeZstd(dst, src, level) }
}

var codecs = []codec{
	{"zstd", zstdAt(0), DecodeZstd, StreamZstd},
	{"zstd1", zstdAt(1), DecodeZstd, StreamZstd},
	{"zstd9", zstdAt(9), DecodeZstd, StreamZstd},
	{"zstd19", zstdAt(19), DecodeZstd, StreamZstd},
	{"lz4", EncodeLZ4, DecodeLZ4, StreamLZ4},
}

func samples() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	var floats []byte
	for i := range 30_000 {
		b := math.Float32bits(float32(280 + 30*math.Sin(float64(i)/300) + rng.Float64()))
		floats = append(floats, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
	}
	return map[string][]byte{
		"empty": {}, "one": {7}, "short": []byte("hello"), "zeros": make([]byte, 1<<20), "noise": noise, "floats": floats,
	}
}

func TestRoundTrip(t *testing.T) {
	for _, c := range codecs {
		for name, src := range samples() {
			coded, err := c.encode([]byte("prefix"), src)
			if err != nil {
				t.Fatalf("%s of %s: %v", c.name, name, err)
			}
			if string(coded[:6]) != "prefix" {
				t.Fatalf("%s of %s overwrites what it appends to", c.name, name)
			}
			coded = coded[6:]
			got, err := c.decode(nil, coded, len(src))
			if err != nil || !bytes.Equal(got, src) {
				t.Fatalf("%s of %s does not come back: %v", c.name, name, err)
			}
			room := make([]byte, len(src))
			var streamed bytes.Buffer
			if err := c.stream(&streamed, coded, len(src)); err != nil || !bytes.Equal(streamed.Bytes(), src) {
				t.Errorf("%s of %s does not come back as a stream: %v", c.name, name, err)
			}
			if got, err := c.decode(room, coded, len(src)); err != nil || len(src) > 0 && &got[0] != &room[0] {
				t.Errorf("%s of %s does not use the memory it is given: %v", c.name, name, err)
			}
			for _, want := range []int{len(src) - 1, len(src) + 1, 1 << (strconv.IntSize - 8)} {
				if want < 0 {
					continue
				}
				if _, err := c.decode(nil, coded, want); !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s of %s with %d bytes expected: %v", c.name, name, want, err)
				}
			}
		}
	}
}

// TestFloatsCompress fails if the encoder stores literals that entropy coding makes smaller.
func TestFloatsCompress(t *testing.T) {
	src := samples()["floats"]
	coded, err := EncodeZstd(nil, src, 0)
	if err != nil || len(coded) > len(src)*9/10 {
		t.Errorf("%d bytes of floats became %d: %v", len(src), len(coded), err)
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range codecs {
		src := samples()["floats"]
		coded, err := c.encode(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 3, 5, len(coded) / 2, len(coded) - 1} {
			if _, err := c.decode(nil, coded[:n], len(src)); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s cut to %d of %d bytes: %v", c.name, n, len(coded), err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, src := range samples() {
		if len(src) > 1<<16 {
			continue
		}
		for _, c := range codecs {
			coded, err := c.encode(nil, src)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(coded, len(src))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, want int) {
		if want < 0 || want > 1<<20 {
			return
		}
		for _, c := range []codec{codecs[0], codecs[4]} {
			got, err := c.decode(nil, src, want)
			if err == nil && len(got) != want {
				t.Fatalf("%s gives %d bytes without an error, expected %d", c.name, len(got), want)
			}
			var streamed bytes.Buffer
			streamErr := c.stream(&streamed, src, want)
			if err == nil && (streamErr != nil || !bytes.Equal(streamed.Bytes(), got)) || err != nil && streamErr == nil {
				t.Fatalf("%s as a stream: %v, %d bytes; as a whole: %v", c.name, streamErr, streamed.Len(), err)
			}
		}
	})
}

func Benchmark(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	var src []byte
	for i := range 500_000 {
		v := math.Float32bits(float32(280 + 30*math.Sin(float64(i)/300) + rng.Float64()))
		src = append(src, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	for _, c := range []codec{codecs[0], codecs[1], codecs[4]} {
		benchmark(b, c, src)
	}
}

func benchmark(b *testing.B, c codec, src []byte) {
	coded, err := c.encode(nil, src)
	if err != nil {
		b.Fatal(err)
	}
	room := make([]byte, 0, 2*len(src))
	b.Run(c.name+"/encode", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, err := c.encode(room, src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(c.name+"/decode", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, err := c.decode(room, coded, len(src)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestDecodeZstdStays demands that DecodeZstd leaves the bytes after its result in dst. DecodeZstdRoomy must
// leave the bytes after its room.
func TestDecodeZstdStays(t *testing.T) {
	want := bytes.Repeat([]byte("abcdefghijklmnop-"), 3000)
	coded, err := EncodeZstd(nil, want, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, decode := range map[string]struct {
		call func(dst, src []byte, want int) ([]byte, error)
		room int
	}{"DecodeZstd": {DecodeZstd, 0}, "DecodeZstdRoomy": {DecodeZstdRoomy, ZstdRoom}} {
		dst := bytes.Repeat([]byte{0xee}, len(want)+100)
		got, err := decode.call(dst[:0], coded, len(want))
		if err != nil || !bytes.Equal(got, want) || &got[0] != &dst[0] {
			t.Fatalf("%s: %d bytes, %v", name, len(got), err)
		}
		for i, b := range dst[len(want)+decode.room:] {
			if b != 0xee {
				t.Fatalf("%s wrote to byte %d after the result", name, decode.room+i)
			}
		}
	}
	if _, err := DecodeZstdRoomy(make([]byte, 0, len(want)+100), coded, len(want)-8); err == nil {
		t.Error("content that is longer than expected: no error")
	}
}
