package dataset

import (
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

// TestAligned: a group may have other dimensions than the groups above it, or the same.
func TestAligned(t *testing.T) {
	field := func(dim string, n uint64) *Variable {
		return &Variable{Name: "v", Dims: []string{dim}, Shape: []uint64{n}, DType: tgm.Float32}
	}
	labels := func(dim string, values ...byte) *Variable {
		return &Variable{Name: dim, Dims: []string{dim}, Shape: []uint64{uint64(len(values))}, DType: tgm.Uint8, Coordinate: true,
			data: func() ([]byte, error) { return values, nil }}
	}
	held := labels("x", 1, 2)
	held.data = nil
	group := func(name string, variables ...*Variable) *Group { return &Group{Name: name, Variables: variables} }
	for name, test := range map[string]struct {
		groups []*Group
		want   bool
	}{
		"one":              {[]*Group{group("", field("x", 2))}, true},
		"the same length":  {[]*Group{group("", field("x", 2)), group("a", field("x", 2))}, true},
		"another length":   {[]*Group{group("", field("x", 2)), group("a", field("x", 3))}, false},
		"another name":     {[]*Group{group("", field("x", 2)), group("a", field("y", 3))}, true},
		"inherited labels": {[]*Group{group("", labels("x", 1, 2)), group("a", field("x", 2))}, true},
		"equal labels":     {[]*Group{group("", labels("x", 1, 2)), group("a", labels("x", 1, 2))}, true},
		"other labels":     {[]*Group{group("", labels("x", 1, 2)), group("a", labels("x", 1, 3))}, false},
		"held labels":      {[]*Group{group("", labels("x", 1, 2)), group("a", held)}, false},
		"beside":           {[]*Group{group(""), group("a", field("x", 2)), group("ab", field("x", 3))}, true},
		"two above":        {[]*Group{group("", field("x", 2)), group("a"), group("a/b", field("x", 3))}, false},
		"none between":     {[]*Group{group("", field("x", 2)), group("a/b/c", field("x", 3))}, false},
	} {
		if got := (&Dataset{Groups: test.groups}).Aligned(); got != test.want {
			t.Errorf("%s: %v, expected %v", name, got, test.want)
		}
	}
}
