package hdf5

import (
	"math/bits"
	"sync"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// fractalHeap holds the links or attributes of an object that has many, and shared messages
// (section III.G). Objects lie in direct blocks, whose addresses lie in indirect blocks: together a
// table of `width` columns whose block size doubles each row from the second on.
type fractalHeap struct {
	f    *File
	addr uint64

	idLen      int
	checked    bool // direct blocks have checksums
	width      uint64
	startSize  uint64
	maxDirect  uint64
	maxBits    int // of an address within the heap
	root       uint64
	rootRows   int // 0: the root is a direct block
	offsetSize int
	lengthSize int
	filters    *pipeline
	rootFilter filteredBlock
	huge       uint64 // B-tree v2 of huge objects
	hugeDirect bool   // IDs of huge objects hold their address

	mu     sync.Mutex
	blocks map[uint64][]byte // direct and indirect blocks read so far
	cached int64
}

// filteredBlock is how a direct block is stored in a heap with filters.
type filteredBlock struct {
	size uint64
	mask uint32
}

const heapCacheBytes = 8 << 20

// heapCache keeps the heaps opened last.
type heapCache struct {
	mu    sync.Mutex
	heaps map[uint64]*fractalHeap
}

// openHeap reads the header of the heap at addr:
//
//	"FRHP", version, ID length 2, filter length 2, flags, max managed object 4,
//	next huge ID, huge tree, free space, free-space manager, managed space, allocated,
//	iterator offset, managed objects, huge bytes, huge objects, tiny bytes, tiny objects,
//	width 2, start size, max direct size, max bits 2, root rows at creation 2, root, rows 2,
//	[root size, root mask 4, filters], checksum
func (f *File) openHeap(addr uint64) (*fractalHeap, error) {
	f.heaps.mu.Lock()
	defer f.heaps.mu.Unlock()
	if h := f.heaps.heaps[addr]; h != nil {
		return h, nil
	}
	const what = "fractal heap"
	fixed := int64(4 + 1 + 2 + 2 + 1 + 4 + 2 + 2 + 2 + 2 + 4 + 12*f.length + 3*f.offset)
	c, err := f.load(what, addr, fixed)
	if err != nil {
		return nil, err
	}
	c.skip(4 + 1 + 2)
	if n := c.u16(); n > 0 {
		if c, err = f.load(what, addr, fixed+int64(f.length)+4+int64(n)); err != nil {
			return nil, err
		}
	}
	h, err := parseHeap(f, c)
	if err != nil {
		return nil, err
	}
	h.addr = addr
	if len(f.heaps.heaps) >= 64 || f.heaps.heaps == nil {
		f.heaps.heaps = map[uint64]*fractalHeap{}
	}
	f.heaps.heaps[addr] = h
	return h, nil
}

func parseHeap(f *File, c *cursor) (*fractalHeap, error) {
	h := &fractalHeap{f: f, blocks: map[uint64][]byte{}}
	c.i = 0
	c.magic("FRHP")
	c.version(0, 0)
	h.idLen = int(c.u16())
	filterLen := int(c.u16())
	h.checked = c.u8()&2 != 0
	maxManaged := uint64(c.u32())
	c.size()
	h.huge = c.addr()
	c.size()
	c.addr()
	for range 8 {
		c.size()
	}
	h.width = uint64(c.u16())
	h.startSize = c.size()
	h.maxDirect = c.size()
	h.maxBits = int(c.u16())
	c.u16()
	h.root = c.addr()
	h.rootRows = int(c.u16())
	if filterLen > 0 {
		h.rootFilter = filteredBlock{c.size(), c.u32()}
		p := c.sub("filters of a fractal heap", filterLen)
		var err error
		if h.filters, err = parsePipeline(p); err != nil {
			return nil, err
		}
	}
	c.checksum()
	if c.err != nil {
		return nil, c.err
	}
	return h, h.check(c, maxManaged)
}

// check validates the geometry, which later arithmetic relies on.
func (h *fractalHeap) check(c *cursor, maxManaged uint64) error {
	c.i = 0
	power := func(u uint64) bool { return u != 0 && u&(u-1) == 0 }
	switch {
	case h.maxBits < 1 || h.maxBits > 64:
		c.fail("heap addresses of %d bits, expected 1 to 64", h.maxBits)
	case !power(h.width) || !power(h.startSize) || !power(h.maxDirect):
		c.fail("width %d, first block of %d and largest direct block of %d bytes, expected powers of two",
			h.width, h.startSize, h.maxDirect)
	case h.startSize > h.maxDirect || h.maxDirect > 1<<31:
		c.fail("first block of %d and largest direct block of %d bytes", h.startSize, h.maxDirect)
	case h.rootRows > 64:
		c.fail("%d rows in the root block, expected at most 64", h.rootRows)
	case h.idLen < 1 || h.idLen > 4096:
		c.fail("object IDs of %d bytes", h.idLen)
	}
	h.offsetSize = (h.maxBits + 7) / 8
	h.lengthSize = min(bytesFor(h.maxDirect), bytesFor(maxManaged))
	direct := h.f.offset + h.f.length
	if h.filters != nil {
		direct += 4 + h.f.length
	}
	h.hugeDirect = direct <= h.idLen-1
	return c.err
}

// bytesFor returns how many bytes a number up to limit takes in the file.
func bytesFor(limit uint64) int { return max(bits.Len64(limit)-1, 0)/8 + 1 }

// object returns the object with the given ID. The bytes may be part of a cached block: they are
// not to be changed.
func (h *fractalHeap) object(id []byte) ([]byte, error) {
	c := &cursor{sizes: h.f.sizes, b: id, at: int64(h.addr), what: "object ID of a fractal heap"}
	flags := c.u8()
	if c.err == nil && flags>>6 != 0 {
		c.err = wire.Unsupported(c.what, -1, "version %d", flags>>6)
	}
	if c.err != nil {
		return nil, c.err
	}
	switch kind := flags >> 4 & 3; kind {
	case 0:
		offset, length := c.uint(h.offsetSize), c.uint(h.lengthSize)
		if c.err != nil {
			return nil, c.err
		}
		return h.managed(offset, length)
	case 1:
		return h.hugeObject(c)
	case 2:
		return h.tiny(c, flags)
	default:
		return nil, wire.Errorf(c.what, -1, "kind %d, expected 0 to 2", kind)
	}
}

// tiny objects lie in the ID itself.
func (h *fractalHeap) tiny(c *cursor, flags uint8) ([]byte, error) {
	n := int(flags&15) + 1
	if h.idLen-1 > 16 {
		n = int(flags&15)<<8 + int(c.u8()) + 1
	}
	return c.take(n), c.err
}

// hugeObject reads an object that lies outside the heap's blocks. Its address is in its ID or in
// the heap's tree.
func (h *fractalHeap) hugeObject(c *cursor) ([]byte, error) {
	var addr, size uint64
	var mask uint32
	if h.hugeDirect {
		addr, size = c.addr(), c.size()
		if h.filters != nil {
			mask = c.u32()
		}
	} else {
		key := c.uint(min(h.f.length, h.idLen-1))
		if c.err != nil {
			return nil, c.err
		}
		found := false
		err := h.f.walkTree2(h.huge, []uint8{1, 2}, func(r *cursor) error {
			a, n := r.addr(), r.size()
			var m uint32
			if h.filters != nil {
				m = r.u32()
				r.size()
			}
			if r.size() == key {
				addr, size, mask, found = a, n, m, true
			}
			return r.err
		})
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, h.f.errorf("huge object of a fractal heap", h.addr, "no object %d", key)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	b, err := h.f.load("huge object of a fractal heap", addr, clamp(size))
	if err != nil {
		return nil, err
	}
	if h.filters != nil {
		return h.filters.decodeUnknown(b.b, mask, maxHeapObject)
	}
	return b.b, nil
}

// maxHeapObject bounds the unpacked size of a filtered object of a heap.
const maxHeapObject = 64 << 20
