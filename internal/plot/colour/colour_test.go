package colour_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/internal/plot/colour"
)

func ExampleFor() {
	fmt.Println(colour.For("2t", "2 metre temperature", "K", 210, 320).Table.Name)
	fmt.Println(colour.For("u", "U component of wind", "m s**-1", -30, 40).Table.Name)
	fmt.Println(colour.For("tp", "Total precipitation", "m", 0, 0.1).Zero)
	// Output:
	// temperature
	// balance
	// true
}

// lightness is L* of CIELAB, by which tables are judged independently of Oklab.
func lightness(t *colour.Table, x float64) float64 {
	c := t.At(x)
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	y := float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return float64(116*math.Cbrt(y)) - 16
}

// TestUniform demands that lightness goes one way (of diverging tables: to the middle and back),
// and in even steps.
func TestUniform(t *testing.T) {
	for _, name := range colour.Names() {
		table := colour.Named(name)
		if name == "land" || name == "humidity" {
			continue // two tables in one: sea and land, dry and wet
		}
		from, to := 0.0, 1.0
		if table.Diverging {
			to = 0.5
		}
		const n = 12
		total := lightness(table, to) - lightness(table, from)
		for i := range n {
			a, b := from+(to-from)*float64(i)/n, from+(to-from)*float64(i+1)/n
			step := (lightness(table, b) - lightness(table, a)) / (total / n)
			if step < 0.4 || step > 1.8 {
				t.Errorf("%s: from %.2f to %.2f lightness changes %.2f times as much as on average", name, a, b, step)
			}
		}
	}
}
