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

// TestBitsRounds: numbers between two others go to the nearer one, ties to the even one.
func TestBitsRounds(t *testing.T) {
	for h := uint16(0); h < 0x7BFF; h++ {
		low, high := Float64(h), Float64(h+1)
		middle := (low + high) / 2
		for v, want := range map[float64]uint16{
			middle: h + h&1, math.Nextafter(middle, 0): h, math.Nextafter(middle, high): h + 1,
		} {
			if got := Bits(v); got != want {
				t.Fatalf("%g gives %#04x, expected %#04x", v, got, want)
			}
			if got := Bits(-v); got != want|0x8000 {
				t.Fatalf("%g gives %#04x, expected %#04x", -v, got, want|0x8000)
			}
		}
	}
	for v, want := range map[float64]uint16{65519.99: 0x7BFF, 65520: 0x7C00, 1e300: 0x7C00, math.Inf(-1): 0xFC00, 1e-300: 0} {
		if got := Bits(v); got != want {
			t.Errorf("%g gives %#04x, expected %#04x", v, got, want)
		}
	}
}
