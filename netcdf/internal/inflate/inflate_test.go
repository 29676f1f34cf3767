package inflate

import (
	"bytes"
	stdadler "hash/adler32"
	"math/rand/v2"
	"testing"

	"compress/zlib"
)

func pack(t testing.TB, level int, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// samples are data of several kinds: noise, few symbols, long and short runs, text, bytes of numbers.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := map[string][]byte{"empty": {}, "one": {7}, "zeros": make([]byte, 100000)}
	noise := make([]byte, 70000)
	few := make([]byte, 70000)
	skew := make([]byte, 200000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
		few[i] = byte(r.IntN(3))
	}
	for i := range skew {
		skew[i] = byte(r.NormFloat64() * 12)
		if r.IntN(50) == 0 {
			skew[i] = byte(r.Uint32())
		}
	}
	out["noise"], out["few"], out["skew"] = noise, few, skew
	var repeats []byte
	for d := 1; d < 40; d++ {
		repeats = append(repeats, bytes.Repeat(noise[d:2*d], 1+r.IntN(300))...)
	}
	out["repeats"] = repeats
	for n := range 300 {
		out["short"+string(rune('a'+n%26))+string(rune('0'+n/26))] = skew[:n]
	}
	return out
}

func TestZlib(t *testing.T) {
	for name, data := range samples() {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 6, 9} {
			got := make([]byte, len(data))
			if err := Zlib(got, pack(t, level, data)); err != nil {
				t.Fatalf("%s, level %d: %v", name, level, err)
			}
			if !bytes.Equal(got, data) {
				t.Fatalf("%s, level %d: other data", name, level)
			}
			upTo, err := ZlibUpTo(pack(t, level, data), len(data))
			if err != nil || !bytes.Equal(upTo, data) {
				t.Fatalf("%s, level %d, up to %d: %v", name, level, len(data), err)
			}
		}
	}
}

func TestZlibDamage(t *testing.T) {
	data := samples()["skew"][:5000]
	packed := pack(t, 6, data)
	for n := range packed {
		if err := Zlib(make([]byte, len(data)), packed[:n]); err == nil {
			t.Fatalf("no error for the first %d of %d bytes", n, len(packed))
		}
	}
	for _, n := range []int{0, 1, 4999, 5001, 6000} {
		if err := Zlib(make([]byte, n), packed); err == nil {
			t.Errorf("no error for %d instead of 5000 bytes", n)
		}
	}
	if _, err := ZlibUpTo(packed, 4999); err == nil {
		t.Error("no error for a limit of 4999 of 5000 bytes")
	}
	for i := range packed {
		b := bytes.Clone(packed)
		b[i] ^= 0x10
		// The last block is an empty stored one: behind its three bits the byte is padding.
		if Zlib(make([]byte, len(data)), b) == nil && i != len(packed)-9 {
			t.Errorf("no error with byte %d changed", i)
		}
	}
}

func TestAdler32(t *testing.T) {
	ones := bytes.Repeat([]byte{255}, 100000)
	for name, data := range samples() {
		if got, want := adler32(data), stdadler.Checksum(data); got != want {
			t.Errorf("%s: %#x, expected %#x", name, got, want)
		}
	}
	for n := range 20 {
		if got, want := adler32(ones[n:]), stdadler.Checksum(ones[n:]); got != want {
			t.Errorf("ones from %d: %#x, expected %#x", n, got, want)
		}
	}
}

// FuzzZlib demands that a stream decodes here exactly when it does with the standard library, and to the
// same.
func FuzzZlib(f *testing.F) {
	for _, data := range samples() {
		if len(data) < 2000 {
			f.Add(pack(f, 6, data))
			f.Add(pack(f, zlib.HuffmanOnly, data))
			f.Add(pack(f, 0, data))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		const limit = 1 << 16
		r, err := zlib.NewReader(bytes.NewReader(src))
		var want []byte
		if err == nil {
			var b bytes.Buffer
			_, err = b.ReadFrom(&limited{r, limit + 1})
			want = b.Bytes()
		}
		got, gotErr := ZlibUpTo(src, limit)
		if len(want) > limit {
			return
		}
		if (err == nil) != (gotErr == nil) {
			t.Fatalf("%v, expected %v", gotErr, err)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatal("other data")
		}
	})
}

type limited struct {
	r interface{ Read([]byte) (int, error) }
	n int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.n <= 0 {
		return 0, bytes.ErrTooLarge
	}
	n, err := l.r.Read(p[:min(len(p), l.n)])
	l.n -= n
	return n, err
}

func BenchmarkZlib(b *testing.B) {
	data := samples()["skew"]
	packed := pack(b, 6, data)
	dst := make([]byte, len(data))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if err := Zlib(dst, packed); err != nil {
			b.Fatal(err)
		}
	}
}
