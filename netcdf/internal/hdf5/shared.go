package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// sharedRef says where a shared message is. It is in the header of another object (a committed
// datatype), or in the heap of the file's table of shared messages.
type sharedRef struct {
	addr   uint64 // of the object header; undefined for one in the heap
	heapID []byte
}

// parseShared reads the body of a message with flagShared (section IV.A.2, "Shared Message"):
//
//	v1: version, type, 0 6, name offset, header address
//	v2: version, type, header address
//	v3: version, type, header address or heap ID 8
func (f *File) parseShared(m *message) (sharedRef, error) {
	c := f.cursor("shared message", m)
	return parseSharedAt(c)
}

func parseSharedAt(c *cursor) (sharedRef, error) {
	const inHeap = 1
	version := c.version(1, 3)
	kind := c.u8()
	s := sharedRef{addr: undefined}
	switch {
	case version == 1:
		c.skip(6)
		c.size()
		s.addr = c.addr()
	case version == 3 && kind == inHeap:
		s.heapID = c.take(8)
	default:
		s.addr = c.addr()
	}
	return s, c.err
}

// resolve returns m itself, or the message it points to.
func (f *File) resolve(m *message) (*message, error) {
	if m.flags&flagShared == 0 {
		return m, nil
	}
	s, err := f.parseShared(m)
	if err != nil {
		return nil, err
	}
	return f.fetchShared(m.kind, s)
}

// fetchShared reads a shared message of the given kind.
func (f *File) fetchShared(kind int, s sharedRef) (*message, error) {
	if s.heapID != nil {
		return f.fetchSharedFromHeap(kind, s.heapID)
	}
	h, err := f.readHeader(s.addr)
	if err != nil {
		return nil, fmt.Errorf("shared message: %w", err)
	}
	m := h.find(kind)
	if m == nil || m.flags&flagShared != 0 {
		return nil, f.errorf("shared message", s.addr, "%s has no message of type %#x of its own", objectName(s.addr), kind)
	}
	return m, nil
}

// sharedTable lists the heaps of shared messages (section IV.A.2.p and III.G).
type sharedTable struct {
	indexes []sharedIndex
}

type sharedIndex struct {
	kinds uint16 // bit n: messages of type n
	heap  uint64
}

func (f *File) fetchSharedFromHeap(kind int, id []byte) (*message, error) {
	f.sharedOnce.Do(func() { f.shared, f.sharedErr = f.readSharedTable() })
	if f.sharedErr != nil {
		return nil, f.sharedErr
	}
	for _, x := range f.shared.indexes {
		if x.kinds>>kind&1 == 0 {
			continue
		}
		heap, err := f.openHeap(x.heap)
		if err != nil {
			return nil, err
		}
		body, err := heap.object(id)
		if err != nil {
			return nil, err
		}
		return &message{kind: kind, body: body, at: -1}, nil
	}
	return nil, wire.Errorf("shared message", -1, "no heap of shared messages of type %#x", kind)
}

// readSharedTable follows the message in the superblock extension: version, address, number of
// indexes. The table is "SMTB", then for each index: version, kind, types of messages 2, smallest
// message 4, list cutoff 2, tree cutoff 2, messages 2, index address, heap address; and a checksum.
func (f *File) readSharedTable() (*sharedTable, error) {
	const what = "table of shared messages"
	if f.extension == undefined {
		return nil, wire.Errorf(what, -1, "the file has none")
	}
	m, err := f.extensionMessage(msgSharedTable)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, wire.Errorf(what, -1, "the superblock extension names none")
	}
	c := f.cursor(what, m)
	c.version(0, 0)
	addr, n := c.addr(), int(c.u8())
	if c.err != nil {
		return nil, c.err
	}
	entry := 1 + 1 + 2 + 4 + 2 + 2 + 2 + 2*f.offset
	if c, err = f.load(what, addr, int64(4+n*entry+4)); err != nil {
		return nil, err
	}
	c.magic("SMTB")
	t := &sharedTable{}
	for range n {
		c.version(0, 0)
		c.skip(1)
		x := sharedIndex{kinds: c.u16()}
		c.skip(4 + 2 + 2 + 2)
		c.addr()
		x.heap = c.addr()
		t.indexes = append(t.indexes, x)
	}
	c.checksum()
	return t, c.err
}
