package narrow

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// numbers are n float64 of all kinds, including numbers that rounding treats in a special way.
func numbers(n int) []float64 {
	special := []float64{
		0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0xfff4000000000123),
		math.MaxFloat64, -math.MaxFloat64, math.MaxFloat32, math.MaxFloat32 * (1 + 0x1p-25), math.MaxFloat32 * (1 + 0x1p-24),
		math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat32 / 2, 0x1.8p-150, 0x1p-126 - 0x1p-151,
		1 + 0x1p-24, 1 + 0x1.8p-23, 1 + 0x1p-24 + 0x1p-52,
	}
	rng := rand.New(rand.NewPCG(1, 1))
	out := make([]float64, n)
	for i := range out {
		switch rng.IntN(3) {
		case 0:
			out[i] = special[rng.IntN(len(special))]
		case 1:
			out[i] = math.Float64frombits(rng.Uint64())
		default:
			out[i] = 280 + 20*rng.NormFloat64()
		}
	}
	return out
}

// The numbers equal Go's own conversion, at any length and alignment.
func TestNarrow(t *testing.T) {
	src := numbers(20000)
	for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 100, 4099, len(src)} {
		got := make([]float32, n)
		Float32s(got, src)
		for i, v := range got {
			if want := float32(src[i]); math.Float32bits(v) != math.Float32bits(want) {
				t.Fatalf("%d numbers: %v becomes %#x, expected %#x", n, src[i], math.Float32bits(v), math.Float32bits(want))
			}
		}
		for shift := range 3 {
			data := make([]byte, shift, shift+8*n)
			for _, v := range src[:n] {
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
			}
			data = data[shift:]
			for _, dst := range [][]byte{make([]byte, shift+4*n)[shift:], data[:4*n]} { // in place last
				Bytes(dst, data)
				for i, v := range got {
					if bits := binary.LittleEndian.Uint32(dst[4*i:]); bits != math.Float32bits(v) {
						t.Fatalf("%d numbers as bytes: %v becomes %#x, expected %#x", n, src[i], bits, math.Float32bits(v))
					}
				}
			}
		}
	}
}

// TestPut compares with numbers that are put one by one.
func TestPut(t *testing.T) {
	src := numbers(1000)
	for _, n := range []int{0, 1, 9, len(src)} {
		var singles, doubles []byte
		for _, v := range src[:n] {
			singles = binary.LittleEndian.AppendUint32(singles, math.Float32bits(float32(v)))
			doubles = binary.LittleEndian.AppendUint64(doubles, math.Float64bits(v))
		}
		got := make([]byte, 8*n+1) // one more, which stays 0
		if Put(got, src[:n], true); !bytes.Equal(got[:4*n+1], append(singles, 0)) {
			t.Errorf("%d numbers as float32: %x", n, got)
		}
		if Put(got, src[:n], false); !bytes.Equal(got, append(doubles, 0)) {
			t.Errorf("%d numbers as float64: %x", n, got)
		}
	}
}
