package serve

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nameset"
)

// A dimension has one name in a group, as xarray asks: arrays that share a name share the
// dimension's length and, where a coordinate array has the name, its labels.
type dimension struct {
	wanted string // the name that the metadata give
	length uint64
	grid   string // fields on different grids have different labels, whatever the lengths
}

// dimensionNames finds a name for every dimension of the arrays of a group by the rules of [MessageView].
func dimensionNames(arrays []knownArray) [][]string {
	byLength := coordinatesByLength(arrays)
	all := make([][]string, len(arrays))
	for i, a := range arrays {
		if all[i] = a.stated; all[i] == nil {
			all[i] = guessedNames(a, byLength)
		}
	}
	grids := gridsOfCoordinates(arrays, all)
	names := newDimensionNamer()
	// Coordinates first: where one has its dimension's name, the dimension has the name of the
	// array.
	for i, a := range arrays {
		if dims := all[i]; len(dims) == 1 && dims[0] == a.original && a.grid == "" {
			names.reserve(dimension{dims[0], a.shape[0], grids[i]}, a.name)
		}
	}
	for i, a := range arrays {
		dims := make([]string, len(all[i]))
		for axis, wanted := range all[i] {
			dims[axis] = names.name(dimension{wanted, a.shape[axis], grids[i]})
		}
		all[i] = dims
	}
	return all
}

// gridsOfCoordinates finds the grid of every array. Coordinates do not say theirs, but they come in
// the order in which the fields brought them: the first one of a name and shape belongs to the
// first grid with such dimensions, and if there are as many of them as there are such grids, each
// belongs to its own. Else equal coordinates of several grids were stored once. Coordinates after
// the first then belong to an unknown grid, and share dimensions with none.
func gridsOfCoordinates(arrays []knownArray, all [][]string) []string {
	grids := make([]string, len(arrays))
	gridsWith := make(map[dimension][]string) // the grids that a name and length belong to, in order
	seen := make(map[dimension]bool)
	same := make(map[string][]int) // coordinates of one name, dimensions and shape
	for i, a := range arrays {
		if grids[i] = a.grid; a.grid == "" {
			key := fmt.Sprintf("%q %q %d", a.original, all[i], a.shape)
			same[key] = append(same[key], i)
			continue
		}
		for axis, wanted := range all[i] {
			d := dimension{wanted, a.shape[axis], a.grid}
			if !seen[d] {
				seen[d] = true
				d.grid = ""
				gridsWith[d] = append(gridsWith[d], a.grid)
			}
		}
	}
	for _, coordinates := range same {
		first := coordinates[0]
		candidates := commonGrids(all[first], arrays[first].shape, gridsWith)
		for rank, i := range coordinates {
			switch {
			case rank == 0 && len(candidates) > 0, len(candidates) == len(coordinates):
				grids[i] = candidates[rank]
			case len(candidates) > 0:
				grids[i] = arrays[i].name // a grid of its own
			}
		}
	}
	return grids
}

// commonGrids are the grids that have all dimensions of an array.
func commonGrids(dims []string, shape []uint64, gridsWith map[dimension][]string) []string {
	var common []string
	for axis, wanted := range dims {
		with := gridsWith[dimension{wanted: wanted, length: shape[axis]}]
		if axis == 0 {
			common = slices.Clone(with)
			continue
		}
		common = slices.DeleteFunc(common, func(grid string) bool { return !slices.Contains(with, grid) })
	}
	return common
}

// A dimensionNamer gives every dimension a name of its own.
type dimensionNamer struct {
	names map[dimension]string
	taken *nameset.Set
}

func newDimensionNamer() *dimensionNamer {
	return &dimensionNamer{make(map[dimension]string), nameset.New()}
}

// reserve names a dimension, unless it has a name or another dimension has this name.
func (n *dimensionNamer) reserve(d dimension, name string) {
	if _, known := n.names[d]; !known && n.taken.Claim(name) {
		n.names[d] = name
	}
}

// name is the name of a dimension: the wanted one if no other dimension has it, else the first of
// wanted_1, wanted_2, … that is free.
func (n *dimensionNamer) name(d dimension) string {
	name, known := n.names[d]
	if !known {
		name = n.taken.Next(d.wanted)
		n.names[d] = name
	}
	return name
}
