package half

import (
	"math"
	"testing"

	"github.com/x448/float16"
)

// TestAllNumbers compares every number with another implementation.
func TestAllNumbers(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		got, want := Float64(h), float64(float16.Frombits(h).Float32())
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%#04x is %g, expected %g", h, got, want)
		}
		if back := Bits(got); back != h && !math.IsNaN(got) {
			t.Fatalf("%g has the bits %#04x, expected %#04x", got, back, h)
		}
	}
	if got := Bits(math.NaN()); !math.IsNaN(Float64(got)) {
		t.Errorf("NaN has the bits %#04x", got)
	}
	if got := Bits(1e300); got != 0x7C00 {
		t.Errorf("1e300 has the bits %#04x, expected infinity", got)
	}
}
