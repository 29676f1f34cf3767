package blosc

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// vector is a frame or chunk that another program wrote. interop/codecs/freeze_blosc.py made them.
type vector struct {
	Name, Writer, Kind, Raw string
	// Of the payloads of the reference.
	Codec                   string
	Level, TypeSize, Filter int
	// Exact means that this package writes the same bytes.
	Exact bool
}

func vectors(tb testing.TB) []vector {
	tb.Helper()
	var all []vector
	if err := json.Unmarshal(testdata(tb, "MANIFEST.json"), &all); err != nil || len(all) == 0 {
		tb.Fatalf("%d vectors, error %v", len(all), err)
	}
	return all
}

func testdata(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// decoders are the functions for each kind of vector.
var decoders = map[string]func(dst, src []byte, want int) ([]byte, error){
	"frame": Decode, "chunk": DecodeChunk, "array": DecodeArray,
}

func TestDecodeVectors(t *testing.T) {
	for _, v := range vectors(t) {
		src, raw := testdata(t, v.Name), testdata(t, v.Raw)
		decode := decoders[v.Kind]
		got, err := decode(nil, src, len(raw))
		if err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%s by %s: other bytes, error %v", v.Name, v.Writer, err)
		}
		for _, want := range []int{len(raw) - 1, len(raw) + 1} {
			if _, err := decode(nil, src, want); err == nil {
				t.Errorf("%s decodes to %d bytes", v.Name, want)
			}
		}
		for n := range len(src) {
			if _, err := decode(nil, src[:n], len(raw)); err == nil {
				t.Errorf("%s cut to %d of %d bytes decodes", v.Name, n, len(src))
				break
			}
		}
	}
}

// TestEncodeVectors writes the content of the reference's frames. The bytes are the same where no
// C compression library decides about them, otherwise the frame is about the same size.
func TestEncodeVectors(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Codec == "" {
			continue
		}
		raw, want := testdata(t, v.Raw), testdata(t, v.Name)
		codec, err := ParseCodec(v.Codec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Encode([]byte("prefix"), raw, Params{Codec: codec, Level: v.Level, TypeSize: v.TypeSize, Filter: Filter(v.Filter)})
		if err != nil || string(got[:6]) != "prefix" {
			t.Fatalf("%s: %v", v.Name, err)
		}
		got = got[6:]
		if v.Exact && !bytes.Equal(got, want) {
			t.Errorf("%s: %d other bytes than the %d of %s", v.Name, len(got), len(want), v.Writer)
		}
		if len(got) > len(want)*5/4+20 {
			t.Errorf("%s: %d bytes, %s writes %d", v.Name, len(got), v.Writer, len(want))
		}
		if !bytes.Equal(got[97:97+2], want[97:97+2]) || got[97+22] != want[97+22] {
			t.Errorf("%s: other chunk header % x, expected % x", v.Name, got[97:97+32], want[97:97+32])
		}
	}
}
