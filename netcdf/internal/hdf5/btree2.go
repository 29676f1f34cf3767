package hdf5

import "slices"

// Types of records in a B-tree of version 2 that we read (section III.A.2).
const (
	treeLinkName      = 5
	treeAttrName      = 8
	treeChunks        = 10
	treeChunksFilters = 11
)

// tree2 is a B-tree of version 2.
type tree2 struct {
	f          *File
	kind       uint8
	nodeSize   int
	recordSize int
	depth      int
	root       uint64
	rootCount  int

	leafCountSize int   // bytes of a record count in a node pointer
	totalSize     []int // by level: bytes of the number of all records below a node
	budget        int64 // bytes of nodes that may still be visited

	load func(what string, addr uint64, n int64) (*cursor, error)
	skip func(left, right *cursor) (below bool) // see walk
}

// openTree2 reads the header of a tree. It is "BTHD", version, kind, node size 4, record size 2,
// depth 2, split, merge, root, records of the root 2, all records, checksum.
func (f *File) openTree2(addr uint64, kinds []uint8) (*tree2, error) {
	const what = "B-tree (version 2)"
	c, err := f.load(what, addr, int64(4+1+1+4+2+2+1+1+f.offset+2+f.length+4))
	if err != nil {
		return nil, err
	}
	t := &tree2{f: f, load: f.load, budget: f.src.Size}
	c.magic("BTHD")
	c.version(0, 0)
	t.kind = c.u8()
	if c.err == nil && !slices.Contains(kinds, t.kind) {
		c.fail("kind %d, expected one of %d", t.kind, kinds)
	}
	nodeSize := c.u32()
	t.recordSize, t.depth = int(c.u16()), int(c.u16())
	c.skip(2)
	t.root, t.rootCount = c.addr(), int(c.u16())
	c.size()
	c.checksum()
	if c.err == nil && (t.recordSize == 0 || t.depth > 64 || nodeSize > 1<<30) {
		c.fail("records of %d bytes, depth %d, nodes of %d bytes", t.recordSize, t.depth, nodeSize)
	}
	if c.err != nil {
		return nil, c.err
	}
	t.nodeSize = int(nodeSize)
	return t, t.measure(c)
}

// measure computes the widths of the counts in node pointers. They follow from how many records
// fit a node on each level.
func (t *tree2) measure(c *cursor) error {
	const frame = 4 + 1 + 1 + 4 // signature, version, kind, checksum
	leaf := uint64(max(0, t.nodeSize-frame) / t.recordSize)
	t.leafCountSize = bytesFor(leaf)
	below := leaf
	t.totalSize = []int{0}
	for level := 1; level <= t.depth; level++ {
		pointer := t.f.offset + t.leafCountSize + t.totalSize[level-1]
		most := uint64(max(0, t.nodeSize-frame-pointer) / (t.recordSize + pointer))
		if most == 0 {
			c.fail("nodes of %d bytes are too small for depth %d", t.nodeSize, t.depth)
			return c.err
		}
		if below = (most+1)*below + most; below > 1<<50 {
			below = 1 << 50
		}
		t.totalSize = append(t.totalSize, bytesFor(below))
	}
	return nil
}

// walkTree2 calls yield for every record of a tree, in order.
func (f *File) walkTree2(addr uint64, kinds []uint8, yield func(record *cursor) error) error {
	t, err := f.openTree2(addr, kinds)
	if err != nil {
		return err
	}
	return t.walk(yield)
}

// walk calls yield for every record in order. Subtrees between two records are not visited if
// t.skip, if set, says so; a nil cursor stands for no record on that side.
func (t *tree2) walk(yield func(record *cursor) error) error {
	if t.rootCount == 0 {
		return nil
	}
	return t.node(t.root, t.depth, t.rootCount, nil, nil, yield)
}

// node visits a node. The level sinks by one each step, which ends every walk; the budget bounds
// walks over nodes used several times.
func (t *tree2) node(addr uint64, level, count int, left, right *cursor, yield func(*cursor) error) error {
	c, err := t.read(addr, level, count)
	if err != nil {
		return err
	}
	for i := 0; i <= count; i++ {
		l, r := left, right
		if i > 0 {
			l = t.record(c, i-1)
		}
		if i < count {
			r = t.record(c, i)
		}
		if level > 0 {
			if err := t.child(c, level, l, r, yield); err != nil {
				return err
			}
		}
		if i < count {
			if err := yield(t.record(c, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// read loads and verifies a node: "BTIN" or "BTLF", version, kind, records, [pointers: address,
// count, [count of all below]], checksum. The cursor is left at the pointers.
func (t *tree2) read(addr uint64, level, count int) (*cursor, error) {
	const what = "node of a B-tree (version 2)"
	const prefix, checksum = 6, 4
	magic := "BTLF"
	size := prefix + int64(count)*int64(t.recordSize) + checksum
	if level > 0 {
		magic = "BTIN"
		size += int64(count+1) * int64(t.f.offset+t.leafCountSize+t.totalSize[level-1])
	}
	if t.budget -= size; t.budget < 0 {
		return nil, t.f.errorf(what, addr, "nodes are longer than the file: some are used twice")
	}
	c, err := t.load(what, addr, size)
	if err != nil {
		return nil, err
	}
	c.magic(magic)
	c.version(0, 0)
	if kind := c.u8(); c.err == nil && kind != t.kind {
		c.fail("kind %d in a tree of kind %d", kind, t.kind)
	}
	c.i = len(c.b) - checksum
	c.checksum()
	c.i = prefix + count*t.recordSize
	return c, c.err
}

// record returns record i of a node.
func (t *tree2) record(c *cursor, i int) *cursor {
	at := 6 + i*t.recordSize
	return &cursor{sizes: c.sizes, b: c.b[at : at+t.recordSize], at: c.at + int64(at), what: "record of a B-tree (version 2)"}
}

// child visits the node that the next pointer of c leads to, between two records.
func (t *tree2) child(c *cursor, level int, left, right *cursor, yield func(*cursor) error) error {
	addr, count := c.addr(), int(c.uint(t.leafCountSize))
	c.uint(t.totalSize[level-1])
	if c.err != nil {
		return c.err
	}
	if count == 0 || t.skip != nil && t.skip(left, right) {
		return nil
	}
	return t.node(addr, level-1, count, left, right, yield)
}
