package shuffle

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

func random(n int) []byte {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// TestAgainstDefinition compares with the definition of the transposition for sizes with and
// without a kernel.
func TestAgainstDefinition(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 5, 7, 8, 16, 24} {
		for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 31, 64, 100, 1023, 1025, 3000} {
			src := random(n * size)
			want := make([]byte, len(src))
			for i := range n {
				for j := range size {
					want[j*n+i] = src[i*size+j]
				}
			}
			got := make([]byte, len(src))
			if err := Encode(got, src, size); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d elements of %d bytes are shuffled wrongly", n, size)
			}
			back := make([]byte, len(src))
			if err := Decode(back, got, size); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(back, src) {
				t.Fatalf("%d elements of %d bytes do not come back", n, size)
			}
		}
	}
}

// TestKernels compares the kernels in Go with the processor's.
func TestKernels(t *testing.T) {
	type kernel func(dst, src []byte, first, n int) int
	for size, k := range map[int][2]kernel{2: {encode2, decode2}, 4: {encode4, decode4}, 8: {encode8, decode8}} {
		for _, n := range []int{0, 15, 16, 17, 1000, 1024} {
			src := random(n * size)
			for i, fast := range []func(dst, src []byte, size, n int) int{encodeFast, decodeFast} {
				want, got := make([]byte, len(src)), make([]byte, len(src))
				end := fast(got, src, size, n)
				k[i](got, src, end, n)
				k[i](want, src, 0, n)
				if end%16 != 0 || end > n || !bytes.Equal(got, want) {
					t.Errorf("%d elements of %d bytes: kernel %d differs", n, size, i)
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ dst, src, size int }{{8, 8, 0}, {8, 8, -1}, {9, 9, 2}, {8, 16, 4}} {
		if err := Encode(make([]byte, c.dst), make([]byte, c.src), c.size); err == nil {
			t.Errorf("%+v was encoded", c)
		}
		if err := Decode(make([]byte, c.dst), make([]byte, c.src), c.size); err == nil {
			t.Errorf("%+v was decoded", c)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), 4)
	f.Fuzz(func(t *testing.T, src []byte, size int) {
		mid, back := make([]byte, len(src)), make([]byte, len(src))
		if Encode(mid, src, size) != nil {
			return
		}
		if err := Decode(back, mid, size); err != nil || !bytes.Equal(back, src) {
			t.Fatalf("%d bytes in elements of %d do not come back: %v", len(src), size, err)
		}
	})
}

func Benchmark(b *testing.B) {
	src := random(8 << 20)
	dst := make([]byte, len(src))
	for _, size := range []int{2, 4, 8, 16} {
		b.Run(fmt.Sprintf("encode%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if err := Encode(dst, src, size); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("decode%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if err := Decode(dst, src, size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestInPlace compares with the functions that have a second array, for whole blocks, a rest, and
// less than a block.
func TestInPlace(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 8, 16, 70_000} {
		per := max(blockBytes/size, 1)
		for _, n := range []int{0, 1, 5, per - 1, per, per + 1, 2*per - 1, 3 * per, 5*per + 17, 7*per + 3} {
			if n < 0 || n*size > 4<<20 {
				continue
			}
			src := random(n * size)
			want := make([]byte, len(src))
			if err := Encode(want, src, size); err != nil {
				t.Fatal(err)
			}
			got := bytes.Clone(src)
			if err := EncodeInPlace(got, size); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d elements of %d bytes are shuffled wrongly in place: %v", n, size, err)
			}
			if err := DecodeInPlace(got, size); err != nil || !bytes.Equal(got, src) {
				t.Fatalf("%d elements of %d bytes do not come back in place: %v", n, size, err)
			}
		}
	}
	for _, size := range []int{0, -1, 2} {
		if EncodeInPlace(make([]byte, 9), size) == nil || DecodeInPlace(make([]byte, 9), size) == nil {
			t.Errorf("9 bytes pass for elements of %d", size)
		}
	}
}
