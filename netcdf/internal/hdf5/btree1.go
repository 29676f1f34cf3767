package hdf5

// node1 is a node of a B-tree of version 1 (section III.A.1). It is "TREE", kind, level, entries
// 2, left sibling, right sibling, then key 0, child 0, key 1, …, key n.
type node1 struct {
	level int
	n     int
	keys  *cursor // at key 0
	key   int     // bytes of a key
}

// Kinds of B-trees of version 1.
const (
	tree1Group  = 0
	tree1Chunks = 1
)

// parseNode1 reads the node at addr. load is File.load or a cache before it.
func parseNode1(load func(string, uint64, int64) (*cursor, error), s sizes, addr uint64, kind, key int) (*node1, int64, error) {
	const what = "node of a B-tree (version 1)"
	prefix := int64(8 + 2*s.offset)
	c, err := load(what, addr, prefix)
	if err != nil {
		return nil, 0, err
	}
	c.magic("TREE")
	if got := int(c.u8()); c.err == nil && got != kind {
		c.i--
		c.fail("kind %d, expected %d", got, kind)
	}
	nd := &node1{level: int(c.u8()), n: int(c.u16()), key: key}
	if c.err != nil {
		return nil, 0, c.err
	}
	size := prefix + int64(nd.n)*int64(key+s.offset) + int64(key)
	if nd.keys, err = load(what, addr, size); err != nil {
		return nil, 0, err
	}
	nd.keys.skip(int(prefix))
	return nd, size, nil
}

// groupTree walks the B-tree of an old-style group. It calls yield with the address of each symbol
// table node, in the order of names.
func (f *File) groupTree(addr uint64, yield func(addr uint64) error) error {
	w := groupWalk{f: f, budget: f.src.Size, yield: yield}
	return w.node(addr, -1)
}

type groupWalk struct {
	f      *File
	budget int64
	yield  func(uint64) error
}

func (w *groupWalk) node(addr uint64, level int) error {
	nd, size, err := parseNode1(w.f.load, w.f.sizes, addr, tree1Group, w.f.length)
	if err != nil {
		return err
	}
	if w.budget -= size; w.budget < 0 {
		return w.f.errorf(nd.keys.what, addr, "nodes are longer than the file: some are used twice")
	}
	if level >= 0 && nd.level != level {
		return w.f.errorf(nd.keys.what, addr, "level %d, expected %d", nd.level, level)
	}
	for range nd.n {
		nd.keys.skip(nd.key)
		child := nd.keys.addr()
		if nd.keys.err != nil {
			return nd.keys.err
		}
		if nd.level == 0 {
			err = w.yield(child)
		} else {
			err = w.node(child, nd.level-1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
