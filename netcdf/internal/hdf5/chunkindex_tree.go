package hdf5

import "slices"

// tree1Index is a B-tree of version 1. A key is: stored bytes 4, filter mask 4, then 8 for the
// first element of a chunk on each axis and 8 for an axis of the element's bytes. The chunks below
// a child lie between its key and the next key, in C order.
type tree1Index struct{ g *grid }

func (x *tree1Index) each(lo, hi []uint64, yield func([]uint64, chunkRef) error) error {
	if x.g.index.addr == undefined {
		return nil
	}
	w := tree1Walk{g: x.g, lo: lo, hi: hi, yield: yield, budget: x.g.f.src.Size}
	return w.node(x.g.index.addr, -1)
}

type tree1Walk struct {
	g      *grid
	lo, hi []uint64
	yield  func([]uint64, chunkRef) error
	budget int64    // bytes of nodes that may still be visited
	last   []uint64 // position of the last chunk visited
}

func (w *tree1Walk) node(addr uint64, level int) error {
	rank := len(w.lo)
	keySize := 8 + 8*(rank+1)
	nd, size, err := parseNode1(w.g.nodes.load, w.g.f.sizes, addr, tree1Chunks, keySize)
	if err != nil {
		return err
	}
	c := nd.keys
	if w.budget -= size; w.budget < 0 {
		return w.g.f.errorf(c.what, addr, "nodes are longer than the file: some are used twice")
	}
	if level >= 0 && nd.level != level {
		return w.g.f.errorf(c.what, addr, "level %d, expected %d", nd.level, level)
	}
	left, right := make([]uint64, rank), make([]uint64, rank)
	ref := w.key(c, left)
	for i := range nd.n {
		ref.addr = c.addr()
		next := w.key(c, right)
		if c.err != nil {
			return c.err
		}
		switch {
		case i < nd.n-1 && slices.Compare(left, right) >= 0:
			c.fail("chunk %v comes before chunk %v", left, right)
			return c.err
		case nd.level > 0 && w.between(left, right, i == nd.n-1):
			err = w.node(ref.addr, nd.level-1)
		case nd.level == 0 && inside(left, w.lo, w.hi):
			if w.last != nil && slices.Compare(w.last, left) >= 0 {
				c.fail("chunk %v comes after chunk %v", left, w.last)
				return c.err
			}
			w.last = append(w.last[:0], left...)
			err = w.yield(left, ref)
		}
		if err != nil {
			return err
		}
		left, right = right, left
		ref = next
	}
	return nil
}

// key reads a key and turns its position into chunks.
func (w *tree1Walk) key(c *cursor, at []uint64) chunkRef {
	ref := chunkRef{size: uint64(c.u32()), mask: c.u32()}
	for i := range at {
		e := c.u64()
		at[i] = e / w.g.chunk[i]
	}
	c.skip(8)
	return ref
}

// between reports whether chunks of the box may lie below a child with the keys left and right. The
// last key of a node is not relied on.
func (w *tree1Walk) between(left, right []uint64, last bool) bool {
	if slices.Compare(left, w.hi) > 0 {
		return false
	}
	if last {
		return true
	}
	return mayHold(left, right, w.lo, w.hi)
}

// mayHold reports whether a position of the box from lo to hi may lie between left and right. All
// are in C order. The leading axes on which left and right agree are the same for all that lies
// between.
func mayHold(left, right, lo, hi []uint64) bool {
	for i := range left {
		if left[i] != right[i] {
			return left[i] <= hi[i] && right[i] >= lo[i]
		}
		if left[i] < lo[i] || left[i] > hi[i] {
			return false
		}
	}
	return true
}

func inside(at, lo, hi []uint64) bool {
	for i, p := range at {
		if p < lo[i] || p > hi[i] {
			return false
		}
	}
	return true
}

// tree2Index is a B-tree of version 2, for datasets with several unlimited axes. A record is:
// address, [stored bytes, mask 4], position 8 for each axis.
type tree2Index struct{ g *grid }

func (x *tree2Index) each(lo, hi []uint64, yield func([]uint64, chunkRef) error) error {
	g := x.g
	if g.index.addr == undefined {
		return nil
	}
	kind := uint8(treeChunks)
	if g.filtered {
		kind = treeChunksFilters
	}
	t, err := g.f.openTree2(g.index.addr, []uint8{kind})
	if err != nil {
		return err
	}
	t.load = g.nodes.load
	rank := len(lo)
	width := t.recordSize - 8*rank
	if n := width - g.f.offset; !g.filtered && n != 0 || g.filtered && (n < 5 || n > 12) {
		return g.f.errorf(g.what, g.index.addr, "records of %d bytes in the index of %d dimensions", t.recordSize, rank)
	}
	position := func(r *cursor, at []uint64) {
		k := cursor{b: r.b, i: width}
		for i := range at {
			at[i] = k.u64()
		}
	}
	left, right, at := make([]uint64, rank), make([]uint64, rank), make([]uint64, rank)
	t.skip = func(l, r *cursor) bool {
		for i := range rank {
			left[i], right[i] = 0, undefined
		}
		if l != nil {
			position(l, left)
		}
		if r != nil {
			position(r, right)
		}
		return !mayHold(left, right, lo, hi)
	}
	var last []uint64
	return t.walk(func(r *cursor) error {
		ref := g.entry(r, width)
		position(r, at)
		if !inside(at, lo, hi) {
			return nil
		}
		if last != nil && slices.Compare(last, at) >= 0 {
			r.fail("chunk %v comes after chunk %v", at, last)
			return r.err
		}
		last = append(last[:0], at...)
		return yield(at, ref)
	})
}
