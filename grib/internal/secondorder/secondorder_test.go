package secondorder

import "testing"

// TestExtended decodes two groups of third differences of a cube: 0, 1, 8, 27, 64, 125 have third
// difference 6.
func TestExtended(t *testing.T) {
	p := Extended{Groups: 2, FirstWidth: 4, WidthWidth: 3, LengthWidth: 3, Order: 3, InitialBits: 8}
	// Initial values 0, 1, 8, bias -1. Widths 0 and 2; lengths 2 and 3; first-order values 7 and 5;
	// integers 2, 2, 2.
	initial := []byte{0, 1, 8, 0x81}
	data := []byte{0b000_010_00, 0b010_011_00, 0x75, 0b10_10_10_00}
	g, err := ReadExtended(p, initial, data)
	if err != nil || g.Count() != 8 {
		t.Fatalf("%d integers (%v)", g.Count(), err)
	}
	var got []int64
	if err := g.Decode(func(q []int64) error { got = append(got, q...); return nil }); err != nil {
		t.Fatal(err)
	}
	for i, x := range got {
		if n := int64(i); x != n*n*n {
			t.Errorf("integer %d is %d, expected %d", i, x, n*n*n)
		}
	}
}

// FuzzGroups decodes arbitrary data in each form.
func FuzzGroups(f *testing.F) {
	f.Add(0, 2, 4, 3, 3, 3, 8, []byte{0, 1, 8, 0x81}, []byte{0b000_010_00, 0b010_011_00, 0x75, 0b10_10_10_00})
	f.Add(1, 2, 4, 3, 3, 0, 0, []byte{2, 1}, []byte{1, 2, 0x75, 0xff, 0xff})
	f.Add(2, 2, 4, 5, 0, 0, 0, []byte{}, []byte{1, 2, 0b10100000, 0x75, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, form, groups, first, a, b, order, initialBits int, initial, data []byte) {
		if groups < 0 || first < 0 || a < 0 || b < 0 || order < 0 || initialBits < 0 || a > 1<<16 {
			return
		}
		var g *Groups
		var err error
		switch form {
		case 0:
			g, err = ReadExtended(Extended{groups, first, a, b, order, initialBits}, initial, data)
		case 1:
			rows := make([]int, len(initial))
			for i, n := range initial {
				rows[i] = int(n)
			}
			g, err = ReadRows(groups, first, rows, data)
		default:
			g, err = ReadBitmap(groups, first, a, b == 0, data)
		}
		if err != nil || g.Count() > 1<<20 {
			return
		}
		n := 0
		if err := g.Decode(func(q []int64) error { n += len(q); return nil }); err == nil && n != g.Count() {
			t.Fatalf("%d integers, expected %d", n, g.Count())
		}
	})
}
