package complexpack

import (
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// plain decodes one integer at a time, by the formulas of the manual.
func plain(p Params, src []byte) []int64 {
	var q []int64
	ref := 0
	if p.Order > 0 {
		ref = (p.Order + 1) * 8 * p.ExtraOctets
	}
	width := (ref + p.Groups*p.Bits + 7) / 8 * 8
	length := (width + p.Groups*p.WidthBits + 7) / 8 * 8
	at := (length + p.Groups*p.LengthBits + 7) / 8 * 8
	for g := range p.Groups {
		r := int64(bits.Uint(src, ref+g*p.Bits, p.Bits))
		w := p.WidthReference + int(bits.Uint(src, width+g*p.WidthBits, p.WidthBits))
		n := p.LengthReference + p.LengthIncrement*int(bits.Uint(src, length+g*p.LengthBits, p.LengthBits))
		if g == p.Groups-1 {
			n = p.LastLength
		}
		for range n {
			x := int64(bits.Uint(src, at, w))
			at += w
			all := int64(1)<<w - 1
			if w == 0 {
				x, all = r, int64(1)<<p.Bits-1
			}
			switch {
			case p.MissingManagement > 0 && x == all, p.MissingManagement > 1 && x == all-1:
				q = append(q, Missing)
			case w == 0:
				q = append(q, r)
			default:
				q = append(q, r+x)
			}
		}
	}
	return undoPlain(p, src, q)
}

func undoPlain(p Params, src []byte, q []int64) []int64 {
	if p.Order == 0 {
		return q
	}
	w := 8 * p.ExtraOctets
	minimum := int64(bits.Uint(src, p.Order*w+1, w-1))
	if bits.Uint(src, p.Order*w, 1) == 1 {
		minimum = -minimum
	}
	var before []int64 // the values so far that are not missing
	for i, x := range q {
		if x == Missing {
			continue
		}
		switch n := len(before); {
		case n < p.Order:
			x = int64(bits.Uint(src, n*w, w))
		case p.Order == 1:
			x += minimum + before[n-1]
		default:
			x += minimum + 2*before[n-1] - before[n-2]
		}
		q[i] = x
		before = append(before, x)
	}
	return q
}

func TestAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := Params{Bits: rng.IntN(20), MissingManagement: rng.IntN(3), Groups: 1 + rng.IntN(90), WidthReference: rng.IntN(5), WidthBits: rng.IntN(4),
			LengthReference: rng.IntN(300), LengthIncrement: rng.IntN(4), LastLength: rng.IntN(5000), LengthBits: rng.IntN(6), Order: rng.IntN(3), ExtraOctets: 1 + rng.IntN(3)}
		src := make([]byte, 80000)
		for i := range src {
			src[i] = byte(rng.Uint32())
		}
		want := plain(p, src)
		p.N = len(want)
		var got []int64
		if err := Decode(p, src, func(q []int64) error { got = append(got, q...); return nil }); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%+v: integer %d is %d, expected %d", p, i, got[i], want[i])
			}
		}
		p.N++
		if err := Decode(p, src, func([]int64) error { return nil }); err == nil {
			t.Fatalf("%+v: no error for a value too few", p)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{10, 0, 3, 2, 3, 5, 1, 4, 3, 2, 2}, 30, make([]byte, 40))
	f.Fuzz(func(t *testing.T, b []byte, n int, src []byte) {
		if len(b) < 11 || n < 0 || n > 1<<16 {
			return
		}
		p := Params{N: n, Bits: int(b[0]), MissingManagement: int(b[1]), Groups: int(b[2]), WidthReference: int(b[3]), WidthBits: int(b[4]),
			LengthReference: int(b[5]), LengthIncrement: int(b[6]), LastLength: int(b[7]), LengthBits: int(b[8]), Order: int(b[9]), ExtraOctets: int(b[10])}
		var got []int64
		if err := Decode(p, src, func(q []int64) error { got = append(got, q...); return nil }); err != nil {
			return
		}
		if len(got) != n {
			t.Fatalf("%d integers, expected %d", len(got), n)
		}
		if p.Order > 0 && p.ExtraOctets == 0 {
			return
		}
		for i, x := range plain(p, append(src, make([]byte, 16)...)) {
			if got[i] != x {
				t.Fatalf("integer %d is %d, expected %d", i, got[i], x)
			}
		}
	})
}

// TestNoGroups expects no integers without groups. Package grib then gives the field its
// reference value everywhere.
func TestNoGroups(t *testing.T) {
	for _, p := range []Params{{N: 3, Bits: 24}, {N: 3, Bits: 24, Order: 1}, {N: 4, Order: 2, ExtraOctets: 1}} {
		if err := Decode(p, []byte{7, 8, 0x81}, func([]int64) error { return nil }); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
}
