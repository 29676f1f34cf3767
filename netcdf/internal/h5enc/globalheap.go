package h5enc

// GlobalHeap makes collections of the global heap (section III.E), which hold text and sequences.
type GlobalHeap struct {
	// New is called with each collection when it begins, to give it an address or to place it
	// later. The length of a collection with an address does not change.
	New func(*Collection) error

	current *Collection
	size    int // of the next collection
}

// Collection is a collection of the global heap. It is "GCOL", version, 0 3, size, then objects:
// number 2, references 2, 0 4, size, data padded to 8. The rest is an object of number 0, or less
// than the prefix of an object.
type Collection struct {
	Block
	used    int
	objects int
}

const (
	collectionPrefix = 16
	objectPrefix     = 16
	minCollection    = 4 << 10 // the library makes none smaller
	maxCollection    = 64 << 10
	maxObjects       = 65535 // of a collection
)

// Put stores an object and returns the reference to it for an element. It is n, the
// address of the collection, the number of the object.
func (h *GlobalHeap) Put(n int, body *Block) (*Block, error) {
	need := objectPrefix + (body.Len()+7)&^7
	if h.current == nil || h.current.objects == maxObjects || need > h.current.Len()-h.current.used {
		if err := h.begin(need); err != nil {
			return nil, err
		}
	}
	c := h.current
	c.put(body, need)
	b := &Block{}
	b.U32(uint32(n))
	b.Ref(&c.Block)
	b.U32(uint32(c.objects))
	return b, nil
}

// begin ends the present collection and begins another with room for need bytes. Collections get
// larger, so that little text takes little room, and much text takes few collections.
func (h *GlobalHeap) begin(need int) error {
	h.Flush()
	h.size = min(max(2*h.size, minCollection), maxCollection)
	size := max(h.size, collectionPrefix+need)
	c := &Collection{used: collectionPrefix}
	c.Text("GCOL")
	c.U8(1, 0, 0, 0)
	c.U64(uint64(size))
	c.Zeros(size - collectionPrefix)
	h.current = c
	return h.New(c)
}

// put appends an object.
func (c *Collection) put(body *Block, need int) {
	c.objects++
	object := &Block{}
	object.U16(uint16(c.objects))
	object.U16(1)
	object.U32(0)
	object.U64(uint64(body.Len()))
	object.Append(body)
	copy(c.Data[c.used:], object.Data)
	for _, r := range object.refs {
		c.refs = append(c.refs, ref{c.used + r.at, r.to})
	}
	c.used += need
}

// Flush ends the present collection: the free room becomes an object.
func (h *GlobalHeap) Flush() {
	if h.current == nil {
		return
	}
	c := h.current
	if c.Addr == 0 { // not placed yet
		c.Data = c.Data[:max(minCollection, c.used)]
		size := &Block{}
		size.U64(uint64(c.Len()))
		copy(c.Data[8:], size.Data)
	}
	if free := c.Len() - c.used; free >= objectPrefix {
		object := &Block{}
		object.U64(0)
		object.U64(uint64(free))
		copy(c.Data[c.used:], object.Data)
	}
	h.current = nil
}
