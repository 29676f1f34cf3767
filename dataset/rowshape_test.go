package dataset_test

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
)

func TestRowShape(t *testing.T) {
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
		if got := dataset.RowShape(c.shape, 8, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d bytes: %v, expected %v", c.shape, c.most, got, c.want)
		}
	}
}
