package hdf5

import (
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// LayoutClass is how the elements of a dataset are arranged in the file.
type LayoutClass uint8

// The layouts.
const (
	Compact    LayoutClass = 0 // in the object header
	Contiguous LayoutClass = 1
	Chunked    LayoutClass = 2
	Virtual    LayoutClass = 3 // in other datasets
)

func (l LayoutClass) String() string {
	switch l {
	case Compact:
		return "compact"
	case Contiguous:
		return "contiguous"
	case Chunked:
		return "chunked"
	}
	return "virtual"
}

// IndexKind is how chunks are found.
type IndexKind uint8

// The chunk indexes, numbered as in layout messages of version 4.
const (
	IndexBTree1          IndexKind = 0
	IndexSingle          IndexKind = 1
	IndexImplicit        IndexKind = 2
	IndexFixedArray      IndexKind = 3
	IndexExtensibleArray IndexKind = 4
	IndexBTree2          IndexKind = 5
)

func (k IndexKind) String() string {
	names := [...]string{"B-tree 1", "single chunk", "implicit", "fixed array", "extensible array", "B-tree 2"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// layout is a layout message.
type layout struct {
	class   LayoutClass
	addr    uint64
	size    uint64 // of contiguous data; 0 when the message does not say
	compact []byte
	chunk   []uint64 // elements along each axis
	element uint64   // bytes of an element, as the message repeats them
	index   IndexKind

	plainEdges   bool   // partial chunks at the edges are not filtered
	singleSize   uint64 // of IndexSingle with filters
	singleMask   uint32
	singleFilter bool
	heapObject   uint32 // of Virtual: number of the description in the global heap at addr
}

// parseLayout reads a layout message (section IV.A.2.i):
//
//	v1, v2: version, rank, class, 0 5, [address unless compact], lengths 4 each,
//	        [element size 4, chunked: counted as an axis], [compact: size 4, data]
//	v3:     version, class, then
//	        compact: size 2, data; contiguous: address, size;
//	        chunked: rank + 1, address, lengths 4 each, element size 4
//	v4, v5: as v3, but chunked: flags, rank + 1, width of lengths, lengths,
//	        element size, index kind, its parameters, address;
//	        virtual: address of a collection of the global heap, object in it 4
func parseLayout(c *cursor) (*layout, error) {
	l := &layout{addr: undefined}
	version := c.version(1, 5)
	if version < 3 {
		parseLayout1(c, l)
	} else {
		l.class = LayoutClass(c.u8())
		switch l.class {
		case Compact:
			l.compact = c.take(int(c.u16()))
		case Contiguous:
			l.addr, l.size = c.addr(), c.size()
		case Chunked:
			if version == 3 {
				rank := int(c.u8())
				l.addr = c.addr()
				l.chunkShape(c, rank, 4)
			} else {
				parseChunked4(c, l)
			}
		case Virtual:
			l.addr, l.heapObject = c.addr(), c.u32()
		default:
			c.fail("layout class %d", uint8(l.class))
		}
	}
	if c.err == nil && l.class == Chunked {
		l.checkChunk(c)
	}
	return l, c.err
}

func parseLayout1(c *cursor, l *layout) {
	rank := int(c.u8())
	l.class = LayoutClass(c.u8())
	c.skip(5)
	if l.class != Compact {
		l.addr = c.addr()
	}
	switch l.class {
	case Chunked:
		l.chunkShape(c, rank, 4)
	case Contiguous:
		c.skip(4 * rank)
	case Compact:
		c.skip(4 * rank)
		l.compact = c.take(int(c.u32()))
	default:
		c.fail("layout class %d", uint8(l.class))
	}
}

// chunkShape reads rank numbers: the lengths of a chunk and the element size.
func (l *layout) chunkShape(c *cursor, rank, width int) {
	if c.err == nil && (rank < 2 || rank > maxRank+1 || width < 1 || width > 8) {
		c.fail("chunks of %d dimensions in numbers of %d bytes", rank-1, width)
		return
	}
	for range rank - 1 {
		l.chunk = append(l.chunk, c.uint(width))
	}
	l.element = c.uint(width)
}

func parseChunked4(c *cursor, l *layout) {
	const flagPlainEdges, flagSingleFiltered = 1, 2
	flags := c.u8()
	rank := int(c.u8())
	width := int(c.u8())
	l.chunkShape(c, rank, width)
	l.plainEdges = flags&flagPlainEdges != 0
	l.index = IndexKind(c.u8())
	switch l.index {
	case IndexSingle:
		if l.singleFilter = flags&flagSingleFiltered != 0; l.singleFilter {
			l.singleSize, l.singleMask = c.size(), c.u32()
		}
	case IndexImplicit:
	case IndexFixedArray:
		c.skip(1)
	case IndexExtensibleArray:
		c.skip(5)
	case IndexBTree2:
		c.skip(4 + 1 + 1)
	default:
		c.fail("chunk index %d, expected 1 to 5", uint8(l.index))
	}
	l.addr = c.addr()
}

// maxChunkBytes bounds the size of a decoded chunk. HDF5 before 2.0 allows 4 GiB.
const maxChunkBytes = 1<<32 - 1

// checkChunk validates the shape of chunks.
func (l *layout) checkChunk(c *cursor) {
	n := l.element
	for _, d := range l.chunk {
		var ok bool
		if n, ok = wire.Mul(n, d); !ok || n > maxChunkBytes {
			c.err = wire.Unsupported(c.what, c.at, "chunk of %v elements of %d bytes", l.chunk, l.element)
			return
		}
	}
	if n == 0 {
		c.fail("chunk of %v elements of %d bytes", l.chunk, l.element)
	}
}
