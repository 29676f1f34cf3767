package sz3

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestToEven compares with the rounding of the library, which goes through integers.
func TestToEven(t *testing.T) {
	check := func(n float64) {
		t.Helper()
		want := math.Copysign(float64((int(math.Abs(n))+1)>>1*2), n)
		if got := toEven(n); got != want {
			t.Errorf("%v is rounded to %v, expected %v", n, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 5000 {
		for _, n := range []float64{float64(i), 2*maxRadius - 2 - float64(i), rng.Float64() * 2 * maxRadius, rng.ExpFloat64()} {
			for _, near := range []float64{n, math.Nextafter(n, 0), math.Nextafter(n, math.Inf(1))} {
				check(near)
				check(-near)
			}
		}
	}
}
