package hdf5

import (
	"math/bits"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// arrayTable is the common part of fixed and extensible arrays: entries of a fixed width in
// blocks. Long blocks are cut into pages with a checksum each.
type arrayTable struct {
	g        *grid
	header   uint64
	width    int
	pageBits int
}

// fixedArray finds chunks by number in one block (section III.E).
type fixedArray struct {
	arrayTable
	entries uint64
	block   uint64
}

// openFixedArray reads the header: "FAHD", version, filters, entry size, page bits, entries, block,
// checksum.
func openFixedArray(g *grid) (chunkIndex, error) {
	const what = "fixed array"
	a := &fixedArray{arrayTable: arrayTable{g: g, header: g.index.addr}, block: undefined}
	if g.index.addr != undefined {
		c, err := g.f.load(what, g.index.addr, int64(4+1+1+1+1+g.f.length+g.f.offset+4))
		if err != nil {
			return nil, err
		}
		c.magic("FAHD")
		c.version(0, 0)
		c.skip(1)
		a.width, a.pageBits = int(c.u8()), int(c.u8())
		a.entries, a.block = c.size(), c.addr()
		c.checksum()
		g.checkEntry(c, a.width)
		if c.err == nil && (a.pageBits > 40 || a.entries > 1<<50) {
			c.fail("%d entries in pages of 2^%d", a.entries, a.pageBits)
		}
		if c.err != nil {
			return nil, c.err
		}
	}
	return newLinearIndex(g, a, -1)
}

// chunk reads from the block. It is "FADB", version, filters, header, then the entries and a
// checksum; or, with more than a page of them, a bit for each page that was written, a checksum,
// and the pages.
func (a *fixedArray) chunk(n uint64) (chunkRef, uint64, error) {
	const what = "block of a fixed array"
	if a.block == undefined {
		return noChunk, endless, nil
	}
	if n >= a.entries {
		return noChunk, 0, a.g.f.errorf(what, a.block, "chunk %d of %d", n, a.entries)
	}
	prefix := int64(4 + 1 + 1 + a.g.f.offset)
	page := uint64(1) << a.pageBits
	if a.entries <= page {
		return a.entryOf(what, "FADB", a.block, prefix, int64(a.entries), int64(n))
	}
	pages := (a.entries + page - 1) / page
	prefix += int64((pages + 7) / 8)
	c, err := a.verified(what, "FADB", a.block, prefix+4)
	if err != nil {
		return noChunk, 0, err
	}
	p := n / page
	if !c.bit(prefix-int64((pages+7)/8), p) {
		return noChunk, page - n%page, nil
	}
	at := a.block + uint64(prefix) + 4 + p*(page*uint64(a.width)+4)
	count := min(page, a.entries-p*page)
	return a.entryOf(what, "", at, 0, int64(count), int64(n%page))
}

// bit returns bit n, the most significant first, of the bytes from offset on.
func (c *cursor) bit(offset int64, n uint64) bool {
	return c.b[offset+int64(n/8)]>>(7-n%8)&1 != 0
}

// verified loads n bytes that begin with a signature, if any, and end with a checksum.
func (a *arrayTable) verified(what, magic string, addr uint64, n int64) (*cursor, error) {
	c, fresh, err := a.g.nodes.loadFresh(what, addr, n)
	if err != nil || !fresh {
		return c, err
	}
	if magic != "" {
		c.magic(magic)
		c.version(0, 0)
	}
	c.i = len(c.b) - 4
	c.checksum()
	if c.err == nil {
		a.g.nodes.keep(addr, c)
	}
	return c, c.err
}

// entryOf reads entry n of a piece that has count entries after prefix bytes.
func (a *arrayTable) entryOf(what, magic string, addr uint64, prefix, count, n int64) (chunkRef, uint64, error) {
	size, ok := wire.Mul(uint64(count), uint64(a.width))
	if !ok || size > uint64(a.g.f.src.Size) {
		return noChunk, 0, a.g.f.errorf(what, addr, "%d entries of %d bytes in a file of %d", count, a.width, a.g.f.src.Size)
	}
	c, err := a.verified(what, magic, addr, prefix+int64(size)+4)
	if err != nil {
		return noChunk, 0, err
	}
	c.i = int(prefix + n*int64(a.width))
	return a.g.entry(c, a.width), 1, c.err
}

// extensibleArray finds chunks by number where one axis has no limit (section III.F). Its first
// entries and the addresses of the first blocks lie in the index block; the addresses of later
// blocks in super blocks. Super block s stands for 2^(s/2) blocks of 2^((s+1)/2)·minimum
// entries.
type extensibleArray struct {
	arrayTable
	maxBits     int
	inIndex     uint64 // entries in the index block
	minimum     uint64 // entries of the first block
	directs     int    // super blocks whose blocks the index block names itself
	supers      int    // super blocks in all
	blockCount  uint64 // blocks named in the index block
	index       uint64
	offsetWidth int
}

// openExtensibleArray reads the header. It is "EAHD", version, filters, entry size, bits of a
// number, entries in the index block, entries of the first block, addresses of the first super
// block, page bits, six statistics, index block, checksum.
func openExtensibleArray(g *grid) (chunkIndex, error) {
	const what = "extensible array"
	unlimited := -1
	for i, m := range g.max {
		if m == Unlimited {
			if unlimited >= 0 {
				return nil, wire.Errorf(g.what, -1, "extensible array for several unlimited dimensions")
			}
			unlimited = i
		}
	}
	if unlimited < 0 {
		return nil, wire.Errorf(g.what, -1, "extensible array without an unlimited dimension")
	}
	a := &extensibleArray{arrayTable: arrayTable{g: g, header: g.index.addr}, index: undefined}
	if g.index.addr != undefined {
		c, err := g.f.load(what, g.index.addr, int64(4+8+6*g.f.length+g.f.offset+4))
		if err != nil {
			return nil, err
		}
		c.magic("EAHD")
		c.version(0, 0)
		c.skip(1)
		a.width, a.maxBits = int(c.u8()), int(c.u8())
		a.inIndex, a.minimum = uint64(c.u8()), uint64(c.u8())
		minPointers := uint64(c.u8())
		a.pageBits = int(c.u8())
		for range 6 {
			c.size()
		}
		a.index = c.addr()
		c.checksum()
		g.checkEntry(c, a.width)
		if err := a.measure(c, minPointers); err != nil {
			return nil, err
		}
	}
	return newLinearIndex(g, a, unlimited)
}

// measure validates the parameters and derives the others.
func (a *extensibleArray) measure(c *cursor, minPointers uint64) error {
	power := func(u uint64) bool { return u != 0 && u&(u-1) == 0 }
	if c.err == nil && (a.maxBits > 56 || !power(a.minimum) || !power(minPointers) || a.pageBits > 32 ||
		bits.Len64(a.minimum) > a.maxBits) {
		c.fail("numbers of %d bits, first block of %d entries, %d addresses, pages of 2^%d entries",
			a.maxBits, a.minimum, minPointers, a.pageBits)
	}
	if c.err != nil {
		return c.err
	}
	a.supers = 1 + a.maxBits - (bits.Len64(a.minimum) - 1)
	a.directs = 2 * (bits.Len64(minPointers) - 1)
	a.blockCount = 2 * (minPointers - 1)
	a.offsetWidth = (a.maxBits + 7) / 8
	if a.directs > a.supers {
		c.fail("%d of %d super blocks in the index block", a.directs, a.supers)
	}
	return c.err
}

// superBlock returns how many blocks super block s has, and how many entries each. It also returns
// the first entry and block it stands for.
func (a *extensibleArray) superBlock(s int) (blocks, entries, firstEntry, firstBlock uint64) {
	for i := 0; ; i++ {
		blocks, entries = 1<<(i/2), a.minimum<<((i+1)/2)
		if i == s {
			return blocks, entries, firstEntry, firstBlock
		}
		firstEntry += blocks * entries
		firstBlock += blocks
	}
}

func (a *extensibleArray) chunk(n uint64) (chunkRef, uint64, error) {
	const what = "index block of an extensible array"
	if a.index == undefined {
		return noChunk, endless, nil
	}
	// "EAIB", version, filters, header, entries, blocks, super blocks, checksum.
	o := int64(a.g.f.offset)
	prefix := 4 + 1 + 1 + o
	tables := prefix + int64(a.inIndex)*int64(a.width)
	size := tables + (int64(a.blockCount)+int64(a.supers-a.directs))*o + 4
	c, err := a.verified(what, "EAIB", a.index, size)
	if err != nil {
		return noChunk, 0, err
	}
	if n < a.inIndex {
		c.i = int(prefix + int64(n)*int64(a.width))
		return a.g.entry(c, a.width), 1, c.err
	}
	n -= a.inIndex
	s := bits.Len64(n/a.minimum+1) - 1
	if s >= a.supers {
		return noChunk, 0, a.g.f.errorf(what, a.index, "chunk %d is beyond the array's %d bits", n, a.maxBits)
	}
	blocks, entries, firstEntry, firstBlock := a.superBlock(s)
	block := (n - firstEntry) / entries
	n = (n - firstEntry) % entries
	if s < a.directs {
		c.i = int(tables + int64(firstBlock+block)*o)
		addr := c.addr()
		return a.fromBlock(addr, entries, n, nil)
	}
	c.i = int(tables + (int64(a.blockCount)+int64(s-a.directs))*o)
	super := c.addr()
	if c.err != nil || super == undefined {
		return noChunk, (blocks-block)*entries - n, c.err
	}
	return a.fromSuper(super, blocks, entries, block, n)
}

// fromSuper reads from a super block. It is "EASB", version, filters, header, number of the first
// entry, [a bit for each page of each block], blocks, checksum.
func (a *extensibleArray) fromSuper(addr, blocks, entries, block, n uint64) (chunkRef, uint64, error) {
	const what = "super block of an extensible array"
	prefix := int64(4+1+1+a.g.f.offset) + int64(a.offsetWidth)
	page := uint64(1) << a.pageBits
	pages := uint64(0)
	if entries > page {
		pages = entries / page
	}
	bitBytes := int64(blocks) * int64((pages+7)/8)
	size := prefix + bitBytes + int64(blocks)*int64(a.g.f.offset) + 4
	c, err := a.verified(what, "EASB", addr, size)
	if err != nil {
		return noChunk, 0, err
	}
	c.i = int(prefix + bitBytes + int64(block)*int64(a.g.f.offset))
	data := c.addr()
	var written func(uint64) bool
	if pages > 0 {
		written = func(p uint64) bool { return c.bit(prefix, block*pages+p) }
	}
	return a.fromBlock(data, entries, n, written)
}

// fromBlock reads entry n of a block. It is "EADB", version, filters, header, number of the first
// entry, then entries and checksum, or checksum and pages.
func (a *extensibleArray) fromBlock(addr, entries, n uint64, written func(page uint64) bool) (chunkRef, uint64, error) {
	const what = "block of an extensible array"
	if addr == undefined {
		return noChunk, entries - n, nil
	}
	prefix := int64(4+1+1+a.g.f.offset) + int64(a.offsetWidth)
	page := uint64(1) << a.pageBits
	if entries <= page {
		return a.entryOf(what, "EADB", addr, prefix, int64(entries), int64(n))
	}
	if _, err := a.verified(what, "EADB", addr, prefix+4); err != nil {
		return noChunk, 0, err
	}
	p := n / page
	if written != nil && !written(p) {
		return noChunk, page - n%page, nil
	}
	at := addr + uint64(prefix) + 4 + p*(page*uint64(a.width)+4)
	return a.entryOf(what, "", at, 0, int64(page), int64(n%page))
}
