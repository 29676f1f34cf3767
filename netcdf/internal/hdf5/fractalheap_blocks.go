package hdf5

import (
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/codec/checksum"
)

// rowSize returns the size of the blocks in a row of the doubling table.
func (h *fractalHeap) rowSize(row int) uint64 {
	if row == 0 {
		return h.startSize
	}
	return h.startSize << (row - 1)
}

// directRows is how many rows hold direct blocks.
func (h *fractalHeap) directRows() int {
	return bits.Len64(h.maxDirect) - bits.Len64(h.startSize) + 2
}

// place returns row, column and the offset within the block of an offset within an indirect block.
func (h *fractalHeap) place(offset uint64) (row int, col, within uint64) {
	first := h.width * h.startSize
	if offset < first {
		return 0, offset / h.startSize, offset % h.startSize
	}
	row = bits.Len64(offset) - bits.Len64(first) + 1
	size := h.rowSize(row)
	offset -= first << (row - 1)
	return row, offset / size, offset % size
}

// managed returns length bytes at an offset of the heap's address space.
func (h *fractalHeap) managed(offset, length uint64) ([]byte, error) {
	const what = "object of a fractal heap"
	block, size, filtered := h.root, h.startSize, h.rootFilter
	if h.rootRows > 0 {
		var err error
		if block, size, filtered, offset, err = h.descend(offset); err != nil {
			return nil, err
		}
	}
	b, err := h.direct(block, size, filtered)
	if err != nil {
		return nil, err
	}
	if offset > uint64(len(b)) || length > uint64(len(b))-offset {
		return nil, h.f.errorf(what, block, "%d bytes at %d of a block of %d", length, offset, len(b))
	}
	return b[offset : offset+length], nil
}

// descend walks the indirect blocks to the direct block that holds an offset. Blocks become smaller
// on the way down, so that it ends.
func (h *fractalHeap) descend(offset uint64) (block, size uint64, filtered filteredBlock, within uint64, err error) {
	const what = "indirect block of a fractal heap"
	addr, rows := h.root, h.rootRows
	for {
		row, col, rest := h.place(offset)
		if row >= rows {
			return 0, 0, filtered, 0, h.f.errorf(what, addr, "offset %d in row %d of %d", offset, row, rows)
		}
		c, err := h.indirect(addr, rows)
		if err != nil {
			return 0, 0, filtered, 0, err
		}
		entry := h.f.offset
		if h.filters != nil {
			entry += h.f.length + 4
		}
		direct := min(rows, h.directRows())
		if row < direct {
			c.skip((row*int(h.width) + int(col)) * entry)
			block = c.addr()
			if h.filters != nil {
				filtered = filteredBlock{c.size(), c.u32()}
			}
			return block, h.rowSize(row), filtered, rest, c.err
		}
		c.skip(direct*int(h.width)*entry + ((row-direct)*int(h.width)+int(col))*h.f.offset)
		if addr = c.addr(); c.err != nil {
			return 0, 0, filtered, 0, c.err
		}
		rows = bits.Len64(h.rowSize(row)) - bits.Len64(h.startSize*h.width) + 1
		offset = rest
	}
}

// indirect returns the entries of an indirect block: "FHIB", version, heap address, block offset,
// direct entries, indirect entries, checksum.
func (h *fractalHeap) indirect(addr uint64, rows int) (*cursor, error) {
	const what = "indirect block of a fractal heap"
	entry := h.f.offset
	if h.filters != nil {
		entry += h.f.length + 4
	}
	direct := min(rows, h.directRows())
	prefix := 4 + 1 + h.f.offset + h.offsetSize
	size := int64(prefix) + int64(h.width)*(int64(direct)*int64(entry)+int64(rows-direct)*int64(h.f.offset)) + 4
	b, err := h.block(addr, func() ([]byte, error) {
		c, err := h.f.load(what, addr, size)
		if err != nil {
			return nil, err
		}
		c.magic("FHIB")
		c.version(0, 0)
		c.i = len(c.b) - 4
		c.checksum()
		return c.b, c.err
	})
	if err != nil {
		return nil, err
	}
	if int64(len(b)) != size {
		return nil, h.f.errorf(what, addr, "block is used as one of %d and one of %d bytes", len(b), size)
	}
	return &cursor{sizes: h.f.sizes, b: b, i: prefix, at: int64(addr), what: what}, nil
}

// direct returns a direct block: "FHDB", version, heap address, block offset, [checksum], objects.
// Offsets of objects count from its beginning.
func (h *fractalHeap) direct(addr, size uint64, filtered filteredBlock) ([]byte, error) {
	const what = "direct block of a fractal heap"
	return h.block(addr, func() ([]byte, error) {
		stored := size
		if h.filters != nil {
			stored = filtered.size
		}
		c, err := h.f.load(what, addr, clamp(stored))
		if err != nil {
			return nil, err
		}
		if h.filters != nil {
			if c.b, err = h.filters.decode(c.b, filtered.mask, int(size)); err != nil {
				return nil, err
			}
		}
		c.magic("FHDB")
		c.version(0, 0)
		c.addr()
		c.skip(h.offsetSize)
		if h.checked {
			at := c.i
			want := c.u32()
			if c.err == nil {
				clear(c.b[at:c.i])
				if got := checksum.Lookup3(c.b); got != want && !c.unchecked {
					c.fail("checksum %#08x, computed %#08x", want, got)
				}
			}
		}
		return c.b, c.err
	})
}

// block returns a block from the cache or reads it.
func (h *fractalHeap) block(addr uint64, read func() ([]byte, error)) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if b, ok := h.blocks[addr]; ok {
		return b, nil
	}
	b, err := read()
	if err != nil {
		return nil, err
	}
	if h.cached += int64(len(b)); h.cached > heapCacheBytes {
		clear(h.blocks)
		h.cached = int64(len(b))
	}
	h.blocks[addr] = b
	return b, nil
}
