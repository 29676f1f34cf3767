package hdf5

import (
	"cmp"
	"slices"
)

// LinkKind is the kind of target of a link.
type LinkKind int

// The kinds of links.
const (
	HardLink     LinkKind = 0  // an object of this file
	SoftLink     LinkKind = 1  // a path
	ExternalLink LinkKind = 64 // a path in another file
)

// Link is a named entry of a group.
type Link struct {
	Name   string
	Kind   LinkKind
	Addr   uint64 // of a hard link: the object
	Target string // of soft and external links: the path
	File   string // of external links
	Order  int64  // creation order, where tracked
}

// Links returns the links of a group: in creation order when the group tracks it, else by name.
func (o *Object) Links() ([]Link, error) {
	if m := o.h.find(msgSymbolTable); m != nil {
		return o.oldLinks(m)
	}
	links, tracked, err := o.newLinks()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(links, func(a, b Link) int {
		if tracked {
			return cmp.Compare(a.Order, b.Order)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return links, nil
}

// newLinks collects the link messages of the header, and the links in the heap that the link
// info message names. The message is version, flags, [highest order 8], heap, name tree,
// [order tree].
func (o *Object) newLinks() (links []Link, tracked bool, err error) {
	heap, tree := undefined, undefined
	if m := o.h.find(msgLinkInfo); m != nil {
		c := o.f.cursor("link info message of "+objectName(o.Addr), m)
		c.version(0, 0)
		tracked = c.u8()&1 != 0
		if tracked {
			c.skip(8)
		}
		heap, tree = c.addr(), c.addr()
		if c.err != nil {
			return nil, false, c.err
		}
	}
	for i := range o.h.messages {
		m := &o.h.messages[i]
		if m.kind != msgLink {
			continue
		}
		if m, err = o.f.resolve(m); err != nil {
			return nil, false, err
		}
		l, err := parseLink(o.f.cursor("link message of "+objectName(o.Addr), m))
		if err != nil {
			return nil, false, err
		}
		links = append(links, l)
	}
	if heap == undefined {
		return links, tracked, nil
	}
	dense, err := o.denseLinks(heap, tree)
	return append(links, dense...), tracked, err
}

// denseLinks reads the links of a heap. Records of the tree: hash of the name 4, heap ID 7.
func (o *Object) denseLinks(heapAddr, treeAddr uint64) ([]Link, error) {
	heap, err := o.f.openHeap(heapAddr)
	if err != nil {
		return nil, err
	}
	var links []Link
	err = o.f.walkTree2(treeAddr, []uint8{treeLinkName}, func(r *cursor) error {
		r.skip(4)
		id := r.take(heap.idLen)
		if r.err != nil {
			return r.err
		}
		b, err := heap.object(id)
		if err != nil {
			return err
		}
		l, err := parseLink(&cursor{sizes: o.f.sizes, b: b, at: -1, what: "link in the heap of " + objectName(o.Addr)})
		links = append(links, l)
		return err
	})
	return links, err
}

// parseLink reads a link message (section IV.A.2.g). It is version, flags, [kind], [creation
// order 8], [character set], length of name 1 to 8, name, target.
func parseLink(c *cursor) (Link, error) {
	var l Link
	c.version(1, 1)
	flags := c.u8()
	if flags&0x08 != 0 {
		l.Kind = LinkKind(c.u8())
	}
	if flags&0x04 != 0 {
		l.Order = int64(c.u64())
	}
	if flags&0x10 != 0 {
		c.u8()
	}
	n := c.uint(1 << (flags & 3))
	if !c.checkCount("bytes of link name", n, 1) {
		return l, c.err
	}
	l.Name = string(c.take(int(n)))
	switch l.Kind {
	case HardLink:
		l.Addr = c.addr()
	case SoftLink:
		l.Target = string(c.take(int(c.u16())))
	case ExternalLink:
		x := c.sub(c.what, int(c.u16()))
		x.skip(1)
		l.File = x.text(1)
		l.Target = x.text(1)
		return l, x.err
	default:
		c.skip(int(c.u16())) // only the program that made the link can follow it
	}
	return l, c.err
}

// oldLinks reads the links of a group with a symbol table (section III.B). The message holds the
// address of a B-tree and of a local heap with the names.
func (o *Object) oldLinks(m *message) ([]Link, error) {
	c := o.f.cursor("symbol table message of "+objectName(o.Addr), m)
	tree, heapAddr := c.addr(), c.addr()
	if c.err != nil {
		return nil, c.err
	}
	heap, err := o.f.localHeap(heapAddr)
	if err != nil {
		return nil, err
	}
	var links []Link
	budget := o.f.src.Size
	err = o.f.groupTree(tree, func(addr uint64) error {
		list, size, err := o.f.symbolNode(addr, heap)
		links = append(links, list...)
		if budget -= size; err == nil && budget < 0 {
			err = o.f.errorf("symbol table node", addr, "nodes are longer than the file: some are used twice")
		}
		return err
	})
	return links, err
}

// symbolNode reads a symbol table node. It is "SNOD", version, 0, entries 2, and for each entry:
// name offset, header address, cache type 4, 0 4, scratch 16. Of a symbolic link, the scratch
// holds where in the heap the target is. The name offset is as wide as a length: the
// specification says as an address, but the HDF5 library writes a length.
func (f *File) symbolNode(addr uint64, heap *localHeap) ([]Link, int64, error) {
	const what = "symbol table node"
	const cachedSymlink = 2
	c, err := f.load(what, addr, 8)
	if err != nil {
		return nil, 0, err
	}
	c.magic("SNOD")
	c.version(1, 1)
	c.skip(1)
	n := int64(c.u16())
	if c.err != nil {
		return nil, 0, c.err
	}
	size := 8 + n*int64(f.length+f.offset+24)
	if c, err = f.load(what, addr, size); err != nil {
		return nil, 0, err
	}
	c.skip(8)
	links := make([]Link, 0, n)
	for range n {
		var l Link
		l.Name = heap.text(c, c.uint(f.length))
		l.Addr = c.addr()
		kind := c.u32()
		c.skip(4)
		target := c.u32()
		c.skip(12)
		if kind == cachedSymlink {
			l.Kind = SoftLink
			l.Target = heap.text(c, uint64(target))
		}
		links = append(links, l)
	}
	return links, size, c.err
}

// localHeap is the data of a local heap (section III.D): names, each ended by a zero byte.
type localHeap struct{ data []byte }

// localHeap reads "HEAP", version, 0 3, size of data, free list, address of data.
func (f *File) localHeap(addr uint64) (*localHeap, error) {
	const what = "local heap"
	c, err := f.load(what, addr, int64(8+2*f.length+f.offset))
	if err != nil {
		return nil, err
	}
	c.magic("HEAP")
	c.version(0, 0)
	c.skip(3)
	size := c.size()
	c.size()
	data := c.addr()
	if c.err != nil {
		return nil, c.err
	}
	d, err := f.load("data of a local heap", data, clamp(size))
	if err != nil {
		return nil, err
	}
	return &localHeap{d.b}, nil
}

// text returns the string at an offset of the heap; c gets the error.
func (h *localHeap) text(c *cursor, offset uint64) string {
	if offset > uint64(len(h.data)) {
		c.fail("name at byte %d of a local heap of %d", offset, len(h.data))
		return ""
	}
	t := cursor{b: h.data[offset:], what: "name in a local heap"}
	s := t.text(1)
	if t.err != nil && c.err == nil {
		c.err = t.err
	}
	return s
}
