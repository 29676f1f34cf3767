package dataset

import (
	"math"
	"slices"
)

// A code stands for a number of [numbers]. The zero code stands for absent.
type code uint32

// numbers are the numbers that fields have as coordinates, each of which is kept once.
type numbers struct {
	values []float64 // by code
	codes  map[float64]code
	recent [1 << recentBits]recentCode // by a few bits of a product of the number
	places []int32                     // by code, see place
	seen   []uint32                    // by code, the last pass of varying that met it
	passes uint32
}

// A recentCode is a number with its code. Fields one after the other have many numbers in common.
type recentCode struct {
	value float64
	code  code // 0 if there is none
}

const recentBits = 9

func (n *numbers) recently(v float64) *recentCode {
	const spread = 0x9E3779B97F4A7C15 // 2^64 by the golden ratio
	return &n.recent[math.Float64bits(v)*spread>>(64-recentBits)]
}

func newNumbers() *numbers {
	return &numbers{values: []float64{absent}, codes: map[float64]code{absent: 0}}
}

// code returns the code of a number, the code of absent for NaN.
func (n *numbers) code(v float64) code {
	if v != v || v == absent {
		return 0
	}
	recent := n.recently(v)
	if recent.value == v && recent.code != 0 {
		return recent.code
	}
	c, ok := n.codes[v]
	if !ok {
		c = code(len(n.values))
		n.values = append(n.values, v)
		n.codes[v] = c
	}
	*recent = recentCode{v, c}
	return c
}

// place returns the position of each number of set, by code. Other elements of the result mean nothing. It is valid
// until the next call.
func (n *numbers) place(set []float64) []int32 {
	n.places = append(n.places, make([]int32, len(n.values)-len(n.places))...)
	for i, v := range set {
		n.places[n.codes[v]] = int32(i)
	}
	return n.places
}

// varying returns the sorted values along each axis in which fields differ.
func (n *numbers) varying(fields []field) (sets [numAxes][]float64) {
	n.seen = append(n.seen, make([]uint32, len(n.values)-len(n.seen))...)
	for axis := range numAxes {
		n.passes++
		var set []float64
		for i := range fields {
			if c := fields[i].at[axis]; n.seen[c] != n.passes {
				n.seen[c] = n.passes
				set = append(set, n.values[c])
			}
		}
		if len(set) > 1 {
			slices.Sort(set)
			sets[axis] = set
		}
	}
	return sets
}

// distinct reports whether no two fields are at the same position, given the values along each
// axis. It may say false where there are too many combinations of these to look.
func (n *numbers) distinct(fields []field, sets [numAxes][]float64) bool {
	combinations := 1
	index := make([]int, len(fields))
	for axis, set := range sets {
		if len(set) == 0 {
			continue
		}
		if combinations *= len(set); combinations > max(64*len(fields), 1<<10) {
			return false
		}
		place := n.place(set)
		for i := range fields {
			index[i] = index[i]*len(set) + int(place[fields[i].at[axis]])
		}
	}
	taken := make([]bool, combinations)
	for _, i := range index {
		if taken[i] {
			return false
		}
		taken[i] = true
	}
	return true
}
