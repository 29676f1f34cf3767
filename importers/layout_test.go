package importers

import (
	"fmt"
	"testing"
)

func TestContiguousLayout(t *testing.T) {
	for _, c := range []struct {
		shape []uint64
		chunk string
		index []uint64
		at    string
	}{
		{nil, "[]", nil, "{100 8 []}"},
		{[]uint64{3, 4}, "[3 4]", []uint64{0, 0}, "{100 96 []}"},
		{[]uint64{1000, 721, 1440}, "[2 721 1440]", []uint64{7, 0, 0}, "{116282980 16611840 []}"},
		{[]uint64{1000, 72, 144}, "[200 72 144]", []uint64{1, 0, 0}, "{16588900 16588800 []}"},
		{[]uint64{2, 4 << 20}, "[1 2097152]", []uint64{1, 1}, "{50331748 16777216 []}"},
		{[]uint64{7, 0}, "[7 1]", []uint64{0, 0}, "{100 56 []}"},
	} {
		file := new(File)
		chunk, extent := ContiguousLayout(file, c.shape, 8, 100)
		e, _, _ := extent(c.index)
		at := fmt.Sprintf("{%d %d %v}", e.Offset, e.Length, e.Clipped)
		if fmt.Sprint(chunk) != c.chunk || at != c.at || e.File != file {
			t.Errorf("%v: chunks %v, %v at %v, expected %s and %s", c.shape, chunk, c.index, at, c.chunk, c.at)
		}
	}
}
