package geometry

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// store puts a row-major field of nj rows of ni points into storage order. It follows the words of
// flag table 3.4.
func store(v []int, ni, nj int, s Scan) []int {
	var out []int
	if s.ConsecutiveJ() {
		for i := range ni {
			for j := range nj {
				if s.Alternating() && i%2 == 1 {
					j = nj - 1 - j
				}
				out = append(out, v[j*ni+i])
			}
		}
		return out
	}
	for j := range nj {
		for i := range ni {
			if s.Alternating() && j%2 == 1 {
				i = ni - 1 - i
			}
			out = append(out, v[j*ni+i])
		}
	}
	return out
}

func plain(ni, nj int, s Scan) *Grid {
	return &Grid{NumberOfDataPoints: ni * nj, Ni: ni, Nj: nj, Scan: s, family: &latLon{}}
}

func TestReorder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range []Scan{0, 0x10, 0x20, 0x30, 0xf0, 0xc0, 0x50} {
		for _, size := range [][2]int{{1, 1}, {7, 5}, {70, 33}, {1, 9}, {9, 1}, {32, 64}} {
			ni, nj := size[0], size[1]
			t.Run(fmt.Sprintf("%02x %dx%d", uint8(s), nj, ni), func(t *testing.T) {
				g := plain(ni, nj, s)
				want := r.Perm(ni * nj)
				stored := store(want, ni, nj, s)
				if g.NeedsReorder() == slices.Equal(stored, want) && ni > 2 && nj > 2 {
					t.Errorf("NeedsReorder is %v", g.NeedsReorder())
				}

				raw := make([]byte, 0, 3*len(stored))
				bits := make([]byte, (len(stored)+7)/8)
				for k, v := range stored {
					raw = append(raw, byte(v), byte(v>>8), 'x')
					if v%3 == 0 {
						bits[k/8] |= 0x80 >> (k % 8)
					}
				}
				got, err := Reorder(g, slices.Clone(stored))
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("Reorder gives %v, %v, want %v", got, err, want)
				}
				b, err := g.ReorderBytes(raw, 3)
				if err != nil {
					t.Fatal(err)
				}
				m, err := g.ReorderBits(bits)
				if err != nil {
					t.Fatal(err)
				}
				for k, v := range want {
					if got := int(b[3*k]) | int(b[3*k+1])<<8; got != v || b[3*k+2] != 'x' {
						t.Fatalf("ReorderBytes has %d at %d, want %d", got, k, v)
					}
					if got := m[k/8]&(0x80>>(k%8)) != 0; got != (v%3 == 0) {
						t.Fatalf("ReorderBits has %v at %d", got, k)
					}
				}
			})
		}
	}
}

func TestReorderRefuses(t *testing.T) {
	g := plain(4, 3, 0x10)
	var f *FormatError
	if _, err := Reorder(g, make([]float64, 11)); !errors.As(err, &f) {
		t.Errorf("11 values on 12 points: %v", err)
	}
	if _, err := g.ReorderBytes(make([]byte, 23), 2); !errors.As(err, &f) {
		t.Errorf("23 bytes as elements of 2: %v", err)
	}
	if _, err := g.ReorderBits(make([]byte, 3)); !errors.As(err, &f) {
		t.Errorf("a mask of 3 bytes for 12 points: %v", err)
	}
}

func BenchmarkReorder(b *testing.B) {
	for _, s := range []Scan{0x10, 0x20} {
		b.Run(fmt.Sprintf("%02x", uint8(s)), func(b *testing.B) {
			g := plain(1440, 721, s)
			v := make([]float64, 1440*721)
			b.SetBytes(int64(8 * len(v)))
			for b.Loop() {
				var err error
				if v, err = Reorder(g, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRestore expects Restore to undo Reorder, for every scanning mode.
func TestRestore(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for scan := 0; scan < 256; scan += 16 {
		ni, nj := 1+rng.IntN(40), 1+rng.IntN(40)
		g := plain(ni, nj, Scan(scan))
		stored := rng.Perm(ni * nj)
		rows, err := Reorder(g, slices.Clone(stored))
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Restore(g, rows); err != nil || !slices.Equal(back, stored) {
			t.Errorf("scanning mode %d, %d by %d: values do not come back (%v)", scan, ni, nj, err)
		}
		bits := make([]byte, (ni*nj+7)/8)
		for i := range ni * nj {
			bits[i>>3] |= byte(rng.IntN(2)) << (7 - i&7)
		}
		turned, err := g.ReorderBits(bits)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := g.RestoreBits(turned); err != nil || !slices.Equal(back, bits) {
			t.Errorf("scanning mode %d, %d by %d: bits do not come back (%v)", scan, ni, nj, err)
		}
	}
	if _, err := Restore(plain(3, 3, 0x20), []int{1}); err == nil {
		t.Error("one value on a grid of nine points is restored")
	}
}
