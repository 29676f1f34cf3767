package nd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func randomShape(r *rand.Rand) []uint64 {
	shape := make([]uint64, r.IntN(5))
	for axis := range shape {
		shape[axis] = r.Uint64N(5)
	}
	return shape
}

// Positions, their numbers and their distances equal nested loops.
func TestPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 1000 {
		shape := randomShape(r)
		var want [][]uint64
		each(shape, nil, func(at []uint64) { want = append(want, slices.Clone(at)) })
		var got [][]uint64
		strides := Strides(shape, uint64(1))
		for at := range Positions(shape) {
			number := uint64(len(got))
			if Number(at, shape) != number || Offset(at, strides) != number || !slices.Equal(Place(make([]uint64, len(at)), number, shape), at) {
				t.Fatalf("position %v of %v has number %d, distance %d; %d has position %v", at, shape, Number(at, shape),
					Offset(at, strides), number, Place(make([]uint64, len(at)), number, shape))
			}
			got = append(got, slices.Clone(at))
		}
		if !slices.EqualFunc(got, want, slices.Equal) || uint64(len(got)) != Volume(shape) {
			t.Fatalf("positions of %v: %v", shape, got)
		}
		first, last := slices.Clone(shape), slices.Clone(shape)
		for axis := range first {
			first[axis], last[axis] = r.Uint64N(3), 0
			last[axis] = first[axis] + shape[axis] - 1
		}
		if slices.Contains(shape, 0) {
			continue
		}
		got = slices.Collect(Between(first, last))
		if !slices.EqualFunc(got, want, func(a, b []uint64) bool {
			for axis := range a {
				if a[axis] != first[axis]+b[axis] {
					return false
				}
			}
			return true
		}) {
			t.Fatalf("positions from %v to %v: %v", first, last, got)
		}
	}
}

// Tiles hold each element once, and come in the order of their first elements.
func TestTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 1000 {
		shape := randomShape(r)
		tile := make([]uint64, len(shape))
		for axis := range tile {
			tile[axis] = 1 + r.Uint64N(6)
		}
		seen, before, n := make([]int, Volume(shape)), -1, uint64(0)
		for start, count := range Tiles(shape, tile) {
			if s, c := Tile(n, shape, tile); !slices.Equal(s, start) || !slices.Equal(c, count) {
				t.Fatalf("tile %d of %v in %v: %v from %v on, expected %v from %v on", n, shape, tile, c, s, count, start)
			}
			n++
			if first := int(Number(start, shape)); first <= before {
				t.Fatalf("tiles %v of %v: element %d after %d", tile, shape, first, before)
			} else {
				before = first
			}
			for axis := range count {
				if start[axis]%tile[axis] != 0 || count[axis] > tile[axis] {
					t.Fatalf("tiles %v of %v: %v from %v on", tile, shape, count, start)
				}
			}
			for at := range Positions(count) {
				for axis := range at {
					at[axis] += start[axis]
				}
				seen[Number(at, shape)]++
				for axis := range at {
					at[axis] -= start[axis]
				}
			}
		}
		if slices.ContainsFunc(seen, func(n int) bool { return n != 1 }) {
			t.Fatalf("tiles %v of %v: elements are in %v of them", tile, shape, seen)
		}
	}
}

func TestTileOfNone(t *testing.T) {
	start, count := Tile(0, []uint64{3, 0}, []uint64{2, 1})
	if !slices.Equal(start, []uint64{0, 0}) || !slices.Equal(count, []uint64{2, 0}) {
		t.Errorf("%v from %v on", count, start)
	}
}

func TestBytes(t *testing.T) {
	for _, test := range []struct {
		shape []uint64
		n     int64
		ok    bool
	}{
		{nil, 8, true},
		{[]uint64{3, 4}, 96, true},
		{[]uint64{1 << 63, 1 << 63, 0}, 0, true},
		{[]uint64{1 << 59}, 1 << 62, true},
		{[]uint64{1<<59 + 1}, 0, false},
		{[]uint64{1 << 32, 1 << 32, 1 << 32}, 0, false},
	} {
		if n, ok := Bytes(test.shape, 8); n != test.n || ok != test.ok {
			t.Errorf("%v: %d, %v, expected %d, %v", test.shape, n, ok, test.n, test.ok)
		}
	}
}

func TestIsRun(t *testing.T) {
	strides := Strides([]uint64{3, 4, 5}, 2)
	for _, test := range []struct {
		count []uint64
		want  bool
	}{
		{[]uint64{3, 4, 5}, true}, {[]uint64{1, 2, 5}, true}, {[]uint64{1, 1, 3}, true},
		{[]uint64{2, 2, 5}, false}, {[]uint64{1, 2, 3}, false}, {[]uint64{3, 1, 1}, false},
	} {
		if got := IsRun(test.count, strides, 2); got != test.want {
			t.Errorf("%v: %v", test.count, got)
		}
	}
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		shape []uint64
		most  uint64
		want  []uint64
	}{
		{nil, 16, []uint64{}},
		{[]uint64{12500, 12500}, 16 << 20, []uint64{167, 12500}},
		{[]uint64{5, 4096, 4096}, 16 << 20, []uint64{1, 512, 4096}},
		{[]uint64{3, 100}, 80, []uint64{1, 10}},
		{[]uint64{3, 2}, 1, []uint64{1, 1}},
		{[]uint64{3, 0}, 80, []uint64{3, 1}},
	} {
		if got := Rows(c.shape, 8, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d bytes: %v, expected %v", c.shape, c.most, got, c.want)
		}
	}
}
