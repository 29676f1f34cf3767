package h5enc

// Chunk is a chunk of a dataset in the file.
type Chunk struct {
	Start []uint64 // its first element
	Addr  uint64
	Size  uint32 // bytes in the file
	Mask  uint32 // bits of the filters that were not applied
}

// entriesOfNode is how many children a node of a chunk index has, as the superblock's default says.
const entriesOfNode = 64

// ChunkIndex makes a B-tree of version 1 (section III.A.1) of chunks, which are in C order. An
// element has size bytes. The first block is the root. There must be a chunk.
func ChunkIndex(chunks []Chunk, shape []uint64, size int) []*Block {
	t := tree1{shape: shape, size: size}
	level := make([]entry, len(chunks))
	for i := range chunks {
		level[i] = entry{first: &chunks[i]}
	}
	end := chunks[len(chunks)-1]
	end.Start = append([]uint64(nil), end.Start...)
	for i, n := range shape {
		end.Start[i] += n
	}
	end.Size, end.Mask = 0, 0
	for depth := uint8(0); ; depth++ {
		if level = t.level(depth, level, &end); len(level) == 1 {
			break
		}
	}
	nodes := t.nodes
	nodes[0], nodes[len(nodes)-1] = nodes[len(nodes)-1], nodes[0]
	return nodes
}

type tree1 struct {
	shape []uint64
	size  int
	nodes []*Block
}

// entry is a child of a node: a chunk, or a node whose first chunk is first.
type entry struct {
	first *Chunk
	node  *Block
}

// level makes the nodes of a level and returns them as the entries of the level above.
func (t *tree1) level(depth uint8, entries []entry, end *Chunk) []entry {
	var out []entry
	n := (len(entries) + entriesOfNode - 1) / entriesOfNode
	nodes := make([]*Block, n)
	for i := range nodes {
		nodes[i] = &Block{}
	}
	for i, node := range nodes {
		part := entries[i*entriesOfNode : min((i+1)*entriesOfNode, len(entries))]
		limit := end
		if i+1 < n {
			limit = entries[(i+1)*entriesOfNode].first
		}
		var left, right *Block
		if i > 0 {
			left = nodes[i-1]
		}
		if i+1 < n {
			right = nodes[i+1]
		}
		t.encode(node, depth, part, limit, left, right)
		out = append(out, entry{part[0].first, node})
	}
	t.nodes = append(t.nodes, nodes...)
	return out
}

// encode makes a node. It is "TREE", kind, level, entries 2, left and right neighbour, then a key
// before each child and after the last.
func (t *tree1) encode(b *Block, depth uint8, entries []entry, limit *Chunk, left, right *Block) {
	const chunks = 1
	b.Text("TREE")
	b.U8(chunks, depth)
	b.U16(uint16(len(entries)))
	b.Ref(left)
	b.Ref(right)
	for _, e := range entries {
		t.key(b, e.first, 0)
		if e.node != nil {
			b.Ref(e.node)
		} else {
			b.U64(e.first.Addr)
		}
	}
	last := 0
	if limit.Size == 0 {
		last = t.size
	}
	t.key(b, limit, last)
	key := 8 + 8*(len(t.shape)+1)
	b.Zeros((entriesOfNode - len(entries)) * (key + 8))
}

// key appends: bytes 4, mask 4, first element on each axis, and within the element.
func (t *tree1) key(b *Block, c *Chunk, last int) {
	b.U32(c.Size)
	b.U32(c.Mask)
	for _, n := range c.Start {
		b.U64(n)
	}
	b.U64(uint64(last))
}
