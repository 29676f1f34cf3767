package geometry

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"
)

// TestPoints compares coordinates computed by parts with coordinates computed at once, for grids of
// every kind.
func TestPoints(t *testing.T) {
	kinds := make(map[string]int)
	eachFrozen(t, func(w *frozen, section []byte) {
		g, err := Parse(w.Edition, section, Centre(w.Centre), DataValues(w.Values))
		if err != nil || g.NumberOfDataPoints > 1<<16 {
			return
		}
		lat, lon, err := g.PointCoordinates()
		if err != nil {
			return
		}
		p, err := g.Points()
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
			return
		}
		kinds[g.GridType]++
		for _, part := range []int{1 + p.Len()/7, 1 + p.Len()/3, p.Len()} {
			both := make([][]float64, 4) // computed together, and one by one
			for first := 0; first < p.Len(); first += part {
				n := min(part, p.Len()-first)
				la, lo := make([]float64, n), slices.Repeat([]float64{math.NaN()}, n)
				if err := p.Read(first, la, lo); err != nil {
					t.Errorf("%s: %v", w.Name, err)
				}
				both[0], both[1] = append(both[0], la...), append(both[1], lo...)
				if err := p.Read(first, la, nil); err != nil {
					t.Errorf("%s: %v", w.Name, err)
				}
				if err := p.Read(first, nil, lo); err != nil {
					t.Errorf("%s: %v", w.Name, err)
				}
				both[2], both[3] = append(both[2], la...), append(both[3], lo...)
			}
			for i, got := range both {
				want := [][]float64{lat, lon}[i%2]
				if k := slices.IndexFunc(got, func(x float64) bool { return x != x }); len(got) != len(want) || !sameBits(got, want) {
					t.Errorf("%s: parts of %d points differ from the whole (first NaN %d)", w.Name, part, k)
				}
			}
		}
	})
	for _, kind := range []string{"regular_ll", "reduced_ll", "rotated_ll", "regular_gg", "reduced_gg", "lambert", "polar_stereographic",
		"mercator", "space_view", "lambert_azimuthal_equal_area", "healpix"} {
		if kinds[kind] == 0 {
			t.Errorf("no grid of type %s", kind)
		}
	}
}

// TestNestedPixel compares the places of nested pixels with their numbers.
func TestNestedPixel(t *testing.T) {
	for _, n := range []int{1, 2, 8, 64} {
		for ring := range 4*n - 1 {
			for p := range ringLength(n, ring) {
				if r, q := nestedPixel(n, nestedIndex(n, ring, p)); r != ring || q != p {
					t.Fatalf("Nside %d: pixel %d of ring %d is found as %d of %d", n, p, ring, q, r)
				}
			}
		}
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestPointsOutside asks for points that a grid does not have.
func TestPointsOutside(t *testing.T) {
	asked := 0
	eachFrozen(t, func(w *frozen, section []byte) {
		g, err := Parse(w.Edition, section, Centre(w.Centre), DataValues(w.Values))
		if err != nil || g.GridType != "lambert" && g.GridType != "reduced_ll" || asked > 8 {
			return
		}
		p, err := g.Points()
		if err != nil {
			return
		}
		asked++
		for _, first := range []int{-1, p.Len(), p.Len() + 1} {
			if p.Read(first, make([]float64, 1), nil) == nil {
				t.Errorf("%s: point %d of %d was computed", w.Name, first, p.Len())
			}
		}
		if p.Read(0, make([]float64, 1), make([]float64, 2)) == nil {
			t.Errorf("%s: slices of unequal lengths", w.Name)
		}
	})
	if asked == 0 {
		t.Error("no grid was asked")
	}
}

// TestLongAxis expects no coordinates for rows of more points than any grid in use. They would take
// 8 GB for a section of 72 bytes.
func TestLongAxis(t *testing.T) {
	g, err := FromGeometry(map[string]any{
		"gridType": "regular_ll", "edition": int64(2), "gridDefinitionTemplateNumber": int64(0), "numberOfDataPoints": int64(1 << 30),
		"Ni": int64(1 << 30), "Nj": int64(1), "scanningMode": int64(0), "shapeOfTheEarth": int64(6), "earthIsOblate": int64(0), "radius": 6371229.0,
		"latitudeOfFirstGridPointInDegrees": 0.0, "longitudeOfFirstGridPointInDegrees": 0.0, "latitudeOfLastGridPointInDegrees": 0.0,
		"longitudeOfLastGridPointInDegrees": 359.0, "iDirectionIncrementInDegrees": 0.1, "jDirectionIncrementInDegrees": 0.1,
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Coordinates": func() error { _, _, err := g.Coordinates(); return err }(),
		"Points":      func() error { _, err := g.Points(); return err }(),
		"Check":       g.CheckCoordinates(),
	} {
		if none := (*CoordinateError)(nil); !errors.As(err, &none) {
			t.Errorf("%s: %v, expected a CoordinateError", name, err)
		}
	}
}

// nestedIndex returns the nested number of pixel p of a ring, n a power of two.
func nestedIndex(n, ring, p int) int {
	k := bits.TrailingZeros(uint(n))
	ring++ // from 1, as in the paper
	var face, length, shift int
	switch {
	case ring < n:
		length = ring
		face = p / length
	case ring > 3*n:
		length = 4*n - ring
		face = p/length + 8
	default:
		length = n
		shift = ring & 1
		// Each base pixel lies between two rising and two falling diagonals, which give the face.
		r := ring - n
		falling := 1 + (p-(1+r)>>1)>>k
		rising := 1 + (p-(1-r+2*n)>>1)>>k
		switch {
		case rising == falling:
			face = rising | 4
		case rising < falling:
			face = rising
		default:
			face = falling + 8
		}
	}
	row := (2+face>>2)<<k - ring - 1
	column := 2*(p+1) - facePhase[face]*length - shift - 1
	if column >= 2*n {
		column -= 8 * n
	}
	i, j := max(0, row+column)>>1, max(0, row-column)>>1
	return face<<(2*k) + spread(i) + spread(j)<<1
}

// spread moves the bits of v to the even places.
func spread(v int) int {
	b := uint64(uint32(v))
	b = (b ^ b<<16) & 0x0000ffff0000ffff
	b = (b ^ b<<8) & 0x00ff00ff00ff00ff
	b = (b ^ b<<4) & 0x0f0f0f0f0f0f0f0f
	b = (b ^ b<<2) & 0x3333333333333333
	b = (b ^ b<<1) & 0x5555555555555555
	return int(b)
}
