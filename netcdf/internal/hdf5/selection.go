package hdf5

import (
	"cmp"
	"slices"
	"sort"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// selection is a set of elements of a dataspace. It has all elements, or the elements whose index
// on each axis is in a set of that axis.
type selection struct {
	all  bool
	axes []axisSet
}

// axisSet is an ascending set of indices: count blocks, or runs of any length.
type axisSet struct {
	start, stride, count, block uint64 // count is Unlimited where the set goes on to the end
	runs                        []run  // instead, if not nil
}

// run is a run of neighbours; before counts the indices in the runs before it.
type run struct{ first, n, before uint64 }

// Kinds of selections in files.
const (
	selectNone      = 0
	selectPoints    = 1
	selectHyperslab = 2
	selectAll       = 3
)

// parseSelection reads a selection as in the description of a virtual dataset (section III.I):
//
//	kind 4, version 4, and of hyperslabs
//	v1: 0 4, length 4, rank 4, blocks 4, then for each block its first and last index, 4 an axis
//	v2: flags, length 4, rank 4, then for each axis start, stride, count and block, 8 each
//	v3: flags, width, rank 4, then as v2 (flag 1: regular) or as v1 in numbers of that width
func parseSelection(c *cursor) *selection {
	kind, version := c.u32(), c.u32()
	switch {
	case c.err != nil:
		return nil
	case kind == selectAll || kind == selectNone:
		c.skip(8)
		return &selection{all: kind == selectAll}
	case kind == selectHyperslab && version <= 3:
		return parseHyperslab(c, int(version))
	}
	c.err = wire.Unsupported(c.what, c.at+int64(c.i), "selection of kind %d, version %d", kind, version)
	return nil
}

func parseHyperslab(c *cursor, version int) *selection {
	const regular = 1
	width, flags := 4, uint8(0)
	switch version {
	case 1:
		c.skip(8)
	case 2:
		flags = c.u8()
		c.skip(4)
		width = 8
	default:
		flags, width = c.u8(), int(c.u8())
	}
	rank := int(c.u32())
	if c.err == nil && (rank < 1 || rank > maxRank || width != 2 && width != 4 && width != 8 || version == 2 && flags&regular == 0) {
		c.fail("hyperslab of %d axes in numbers of %d bytes", rank, width)
	}
	if c.err != nil {
		return nil
	}
	if flags&regular == 0 {
		return parseBlocks(c, rank, width)
	}
	s := &selection{axes: make([]axisSet, rank)}
	for i := range s.axes {
		a := &s.axes[i]
		a.start, a.stride, a.count, a.block = c.uint(width), c.uint(width), c.unlimited(width), c.unlimited(width)
		if a.block == Unlimited { // one block without end
			a.block, a.stride, a.count = 1, 1, Unlimited
		}
		if c.err == nil && (a.block == 0 || a.count > 1 && a.stride < a.block || a.start > 1<<62 || a.stride > 1<<62 || a.block > 1<<62) {
			c.fail("blocks of %d every %d from %d", a.block, a.stride, a.start)
		}
	}
	return s
}

// unlimited reads a number in which all bits set mean Unlimited.
func (c *cursor) unlimited(width int) uint64 {
	u := c.uint(width)
	if width < 8 && u == 1<<(8*width)-1 {
		return Unlimited
	}
	return u
}

// parseBlocks reads a list of blocks that together are the product of one set for each axis. Other
// lists are not supported.
func parseBlocks(c *cursor, rank, width int) *selection {
	n := c.uint(width)
	if !c.checkCount("blocks", n, 2*rank*width) {
		return nil
	}
	sets := make([][]run, rank)
	for range n {
		firsts, lasts := make([]uint64, rank), make([]uint64, rank)
		for i := range firsts {
			firsts[i] = c.uint(width)
		}
		for i := range lasts {
			if lasts[i] = c.uint(width); lasts[i] < firsts[i] {
				c.fail("block from %d to %d", firsts[i], lasts[i])
				return nil
			}
			sets[i] = append(sets[i], run{first: firsts[i], n: lasts[i] - firsts[i] + 1})
		}
	}
	s := &selection{axes: make([]axisSet, rank)}
	product := uint64(1)
	for i, runs := range sets {
		slices.SortFunc(runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.n, b.n)) })
		runs = slices.Compact(runs)
		before, disjoint := uint64(0), true
		for j := range runs {
			disjoint = disjoint && (j == 0 || runs[j-1].first+runs[j-1].n <= runs[j].first)
			runs[j].before = before
			before += runs[j].n
		}
		product, _ = wire.Mul(product, uint64(len(runs)))
		if !disjoint {
			product = 0
		}
		s.axes[i].runs = runs
	}
	if product != n {
		c.err = wire.Unsupported(c.what, c.at+int64(c.i), "selection of %d blocks that make no grid", n)
		return nil
	}
	return s
}

// within returns the sets of a dataspace with the given shape, cut at its end. It also returns
// how many indices each has.
func (s *selection) within(shape []uint64) (sets []axisSet, lens []uint64) {
	sets, lens = make([]axisSet, len(shape)), make([]uint64, len(shape))
	for i, n := range shape {
		sets[i] = axisSet{stride: 1, block: 1, count: n}
		if !s.all && i < len(s.axes) {
			sets[i] = s.axes[i]
		}
		lens[i] = sets[i].below(n)
	}
	if !s.all && s.axes == nil {
		clear(lens)
	}
	return sets, lens
}

// at returns index number k.
func (a *axisSet) at(k uint64) uint64 {
	if a.runs == nil {
		return a.start + k/a.block*a.stride + k%a.block
	}
	j := sort.Search(len(a.runs), func(j int) bool { return a.runs[j].before > k }) - 1
	return a.runs[j].first + k - a.runs[j].before
}

// below counts the indices less than limit.
func (a *axisSet) below(limit uint64) uint64 {
	if a.runs != nil {
		n := uint64(0)
		for _, r := range a.runs {
			if r.first < limit {
				n += min(r.n, limit-r.first)
			}
		}
		return n
	}
	if limit <= a.start || a.count == 0 {
		return 0
	}
	limit -= a.start
	whole, rest := limit, uint64(0)
	if a.count == 1 {
		whole = 0
		rest = limit
	} else {
		whole, rest = limit/a.stride, limit%a.stride
	}
	if a.count != Unlimited && whole >= a.count {
		return a.count * a.block
	}
	return whole*a.block + min(rest, a.block)
}
