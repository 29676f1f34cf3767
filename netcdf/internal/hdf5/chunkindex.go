package hdf5

import (
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// chunkRef says where a chunk is.
type chunkRef struct {
	addr uint64
	size uint64 // stored bytes
	mask uint32 // filters not applied
}

// noChunk is a chunk that is not stored.
var noChunk = chunkRef{addr: undefined}

// chunkIndex finds the chunks of a dataset.
type chunkIndex interface {
	// each calls yield for every stored chunk in the box from lo to hi, both included. The order
	// is fixed, and no chunk comes twice. Positions count chunks, not elements. yield must not
	// keep at.
	each(lo, hi []uint64, yield func(at []uint64, ref chunkRef) error) error
}

// grid describes the chunks of a dataset to its index.
type grid struct {
	f         *File
	what      string
	chunk     []uint64 // elements of a chunk along each axis
	bytes     uint64   // of a chunk without filters
	dims, max []uint64 // of the dataset
	filtered  bool
	index     *layout
	nodes     *nodeCache
}

// newIndex returns the index that the layout names.
func (g *grid) newIndex() (chunkIndex, error) {
	switch g.index.index {
	case IndexBTree1:
		return &tree1Index{g}, nil
	case IndexSingle:
		return &singleIndex{g}, nil
	case IndexImplicit:
		return newLinearIndex(g, &implicitTable{g}, -1)
	case IndexFixedArray:
		return openFixedArray(g)
	case IndexExtensibleArray:
		return openExtensibleArray(g)
	case IndexBTree2:
		return &tree2Index{g}, nil
	}
	return nil, wire.Unsupported(g.what, -1, "chunk index %d", uint8(g.index.index))
}

// singleIndex has one chunk.
type singleIndex struct{ g *grid }

func (x *singleIndex) each(lo, hi []uint64, yield func([]uint64, chunkRef) error) error {
	l := x.g.index
	if l.addr == undefined {
		return nil
	}
	ref := chunkRef{l.addr, x.g.bytes, 0}
	if l.singleFilter {
		ref.size, ref.mask = l.singleSize, l.singleMask
	}
	return yield(make([]uint64, len(lo)), ref)
}

// chunkTable holds chunks by number.
type chunkTable interface {
	// chunk returns the chunk of a number. A chunk that is not stored has an undefined address;
	// gap is then how many chunks from here on are known not to be stored, at least 1.
	chunk(n uint64) (ref chunkRef, gap uint64, err error)
}

// endless is the gap where no chunk is stored from a number on.
const endless = uint64(1) << 62

// linearIndex numbers chunks along a dense grid in C order. The grid goes up to the maximum lengths
// of the dataset; an axis without limit comes first.
type linearIndex struct {
	table chunkTable
	order []int    // the axes, beginning with the axis that the number grows most slowly along
	step  []uint64 // of the number, along each axis
}

// newLinearIndex computes the steps. unlimited is the axis that comes first, or -1.
func newLinearIndex(g *grid, table chunkTable, unlimited int) (*linearIndex, error) {
	x := &linearIndex{table: table, step: make([]uint64, len(g.dims))}
	if unlimited >= 0 {
		x.order = append(x.order, unlimited)
	}
	for i := range g.dims {
		if i != unlimited {
			x.order = append(x.order, i)
		}
	}
	n, ok := uint64(1), true
	for k := len(x.order) - 1; k >= 0 && ok; k-- {
		i := x.order[k]
		x.step[i] = n
		if i != unlimited {
			n, ok = wire.Mul(n, (g.max[i]-1)/g.chunk[i]+1)
		}
	}
	if !ok {
		return nil, wire.Errorf(g.what, -1, "more chunks than an int64 counts: dimensions %v, chunks %v", g.max, g.chunk)
	}
	return x, nil
}

func (x *linearIndex) each(lo, hi []uint64, yield func([]uint64, chunkRef) error) error {
	at := slices.Clone(lo)
	for {
		n := nd.Offset(at, x.step)
		ref, gap, err := x.table.chunk(n)
		if err != nil {
			return err
		}
		if ref.addr != undefined {
			gap = 1
			if err := yield(at, ref); err != nil {
				return err
			}
		}
		if gap >= endless || !x.seek(at, lo, hi, n+gap) {
			return nil
		}
	}
}

// seek moves at to the first position of the box whose number is at least n. It reports whether
// there is such a position.
func (x *linearIndex) seek(at, lo, hi []uint64, n uint64) bool {
	for k, i := range x.order {
		at[i] = n / x.step[i]
		n %= x.step[i]
		if at[i] > hi[i] {
			// Beyond the box on this axis, the next position is on the axes before it.
			return x.advance(at, lo, hi, k-1)
		}
		if at[i] < lo[i] {
			for _, i := range x.order[k:] {
				at[i] = lo[i]
			}
			return true
		}
	}
	return true
}

// advance moves at by one along axis number k of the order. At the end of that axis it moves along
// an earlier axis. The axes after it move to their beginning.
func (x *linearIndex) advance(at, lo, hi []uint64, k int) bool {
	for ; k >= 0; k-- {
		if i := x.order[k]; at[i] < hi[i] {
			at[i]++
			for _, i := range x.order[k+1:] {
				at[i] = lo[i]
			}
			return true
		}
	}
	return false
}

// implicitTable is the index of datasets whose chunks all lie one after the other.
type implicitTable struct{ g *grid }

func (t *implicitTable) chunk(n uint64) (chunkRef, uint64, error) {
	base := t.g.index.addr
	if base == undefined {
		return noChunk, endless, nil
	}
	at, ok := wire.Mul(n, t.g.bytes)
	if !ok || at > 1<<62 || base > 1<<62 {
		return noChunk, 0, wire.Errorf(t.g.what, -1, "chunk %d lies beyond any file", n)
	}
	return chunkRef{base + at, t.g.bytes, 0}, 1, nil
}

// entry reads a chunk of an array index: address, and with filters its size and mask. The whole
// entry has width bytes.
func (g *grid) entry(c *cursor, width int) (ref chunkRef) {
	ref.addr = c.addr()
	ref.size = g.bytes
	if g.filtered {
		ref.size = c.uint(width - g.f.offset - 4)
		ref.mask = c.u32()
	}
	return ref
}

// checkEntry validates the width of an entry.
func (g *grid) checkEntry(c *cursor, width int) {
	if c.err != nil {
		return
	}
	if n := width - g.f.offset; !g.filtered && n != 0 || g.filtered && (n < 5 || n > 12) {
		c.fail("entries of %d bytes (filters: %t)", width, g.filtered)
	}
}

// nodeCache keeps the pieces of an index read last.
type nodeCache struct {
	f     *File
	mu    sync.Mutex
	nodes map[nodeKey][]byte
	bytes int64
}

type nodeKey struct {
	addr uint64
	size int64
}

const nodeCacheBytes = 4 << 20

// load is File.load with a cache. The bytes are shared: not to be changed.
func (n *nodeCache) load(what string, addr uint64, size int64) (*cursor, error) {
	c, fresh, err := n.loadFresh(what, addr, size)
	if err == nil && fresh {
		n.keep(addr, c)
	}
	return c, err
}

// loadFresh returns a piece from the cache, or a fresh piece that the caller verifies and keeps.
func (n *nodeCache) loadFresh(what string, addr uint64, size int64) (c *cursor, fresh bool, err error) {
	n.mu.Lock()
	b, ok := n.nodes[nodeKey{addr, size}]
	n.mu.Unlock()
	if ok {
		return &cursor{sizes: n.f.sizes, b: b, at: n.f.src.Base + int64(addr), what: what}, false, nil
	}
	c, err = n.f.load(what, addr, size)
	return c, true, err
}

func (n *nodeCache) keep(addr uint64, c *cursor) {
	size := int64(len(c.b))
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.bytes += size; n.nodes == nil || n.bytes > nodeCacheBytes {
		n.nodes, n.bytes = map[nodeKey][]byte{}, size
	}
	n.nodes[nodeKey{addr, size}] = c.b
}
