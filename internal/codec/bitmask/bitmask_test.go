package bitmask

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// patterns are masks of n elements of different density.
func patterns(n int) map[string]*Mask {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	out := map[string]*Mask{"empty": New(n), "full": New(n), "sparse": New(n), "half": New(n), "runs": New(n)}
	for i := range n {
		out["full"].Set(i)
		if rng.IntN(97) == 0 {
			out["sparse"].Set(i)
		}
		if rng.IntN(2) == 0 {
			out["half"].Set(i)
		}
		if i/113%3 == 1 {
			out["runs"].Set(i)
		}
	}
	return out
}

var lengths = []int{0, 1, 7, 8, 9, 63, 64, 65, 127, 1000, 65535, 65536, 65537, 200_001}

func TestAccess(t *testing.T) {
	for _, n := range lengths {
		for name, m := range patterns(n) {
			var want []int
			for i := range n {
				if m.Get(i) {
					want = append(want, i)
				}
			}
			if m.Count() != len(want) || m.Any() != (len(want) > 0) || m.Len() != n {
				t.Fatalf("%s of %d: count %d, any %t; expected %d", name, n, m.Count(), m.Any(), len(want))
			}
			if got := slices.Collect(m.Indices()); !slices.Equal(got, want) {
				t.Fatalf("%s of %d: indices differ", name, n)
			}
			for _, i := range want[:len(want)/2] {
				m.Clear(i)
			}
			if m.Count() != len(want)-len(want)/2 {
				t.Fatalf("%s of %d: %d elements left", name, n, m.Count())
			}
		}
	}
	var none *Mask
	if none.Count() != 0 || none.Any() || none.Len() != 0 || none.Get(5) {
		t.Error("a nil mask marks elements")
	}
}

func TestSlice(t *testing.T) {
	m := patterns(1000)["half"]
	for _, c := range [][2]int{{0, 1000}, {0, 0}, {1000, 0}, {1, 8}, {7, 9}, {8, 16}, {3, 997}, {999, 1}} {
		part, err := m.Slice(c[0], c[1])
		if err != nil || part.N != c[1] {
			t.Fatalf("%v: %v", c, err)
		}
		for i := range c[1] {
			if part.Get(i) != m.Get(c[0]+i) {
				t.Fatalf("%v: element %d differs", c, i)
			}
		}
		if rest := part.N % 8; rest != 0 && part.Bits[len(part.Bits)-1]&(0xFF>>rest) != 0 {
			t.Errorf("%v: bits past the end are set", c)
		}
	}
	for _, c := range [][2]int{{-1, 1}, {0, 1001}, {1000, 1}, {5, -1}} {
		if _, err := m.Slice(c[0], c[1]); err == nil {
			t.Errorf("%v was cut out", c)
		}
	}
}

func TestSerialisation(t *testing.T) {
	for _, method := range []Method{None, RLE, Roaring} {
		for _, n := range lengths {
			for name, m := range patterns(n) {
				coded, err := Encode([]byte{9}, m, method)
				if err != nil || coded[0] != 9 {
					t.Fatalf("%s, %s of %d: %v", method, name, n, err)
				}
				got, err := Decode(coded[1:], n, method)
				if err != nil || got.N != n || !bytes.Equal(got.Bits, m.Bits) {
					t.Fatalf("%s, %s of %d does not come back: %v", method, name, n, err)
				}
			}
		}
	}
}

func TestRunLengths(t *testing.T) {
	m := New(300)
	m.fill(3, 200)
	got, err := Encode(nil, m, RLE)
	if want := []byte{0, 3, 0xC5, 0x01, 100}; err != nil || !bytes.Equal(got, want) {
		t.Errorf("runs of 3, 197 and 100 are % x, %v; expected % x", got, err, want)
	}
}

func TestCorrupt(t *testing.T) {
	full, err := Encode(nil, patterns(1000)["full"], Roaring)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		src    []byte
		n      int
		method Method
	}{
		{"raw too short", []byte{1}, 9, None},
		{"raw too long", []byte{1, 2}, 8, None},
		{"runs empty", nil, 3, RLE},
		{"runs start with 2", []byte{2, 3}, 3, RLE},
		{"run of 0", []byte{0, 0, 3}, 3, RLE},
		{"runs too long", []byte{0, 4}, 3, RLE},
		{"runs too short", []byte{0, 2}, 3, RLE},
		{"run of 2^63", []byte{0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}, 3, RLE},
		{"run cut", []byte{0, 0x80}, 3, RLE},
		{"roaring empty", nil, 3, Roaring},
		{"roaring index past the end", full, 999, Roaring},
		{"roaring with more after it", append(bytes.Clone(full), 0), 1000, Roaring},
		{"roaring cut", full[:len(full)-1], 1000, Roaring},
	} {
		if _, err := Decode(c.src, c.n, c.method); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Decode(nil, -1, None); err == nil {
		t.Error("a negative length was accepted")
	}
	if _, err := Decode(nil, 0, "zip"); err == nil {
		t.Error("an unknown method was accepted")
	}
	if _, err := FromBits([]byte{1}, 9); err == nil {
		t.Error("one byte was taken for nine bits")
	}
}

// FuzzDecode encodes the mask that it decoded; that must decode to the same mask.
func FuzzDecode(f *testing.F) {
	for _, n := range []int{0, 9, 1000} {
		for _, m := range patterns(n) {
			for _, method := range []Method{None, RLE, Roaring} {
				coded, err := Encode(nil, m, method)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(coded, n)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, n int) {
		if n < 0 || n > 1<<20 {
			return
		}
		for _, method := range []Method{None, RLE, Roaring} {
			m, err := Decode(src, n, method)
			if err != nil {
				continue
			}
			coded, err := Encode(nil, m, method)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Decode(coded, n, method)
			if err != nil || !bytes.Equal(again.Bits, m.Bits) {
				t.Fatalf("%s of %d does not come back: %v", method, n, err)
			}
		}
	})
}

func Benchmark(b *testing.B) {
	const n = 721 * 1440
	for name, m := range patterns(n) {
		for _, method := range []Method{RLE, Roaring} {
			coded, err := Encode(nil, m, method)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(string(method)+"/"+name+"/encode", func(b *testing.B) {
				b.SetBytes(int64(len(m.Bits)))
				for b.Loop() {
					if _, err := Encode(nil, m, method); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(string(method)+"/"+name+"/decode", func(b *testing.B) {
				b.SetBytes(int64(len(m.Bits)))
				for b.Loop() {
					if _, err := Decode(coded, n, method); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
