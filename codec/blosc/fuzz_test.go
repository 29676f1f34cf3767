package blosc

import (
	"bytes"
	"errors"
	"testing"
)

// typed fails unless err is one of the errors that the package promises.
func typed(t *testing.T, err error) {
	t.Helper()
	var format *FormatError
	var u *UnsupportedError
	if err != nil && !errors.As(err, &format) && !errors.As(err, &u) {
		t.Fatalf("%T: %v", err, err)
	}
}

// FuzzDecode decodes anything as a frame, a chunk and an array.
func FuzzDecode(f *testing.F) {
	for _, v := range vectors(f) {
		if src := testdata(f, v.Name); len(src) < 4096 {
			f.Add(src, len(testdata(f, v.Raw)))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, want int) {
		if want < 0 || want > 1<<20 {
			return
		}
		for name, decode := range decoders {
			got, err := decode(nil, src, want)
			typed(t, err)
			if err == nil && len(got) != want {
				t.Fatalf("%s: %d bytes without an error, expected %d", name, len(got), want)
			}
		}
		if chunk, err := DecodeChunk(nil, src, want); err == nil {
			part := make([]byte, want/2)
			if err := DecodePart(part, bytes.NewReader(src), int64(len(src)), want, want/3); err != nil || !bytes.Equal(part, chunk[want/3:][:len(part)]) {
				t.Fatalf("a part of a chunk that decodes: %v", err)
			}
		} else if err := DecodePart(make([]byte, want), bytes.NewReader(src), int64(len(src)), want, 0); err != nil {
			typed(t, err)
		}
		frame, err := OpenFrame(bytes.NewReader(src), int64(len(src)), int64(want))
		typed(t, err)
		whole, wholeErr := Decode(nil, src, want)
		if err != nil || wholeErr != nil || want < 3 {
			return
		}
		part := make([]byte, want/2)
		if _, err := frame.ReadAt(part, int64(want/3)); err != nil || !bytes.Equal(part, whole[want/3:][:len(part)]) {
			t.Fatalf("a range of a frame that decodes: %v", err)
		}
	})
}

func FuzzBloscLZ(f *testing.F) {
	var z bloscLZ
	for _, raw := range [][]byte{wave(500), make([]byte, 300), bytes.Repeat([]byte("abcdefg"), 50)} {
		dst := make([]byte, len(raw))
		f.Add(dst[:z.encode(dst, raw, 9)], raw)
	}
	f.Fuzz(func(t *testing.T, src, raw []byte) {
		_ = decodeBloscLZ(make([]byte, len(raw)), src) // must not panic
		for _, level := range []int{1, 5, 9} {
			dst := make([]byte, len(raw))
			n := z.encode(dst, raw, level)
			if n == 0 {
				continue
			}
			back := make([]byte, len(raw))
			if err := decodeBloscLZ(back, dst[:n]); err != nil || !bytes.Equal(back, raw) {
				t.Fatalf("level %d: %d bytes do not come back: %v", level, len(raw), err)
			}
		}
	})
}

// FuzzRoundTrip encodes anything with any parameters.
func FuzzRoundTrip(f *testing.F) {
	f.Add(wave(1000), uint8(1), uint8(5), uint8(8), uint8(1), uint16(400))
	f.Add(make([]byte, 1000), uint8(5), uint8(9), uint8(3), uint8(2), uint16(0))
	f.Fuzz(func(t *testing.T, raw []byte, codec, level, size, filter uint8, chunk uint16) {
		p := Params{Codec: Codec(codec % 6), Level: int(level % 10), TypeSize: int(size), Filter: Filter(filter % 3), ChunkSize: int(chunk)}
		if _, err := p.checked(); err != nil || p.ChunkSize > 0 && len(raw)/p.ChunkSize > 1000 {
			return
		}
		roundTrip(t, raw, p)
	})
}
