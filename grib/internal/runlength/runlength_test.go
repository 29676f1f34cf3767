package runlength

import "testing"

func TestDecode(t *testing.T) {
	// The data have 4 bits and levels up to 5, so digits to the base 10 from 6 on. They are
	// level 3 once; level 0 with 7 + 2·10 more; level 5 with 0 more, which is stated.
	p := Params{N: 1 + 28 + 1, Bits: 4, MaxLevel: 5}
	src := []byte{0x30, 0xd8, 0x56}
	var got [][2]int
	if err := Decode(p, src, func(level, n int) { got = append(got, [2]int{level, n}) }); err != nil {
		t.Fatal(err)
	}
	want := [][2]int{{3, 1}, {0, 28}, {5, 1}}
	if len(got) != len(want) {
		t.Fatalf("runs %v, expected %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("run %d is %v, expected %v", i, got[i], want[i])
		}
	}
}

func TestRefused(t *testing.T) {
	for name, x := range map[string]struct {
		p   Params
		src []byte
	}{
		"too few points":     {Params{40, 4, 5}, []byte{0x30, 0xd8, 0x56}},
		"too many points":    {Params{5, 4, 5}, []byte{0x30, 0xd8, 0x56}},
		"no level first":     {Params{5, 4, 5}, []byte{0xf0}},
		"no room for digits": {Params{5, 4, 15}, []byte{0xf0}},
		"no bits":            {Params{5, 0, 5}, []byte{0xf0}},
	} {
		if err := Decode(x.p, x.src, func(int, int) {}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(30, 4, 5, []byte{0x30, 0xd8, 0x56})
	f.Add(1<<30, 8, 3, []byte{0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, n, bits, maxLevel int, src []byte) {
		if n < 0 || bits < 0 || maxLevel < 0 || maxLevel > 0xffff {
			return
		}
		total := 0
		err := Decode(Params{n, bits, maxLevel}, src, func(level, run int) {
			if level > maxLevel || run < 1 && n > 0 || run > n-total {
				t.Fatalf("run of %d points of level %d after %d", run, level, total)
			}
			total += run
		})
		if err == nil && total != n {
			t.Fatalf("%d points, expected %d", total, n)
		}
	})
}
