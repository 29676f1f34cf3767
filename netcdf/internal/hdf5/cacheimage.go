package hdf5

import (
	"cmp"
	"slices"
)

// cacheImage holds the metadata of a file that was closed with an image of the library's metadata
// cache. The image replaces the bytes at the addresses of its entries, which the library did not
// write. Entries are sorted by address.
type cacheImage []imageEntry

type imageEntry struct {
	addr uint64
	data []byte
}

// readCacheImage follows the cache image message of the superblock extension (section IV.A.2.y):
// version, address, length. The image is
//
//	"MDCI", version, flags, bytes of the image, entries 4,
//	for each entry: type, flags, ring, age, children 2, dirty children 2, parents 2,
//	    place in the LRU list 4, address, bytes, addresses of the parents, data
//	checksum
func (f *File) readCacheImage() error {
	const what = "metadata cache image"
	m, err := f.extensionMessage(msgCacheImage)
	if m == nil || err != nil {
		return err
	}
	c := f.cursor("message of the "+what, m)
	c.version(0, 0)
	addr, size := c.addr(), c.size()
	if c.err != nil || addr == undefined || size == 0 {
		return c.err
	}
	if c, err = f.load(what, addr, clamp(size)); err != nil {
		return err
	}
	if len(c.b) < 4 {
		c.take(4)
		return c.err
	}
	c.i = len(c.b) - 4
	c.checksum()
	c.b = c.b[:len(c.b)-4]
	c.i = 0
	image := parseCacheImage(c)
	if c.err == nil {
		f.image = image
	}
	return c.err
}

func parseCacheImage(c *cursor) cacheImage {
	c.magic("MDCI")
	c.version(0, 0)
	c.skip(1)
	c.size()
	n := uint64(c.u32())
	const fixed = 4 + 2 + 2 + 2 + 4
	if !c.checkCount("entries of the image", n, fixed+c.offset+c.length) {
		return nil
	}
	image := make(cacheImage, 0, n)
	for range n {
		c.skip(1 + 1 + 1 + 1 + 2 + 2)
		parents := int(c.u16())
		c.skip(4)
		e := imageEntry{addr: c.addr()}
		size := c.size()
		c.skip(parents * c.offset)
		if !c.checkCount("bytes of an entry", size, 1) {
			return nil
		}
		e.data = c.take(int(size))
		image = append(image, e)
	}
	slices.SortFunc(image, func(a, b imageEntry) int { return cmp.Compare(a.addr, b.addr) })
	for i := 1; i < len(image); i++ {
		if before := image[i-1]; image[i].addr-before.addr < uint64(len(before.data)) {
			c.fail("entry of %d bytes at address %#x overlaps that at %#x", len(before.data), before.addr, image[i].addr)
			return nil
		}
	}
	return image
}

// patch puts the entries of the image over b, which was read from addr.
func (image cacheImage) patch(b []byte, addr uint64) {
	first, _ := slices.BinarySearchFunc(image, addr, func(e imageEntry, addr uint64) int { return cmp.Compare(e.addr, addr) })
	if first > 0 {
		if e := image[first-1]; addr-e.addr < uint64(len(e.data)) {
			copy(b, e.data[addr-e.addr:])
		}
	}
	for _, e := range image[first:] {
		if e.addr-addr >= uint64(len(b)) {
			return
		}
		copy(b[e.addr-addr:], e.data)
	}
}
