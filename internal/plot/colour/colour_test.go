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

// The colours of the first table of matplotlib at the ends, in the middle and at a quarter, and
// colours between these.
func TestKnown(t *testing.T) {
	for name, want := range map[string][3][3]int{
		"viridis": {{68, 1, 84}, {33, 145, 140}, {253, 231, 37}}, "plasma": {{13, 8, 135}, {204, 71, 120}, {240, 249, 33}},
		"viridis_r": {{253, 231, 37}, {33, 145, 140}, {68, 1, 84}}, "grey_r": {{245, 245, 245}, {116, 116, 116}, {11, 11, 11}},
	} {
		for i, x := range []float64{0, 0.5, 1} {
			c := colour.Named(name).At(x)
			for k, v := range []uint8{c.R, c.G, c.B} {
				if d := int(v) - want[i][k]; d < -4 || d > 4 {
					t.Errorf("%s at %v is %v, expected %v", name, x, c, want[i])
				}
			}
		}
	}
	if colour.Named("nosuch_r") != nil || colour.Named("_r") != nil {
		t.Error("a table without a name")
	}
}
