package spectral

import (
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// TestHarmonics decodes truncation 2 with a subset of truncation 0 and 8 bits. The data are
// integers 1 to 10 after a pair of IBM floats.
func TestHarmonics(t *testing.T) {
	h := Harmonics{J: 2, Subset: 0, Float: IBM32, Bits: 8, Scale: scale.New(100, 1, 0), Laplacian: 0.5}
	data := append([]byte{0x42, 0x76, 0xa0, 0, 0, 0, 0, 0}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	if err := h.Check(data); err != nil {
		t.Fatal(err)
	}
	if h.Check(data[:17]) == nil {
		t.Error("data that are too short pass")
	}
	got := make([]float64, Count(2))
	h.Decode(got, data)
	one, two := 1/math.Sqrt2, 1/math.Sqrt(6)
	want := []float64{118.625, 0, 102 * one, 0, 106 * two, 0, 110 * one, 112 * one, 114 * two, 116 * two, 118 * two, 120 * two}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-13 {
			t.Errorf("value %d is %v, expected %v", i, got[i], want[i])
		}
	}
}

func FuzzHarmonics(f *testing.F) {
	f.Add(2, 0, 8, 0.5, true, []byte{0x42, 0x76, 0xa0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Fuzz(func(t *testing.T, j, subset, bits int, laplacian float64, scaled bool, data []byte) {
		if j < 0 || j > 300 || bits < 0 {
			return
		}
		for _, float := range []Float{IBM32, IEEE32, IEEE64} {
			h := Harmonics{J: j, Subset: subset, Float: float, Bits: bits, Laplacian: laplacian, LastRowScaled: scaled}
			if h.Check(data) == nil {
				h.Decode(make([]float64, Count(j)), data)
			}
		}
	})
}

func FuzzBiFourier(f *testing.F) {
	f.Add(Ellipse, 4, 7, Diamond, 2, 3, true, 8, 112, make([]byte, 900))
	f.Fuzz(func(t *testing.T, shape, n, m, subShape, subN, subM int, keep bool, bits, count int, data []byte) {
		if n > 300 || m > 300 || subN > 300 || subM > 300 || bits < 0 || count > 1<<20 {
			return
		}
		b := BiFourier{Field: Truncation{shape, n, m}, Subset: Truncation{subShape, subN, subM}, KeepAxes: keep, Float: IEEE64, Bits: bits, Laplacian: 1}
		if b.Check(count, data) == nil {
			if err := b.Decode(make([]float64, count), data); err != nil {
				t.Fatal(err)
			}
		}
	})
}
