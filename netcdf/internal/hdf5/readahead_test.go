package hdf5

import "testing"

func TestNeighbours(t *testing.T) {
	at := func(addr, size uint64) chunkRef { return chunkRef{addr: addr, size: size} }
	for name, c := range map[string]struct {
		refs  []chunkRef
		limit int
		want  int
	}{
		"none":        {nil, 10, 0},
		"one":         {[]chunkRef{at(100, 50)}, 10, 1},
		"adjoining":   {[]chunkRef{at(100, 50), at(150, 50), at(200, 1)}, 10, 3},
		"limited":     {[]chunkRef{at(100, 50), at(150, 50), at(200, 1)}, 2, 2},
		"small gap":   {[]chunkRef{at(100, 50), at(150+aheadGap, 50)}, 10, 2},
		"large gap":   {[]chunkRef{at(100, 50), at(151+aheadGap, 50)}, 10, 1},
		"backwards":   {[]chunkRef{at(150, 50), at(100, 50)}, 10, 1},
		"the same":    {[]chunkRef{at(100, 50), at(100, 50)}, 10, 1},
		"large":       {[]chunkRef{at(100, aheadBytes), at(100+aheadBytes, 1)}, 10, 1},
		"overflowing": {[]chunkRef{at(100, 50), at(150, 1<<64-100)}, 10, 1},
		"no address":  {[]chunkRef{at(1<<64-10, 50), at(40, 50)}, 10, 1},
	} {
		if got := neighbours(c.refs, c.limit); got != c.want {
			t.Errorf("%s: %d, expected %d", name, got, c.want)
		}
	}
}
