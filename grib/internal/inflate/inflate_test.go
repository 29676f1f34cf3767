package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

func compress(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// inputs are bytes of several kinds: nothing, noise, runs, text-like repetitions at all distances.
func inputs() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise, skewed, runs, far := make([]byte, 70000), make([]byte, 200000), make([]byte, 0, 100000), make([]byte, 100000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for i := range skewed {
		skewed[i] = byte(rng.ExpFloat64() * 9)
	}
	for len(runs) < 100000 {
		runs = append(runs, bytes.Repeat([]byte{byte(rng.Uint32())}, 1+rng.IntN(400))...)
	}
	copy(far, noise[:33000])
	for i := 33000; i < len(far); i++ {
		far[i] = far[i-1-rng.IntN(5)*6000]
	}
	return map[string][]byte{"empty": {}, "one": {7}, "noise": noise, "skewed": skewed, "runs": runs, "far": far}
}

func TestZlib(t *testing.T) {
	for name, data := range inputs() {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			src := compress(t, data, level)
			got := make([]byte, len(data))
			if err := Zlib(got, src); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s, level %d: %v", name, level, err)
			}
			if err := Zlib(make([]byte, len(data)+1), src); !errors.Is(err, ErrSize) {
				t.Errorf("%s, level %d, one byte more: %v", name, level, err)
			}
			if len(data) > 0 {
				if err := Zlib(make([]byte, len(data)-1), src); !errors.Is(err, ErrSize) {
					t.Errorf("%s, level %d, one byte less: %v", name, level, err)
				}
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	data := inputs()["skewed"][:3000]
	src := compress(t, data, flate.BestCompression)
	dst := make([]byte, len(data))
	for n := range src {
		if Zlib(dst, src[:n]) == nil {
			t.Fatalf("no error for %d of %d bytes", n, len(src))
		}
		damaged := bytes.Clone(src)
		damaged[n] ^= 0x10
		if err := Zlib(dst, damaged); err == nil && !bytes.Equal(dst, data) {
			t.Fatalf("byte %d changed: other data, no error", n)
		}
	}
}

// FuzzZlib compares with the standard library.
func FuzzZlib(f *testing.F) {
	for _, data := range inputs() {
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 9} {
			f.Add(compress(f, data[:min(len(data), 2000)], level))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		z, err := zlib.NewReader(bytes.NewReader(src))
		var want []byte
		if err == nil {
			want, err = io.ReadAll(io.LimitReader(z, 1<<20))
		}
		got := make([]byte, len(want))
		if ours := Zlib(got, src); err == nil && len(want) < 1<<20 && (ours != nil || !bytes.Equal(got, want)) {
			t.Fatalf("%v, the standard library reads %d bytes", ours, len(want))
		}
		_ = Zlib(make([]byte, 1<<16), src) // whatever it says: without a panic
	})
}

func BenchmarkZlib(b *testing.B) {
	for name, data := range inputs() {
		if len(data) < 2 {
			continue
		}
		b.Run(name, func(b *testing.B) {
			src := compress(b, data, flate.DefaultCompression)
			dst := make([]byte, len(data))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := Zlib(dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
