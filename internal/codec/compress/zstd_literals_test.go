package compress

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// weak returns bytes of which Huffman codes save less than a sixteenth, with other frequencies in each part.
func weak(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		if b[i] = byte(rng.Uint32()); i/50_000%2 == 0 && b[i] > 150 {
			b[i] -= 100
		}
	}
	return b
}

// TestPackedLiterals reads packed frames with the decoder here and with the decoder of the library.
func TestPackedLiterals(t *testing.T) {
	library, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer library.Close()
	text := bytes.Repeat([]byte("Huffman codes and matches. "), 20_000)
	for i := range text {
		if i%97 == 0 {
			text[i] = byte(i / 97)
		}
	}
	for _, test := range []struct {
		name  string
		src   []byte
		saved int // at least, of what the library stores
	}{
		{"weak", weak(1 << 20), 10_000},
		{"weak in a stream", weak(zstdStreamBytes + 12_345), 160_000},
		{"one block", weak(100_000), 1_000},
		{"noise", noise(1 << 20), 0},
		{"short", weak(5_000), 0},
		{"weak, then matches", append(weak(300_000), text...), 3_000},
		{"matches, then weak", append(bytes.Clone(text), weak(300_000)...), 0},
		{"alternating", bytes.Join([][]byte{noise(200_000), weak(200_000), text, weak(150_000)[50_000:], text, noise(100_000)}, nil), 1000},
		{"matches with noise between", bytes.Join([][]byte{weak(131_072), noise(131_072)[:65_536], weak(131_072)}, nil), 500},
	} {
		before := []byte("before")
		got, err := EncodeZstd(bytes.Clone(before), test.src, 3)
		if err != nil || !bytes.HasPrefix(got, before) {
			t.Fatalf("%s: error %v", test.name, err)
		}
		got = got[len(before):]
		enc, err := newZstdEncoder(zstd.SpeedDefault, 1)
		if err != nil {
			t.Fatal(err)
		}
		if plain := enc.EncodeAll(test.src, nil); len(got) > len(plain)-test.saved {
			t.Errorf("%s: %d bytes, without packing %d", test.name, len(got), len(plain))
		}
		if back, err := DecodeZstd(nil, got, len(test.src)); err != nil || !bytes.Equal(back, test.src) {
			t.Errorf("%s: read with error %v", test.name, err)
		}
		if back, err := library.DecodeAll(got, nil); err != nil || !bytes.Equal(back, test.src) {
			t.Errorf("%s: the library reads it with error %v", test.name, err)
		}
	}
}

// TestPackedWriter writes a frame a few bytes at a time.
func TestPackedWriter(t *testing.T) {
	enc, err := newZstdEncoder(zstd.SpeedDefault, 1)
	if err != nil {
		t.Fatal(err)
	}
	src := weak(400_000)
	plain := enc.EncodeAll(src, nil)
	want := packLiterals(bytes.Clone(plain), 0)
	if len(want) > len(plain)-1000 {
		t.Errorf("%d bytes, without packing %d", len(want), len(plain))
	}
	for _, step := range []int{1, 7, 1000, 131_075, len(plain)} {
		var got bytes.Buffer
		w := &packedWriter{w: &got, packer: newLiteralPacker()}
		for at := 0; at < len(plain); at += step {
			if _, err := w.Write(plain[at:min(at+step, len(plain))]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.flush(); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d bytes at a time: %d bytes, expected %d; error %v", step, got.Len(), len(want), err)
		}
	}
}

func TestLog2(t *testing.T) {
	for n := uint32(1); n < 1<<18; n += 1 + n/50 {
		if got, want := float64(logs().log2(n))/(1<<logBits), math.Log2(float64(n)); math.Abs(got-want) > 0.006 {
			t.Errorf("logarithm of %d: %v, expected %v", n, got, want)
		}
	}
}
