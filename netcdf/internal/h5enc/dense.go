package h5enc

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/checksum"
)

// denseKind is the form of links or attributes that do not lie in the object header.
type denseKind struct {
	idBytes   int // of an object ID in the heap
	heapBits  int // of an address within the heap
	nameTree  uint8
	orderTree uint8
	record    func(tree uint8, b *Block, id []byte, order int, hash uint32)
}

// linkHeap has the geometry that the library gives the heaps of groups. Records by name: hash 4, ID
// 7; by order: order 8, ID 7.
var linkHeap = denseKind{idBytes: 7, heapBits: 32, nameTree: 5, orderTree: 6,
	record: func(tree uint8, b *Block, id []byte, order int, hash uint32) {
		if tree == 5 {
			b.U32(hash)
		} else {
			b.U64(uint64(order))
		}
		b.U8(id...)
	}}

// attrHeap is the same for attributes. Records by name: ID 8, flags, order 4, hash 4; by order: ID
// 8, flags, order 4.
var attrHeap = denseKind{idBytes: 8, heapBits: 40, nameTree: 8, orderTree: 9,
	record: func(tree uint8, b *Block, id []byte, order int, hash uint32) {
		b.U8(id...)
		b.U8(0)
		b.U32(uint32(order))
		if tree == 8 {
			b.U32(hash)
		}
	}}

// denseIndex is a heap with its two trees; the zero value has no heap.
type denseIndex struct {
	heap, byName, byOrder *Block
	blocks                []*Block
}

// refs appends the three addresses.
func (d *denseIndex) refs(b *Block) {
	b.Ref(d.heap)
	b.Ref(d.byName)
	b.Ref(d.byOrder)
}

// newDense stores messages in a heap.
func newDense(kind denseKind, list []named) (denseIndex, error) {
	h := newHeap(kind)
	ids := make([][]byte, len(list))
	order := make([]int, len(list))
	hashes := make([]uint32, len(list))
	for i, n := range list {
		ids[i], order[i] = h.add(n.body), i
		hashes[i] = checksum.Lookup3([]byte(n.name))
	}
	heap, err := h.finish()
	if err != nil {
		return denseIndex{}, err
	}
	records := func(tree uint8) []*Block {
		out := make([]*Block, len(order))
		for k, i := range order {
			out[k] = &Block{}
			kind.record(tree, out[k], ids[i], i, hashes[i])
		}
		return out
	}
	byOrder := tree2(kind.orderTree, records(kind.orderTree))
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(hashes[i], hashes[j]), cmp.Compare(list[i].name, list[j].name))
	})
	byName := tree2(kind.nameTree, records(kind.nameTree))
	return denseIndex{heap[0], byName[0], byOrder[0], slices.Concat(heap, byName, byOrder)}, nil
}

// heapBuilder makes a fractal heap (section III.G) whose objects lie in one direct block, as large
// as it takes. Objects larger than maxManaged lie alone.
type heapBuilder struct {
	denseKind
	header, block *Block
	managed       int // objects in the block
	huge          []*Block
}

const (
	maxManaged     = 4096
	maxDirectBlock = 64 << 10
	maxHeapBytes   = 16 << 20 // the library takes no structure above 32 MiB
	hugeTree       = 1
)

func newHeap(kind denseKind) *heapBuilder {
	h := &heapBuilder{denseKind: kind, header: &Block{}, block: &Block{}}
	// Direct block: "FHDB", version, heap, offset in the heap, checksum of the whole block,
	// objects.
	h.block.Text("FHDB")
	h.block.U8(0)
	h.block.Ref(h.header)
	h.block.Zeros(kind.heapBits/8 + 4)
	return h
}

// add stores an object and returns its ID. It is kind, offset in the heap, length 2; of a huge
// object kind, number.
func (h *heapBuilder) add(body *Block) []byte {
	id := &Block{}
	if body.Len() > maxManaged {
		h.huge = append(h.huge, body)
		id.U8(0x10)
		id.Uint(uint64(len(h.huge)), h.idBytes-1)
		return id.Data
	}
	h.managed++
	id.U8(0)
	id.Uint(uint64(h.block.Len()), h.heapBits/8)
	id.U16(uint16(body.Len()))
	h.block.Append(body)
	return id.Data
}

// finish makes the header, which comes first, and all other blocks.
func (h *heapBuilder) finish() ([]*Block, error) {
	prefix := 4 + 1 + 8 + h.heapBits/8 + 4
	if h.block.Len() > maxHeapBytes {
		return nil, fmt.Errorf("%d bytes of links or attributes, expected at most %d", h.block.Len(), maxHeapBytes)
	}
	blocks := []*Block{h.header}
	root := h.block
	size, free := 512, 0
	if h.managed > 0 {
		size = max(size, powerOfTwo(h.block.Len()))
		free = size - h.block.Len()
		h.block.Zeros(free)
		h.block.sums = append(h.block.sums, sum{0, size, prefix - 4})
		blocks = append(blocks, root)
	} else {
		root = nil
	}
	var hugeBytes int
	for _, b := range h.huge {
		hugeBytes += b.Len()
	}
	tree := h.hugeTree()
	blocks = append(append(blocks, h.huge...), tree...)
	h.encode(heapFigures{root: root, size: size, free: free, hugeBytes: hugeBytes, tree: tree})
	return blocks, nil
}

type heapFigures struct {
	root       *Block
	size, free int // of the direct block
	hugeBytes  int
	tree       []*Block
}

// hugeTree makes the tree of huge objects, of records address, length, number; nil if there are
// none.
func (h *heapBuilder) hugeTree() []*Block {
	if len(h.huge) == 0 {
		return nil
	}
	records := make([]*Block, len(h.huge))
	for i, huge := range h.huge {
		records[i] = &Block{}
		records[i].Ref(huge)
		records[i].U64(uint64(huge.Len()))
		records[i].U64(uint64(i + 1))
	}
	return tree2(hugeTree, records)
}

// encode makes the header: see openHeap in package hdf5.
func (h *heapBuilder) encode(f heapFigures) {
	b := h.header
	b.Text("FRHP")
	b.U8(0)
	b.U16(uint16(h.idBytes))
	b.U16(0)
	b.U8(2) // direct blocks have checksums
	b.U32(maxManaged)
	b.U64(uint64(len(h.huge) + 1))
	if f.tree != nil {
		b.Ref(f.tree[0])
	} else {
		b.Ref(nil)
	}
	b.U64(uint64(f.free))
	b.Ref(nil) // no manager of free space
	managed := uint64(0)
	if f.root != nil {
		managed = uint64(f.size)
	}
	b.U64(managed)
	b.U64(managed)
	b.U64(managed)
	b.U64(uint64(h.managed))
	b.U64(uint64(f.hugeBytes))
	b.U64(uint64(len(h.huge)))
	b.U64(0)
	b.U64(0)
	b.U16(4)
	b.U64(uint64(f.size))
	b.U64(uint64(max(f.size, maxDirectBlock)))
	b.U16(uint16(h.heapBits))
	b.U16(1)
	b.Ref(f.root)
	b.U16(0)
	b.Checksum()
}
