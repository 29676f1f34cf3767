package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	klauspost "github.com/klauspost/compress/flate"
)

const fuzzLimit = 1 << 16

// FuzzDeflate demands that raw deflate data decode here exactly when they do with the standard library, and
// to the same. Data that decode here must do so with klauspost/compress, too; it also takes some incomplete
// sets of codes that zlib and the standard library refuse.
func FuzzDeflate(f *testing.F) {
	for _, data := range samples() {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 9} {
			src := pack(f, level, data[:min(len(data), 2000)])
			f.Add(src[2 : len(src)-4])
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		want, err := standard(flate.NewReader(bytes.NewReader(src)), fuzzLimit)
		other, otherErr := standard(klauspost.NewReader(bytes.NewReader(src)), fuzzLimit)
		dst := make([]byte, fuzzLimit)
		in, out, ours := raw(dst, src)
		comparePlain(t, src, dst[:out], in, ours)
		if in > len(src) {
			t.Fatalf("read %d of %d bytes", in, len(src))
		}
		if (err == nil) != (ours == nil) || (otherErr != nil && ours == nil) {
			t.Fatalf("%v; the standard library: %v; klauspost: %v", ours, err, otherErr)
		}
		if ours != nil {
			return
		}
		if !bytes.Equal(dst[:out], want) || !bytes.Equal(want, other) {
			t.Fatal("other data")
		}
		// Memory of just the right size is filled by the slow loop at its end.
		exact := make([]byte, out)
		if err := Zlib(exact, deflated(src[:in:in], want)); err != nil || !bytes.Equal(exact, want) {
			t.Fatalf("with memory of the exact size: %v", err)
		}
	})
}

// comparePlain demands that without assembly the same comes of src.
func comparePlain(t *testing.T, src, want []byte, wantIn int, wantErr error) {
	t.Helper()
	dst := make([]byte, fuzzLimit)
	in, out, err := (&decoder{plain: true}).raw(dst, src)
	if in != wantIn || !bytes.Equal(dst[:out], want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("without assembly %d bytes from %d, %v; with it %d from %d, %v", out, in, err, len(want), wantIn, wantErr)
	}
}

// TestPlain compares both ways for streams with every kind of match, and when they are damaged.
func TestPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, data := range samples() {
		for _, level := range []int{zlib.HuffmanOnly, 1, 9} {
			src := pack(t, level, data[:min(len(data), fuzzLimit)])[2:]
			for i := range 10 {
				dst := make([]byte, fuzzLimit)
				in, out, err := raw(dst, src)
				comparePlain(t, src, dst[:out], in, err)
				if i < 9 && len(src) > 0 {
					src = slices.Clone(src)
					src[rng.IntN(len(src))] ^= 1 << rng.IntN(8)
				}
			}
		}
	}
}

// FuzzZlib is FuzzDeflate for whole streams.
func FuzzZlib(f *testing.F) {
	for _, data := range samples() {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 9} {
			f.Add(pack(f, level, data[:min(len(data), 2000)]))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var want []byte
		z, err := zlib.NewReader(bytes.NewReader(src))
		if err == nil {
			want, err = standard(z, fuzzLimit)
		}
		got, ours := ZlibUpTo(src, fuzzLimit)
		if (err == nil) != (ours == nil) {
			t.Fatalf("%v, the standard library: %v", ours, err)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatal("other data")
		}
	})
}
