package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// TestPacked compares the kernels with one integer at a time, for every width and many lengths.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	src := make([]byte, 70000)
	for i := range src {
		src[i] = byte(rng.Uint32())
	}
	for _, s := range []Scale{New(-273.25, -7, 2), New(1.5, 3, 0), New(0, -40, -3)} {
		for width := range bits.MaxWidth + 1 {
			for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 1000, 9001} {
				size := (n*width + 7) / 8
				if size > len(src) {
					continue
				}
				for _, unpack := range []func(dst []float64, src []byte){s.Unpacker(width, n), s.plainUnpacker(width, n)} {
					got := make([]float64, n)
					unpack(got, src[:size:size]) // not a byte more than the integers take
					for i, v := range got {
						want := s.Value(float64(bits.Uint(src, i*width, width)))
						if math.Float64bits(v) != math.Float64bits(want) {
							t.Fatalf("width %d, %d values: value %d is %v, expected %v", width, n, i, v, want)
						}
					}
				}
			}
		}
	}
}

func TestIntegers(t *testing.T) {
	s := New(10, -2, 1)
	a, b := make([]float64, 3), make([]float64, 3)
	s.Uint32s(a, []uint32{0, 7, math.MaxUint32})
	s.Int64s(b, []int64{0, 7, math.MaxUint32})
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("value %d is %v and %v", i, a[i], b[i])
		}
	}
	q := make([]uint32, 31)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range q {
		q[n] = rng.Uint32()
		got := make([]float64, n)
		s.Uint32s(got, q[:n])
		for i, v := range got {
			if want := s.Value(float64(q[i])); v != want {
				t.Fatalf("%d of %d integers, %d, is %v, expected %v", i, n, q[i], v, want)
			}
		}
	}
	if a[1] != (7*0.25+10)/10 {
		t.Errorf("7 is %v", a[1])
	}
}

func TestFloats(t *testing.T) {
	for _, x := range []struct {
		b    [4]byte
		want float64
	}{
		{[4]byte{0x42, 0x76, 0xa0, 0x00}, 118.625},
		{[4]byte{0xc2, 0x76, 0xa0, 0x00}, -118.625},
		{[4]byte{0x00, 0x00, 0x00, 0x00}, 0},
		{[4]byte{0x41, 0x10, 0x00, 0x00}, 1},
		{[4]byte{0x7f, 0xff, 0xff, 0xff}, math.Ldexp(0xffffff, 4*63-24)},
		{[4]byte{0x00, 0x00, 0x00, 0x01}, math.Ldexp(1, -280)},
	} {
		if got := IBM32(x.b[:]); got != x.want {
			t.Errorf("IBM %x is %v, expected %v", x.b, got, x.want)
		}
	}
}

func BenchmarkPacked(b *testing.B) {
	const n = 1 << 20
	src := make([]byte, 8*n)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range src {
		src[i] = byte(rng.Uint32())
	}
	dst := make([]float64, n)
	s := New(250, -5, 0)
	for _, width := range []int{1, 8, 10, 12, 14, 16, 20, 24, 32, 48} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			b.SetBytes(8 * n)
			for b.Loop() {
				s.Packed(dst, src, width)
			}
		})
	}
}
