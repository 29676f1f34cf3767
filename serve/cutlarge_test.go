package serve

import (
	"slices"
	"testing"
)

func TestPartShape(t *testing.T) {
	for _, c := range []struct{ chunk, shape, want []uint64 }{
		{[]uint64{12500, 12500}, []uint64{12500, 12500}, []uint64{167, 12500}},
		{[]uint64{1, 30000, 1000}, []uint64{9, 30000, 1000}, []uint64{1, 2097, 1000}},
		{[]uint64{5, 4096, 4096}, []uint64{10, 4096, 4096}, []uint64{1, 512, 4096}},
		{[]uint64{30, 1 << 20}, []uint64{60, 1 << 20}, []uint64{2, 1 << 20}}, // a divisor of 30
		{[]uint64{1 << 30}, []uint64{1 << 30}, []uint64{1 << 21}},
	} {
		if got := partShape(c.chunk, c.shape, 8); !slices.Equal(got, c.want) {
			t.Errorf("%v of %v: %v, expected %v", c.chunk, c.shape, got, c.want)
		}
	}
}
