package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Types of header messages (section IV.A.2).
const (
	msgDataspace    = 0x01
	msgLinkInfo     = 0x02
	msgDatatype     = 0x03
	msgFillOld      = 0x04
	msgFill         = 0x05
	msgLink         = 0x06
	msgExternal     = 0x07
	msgLayout       = 0x08
	msgGroupInfo    = 0x0a
	msgFilters      = 0x0b
	msgAttribute    = 0x0c
	msgSharedTable  = 0x0f
	msgContinuation = 0x10
	msgSymbolTable  = 0x11
	msgDriverInfo   = 0x14
	msgAttrInfo     = 0x15
	msgCacheImage   = 0x18
	msgLast         = msgCacheImage // the highest type known
)

// Flags of a header message.
const (
	flagShared      = 0x02 // the body says where the message is
	flagMustNotSkip = 0x80 // a reader that does not know this type must not read the object
)

// maxMessages bounds the messages of one object header. Attributes and links go to heaps when there
// are more than a few.
const maxMessages = 1 << 20

// message is one header message. Shared messages are resolved.
type message struct {
	kind  int
	flags uint8
	order int // creation order, where tracked; else its place in the header
	body  []byte
	at    int64 // of the body in the file
}

// cursor reads the body of a message.
func (f *File) cursor(what string, m *message) *cursor {
	return &cursor{sizes: f.sizes, b: m.body, at: m.at, what: what}
}

// header is an object header: its messages in the order of the file.
type header struct {
	addr     uint64
	messages []message
}

// find returns the first message of a kind, or nil.
func (h *header) find(kind int) *message {
	for i := range h.messages {
		if h.messages[i].kind == kind {
			return &h.messages[i]
		}
	}
	return nil
}

// headerReader collects messages from the blocks of one object header.
type headerReader struct {
	f       *File
	h       *header
	what    string
	version int
	flags   uint8 // of a version 2 header
	blocks  []block
	seen    map[uint64]bool
	total   uint64 // bytes of all continuation blocks
}

// block is a part of an object header.
type block struct{ addr, size uint64 }

// readHeader reads the object header at addr: version 1 or, when it begins with "OHDR", version 2.
// Shared messages are not resolved yet.
func (f *File) readHeader(addr uint64) (*header, error) {
	r := &headerReader{f: f, h: &header{addr: addr}, what: objectName(addr), seen: map[uint64]bool{}}
	c, err := f.load(r.what, addr, 4)
	if err != nil {
		return nil, err
	}
	if string(c.b) == "OHDR" {
		err = r.first2()
	} else {
		err = r.first1()
	}
	for err == nil && len(r.blocks) > 0 {
		b := r.blocks[0]
		r.blocks = r.blocks[1:]
		err = r.continuation(b)
	}
	return r.h, err
}

// first1 reads the prefix of version 1. It is version, 0, number of messages 2, reference count 4,
// bytes of messages 4, padding 4.
func (r *headerReader) first1() error {
	c, err := r.f.load(r.what, r.h.addr, 16)
	if err != nil {
		return err
	}
	c.version(1, 1)
	c.skip(1)
	c.u16() // how many: redundant
	c.skip(4)
	size := c.u32()
	if c.err != nil {
		return c.err
	}
	r.version = 1
	body, err := r.f.load(r.what, r.h.addr+16, int64(size))
	if err != nil {
		return err
	}
	return r.collect(body)
}

// first2 reads the prefix of version 2. It is "OHDR", version, flags, [times 16], [attribute
// limits 4], bytes of messages 1 to 8, and the messages and checksum that follow.
func (r *headerReader) first2() error {
	const longest = 4 + 1 + 1 + 16 + 4 + 8
	addr := r.h.addr
	c, err := r.f.load(r.what, addr, min(longest, r.f.src.Size-r.f.src.Base-int64(addr)))
	if err != nil {
		return err
	}
	c.magic("OHDR")
	c.version(2, 2)
	r.version = 2
	r.flags = c.u8()
	if r.flags&0x20 != 0 {
		c.skip(16)
	}
	if r.flags&0x10 != 0 {
		c.skip(4)
	}
	size := c.uint(1 << (r.flags & 3))
	if c.err != nil {
		return c.err
	}
	if size > uint64(r.f.src.Size) {
		c.fail("%d bytes of messages", size)
		return c.err
	}
	body, err := r.f.load(r.what, addr, int64(c.i)+int64(size)+4)
	if err != nil {
		return err
	}
	return r.checked(body, c.i)
}

// checked verifies the checksum at the end of a version 2 block and collects the messages after the
// prefix.
func (r *headerReader) checked(body *cursor, prefix int) error {
	body.i = len(body.b) - 4
	body.checksum()
	if body.err != nil {
		return body.err
	}
	body.b = body.b[:len(body.b)-4]
	body.i = prefix
	return r.collect(body)
}

func (r *headerReader) continuation(b block) error {
	if r.seen[b.addr] {
		return r.f.errorf(r.what, b.addr, "continuation block is used twice")
	}
	r.seen[b.addr] = true
	what := fmt.Sprintf("continuation of %s", r.what)
	// Blocks do not overlap, so that together they are no longer than the file.
	if b.size > uint64(r.f.src.Size)-r.total {
		return r.f.errorf(what, b.addr, "%d bytes after %d in other blocks of a file of %d", b.size, r.total, r.f.src.Size)
	}
	r.total += b.size
	c, err := r.f.load(what, b.addr, int64(b.size))
	if err != nil {
		return err
	}
	if r.version == 1 {
		return r.collect(c)
	}
	c.magic("OCHK")
	if c.err == nil && len(c.b) < 8 {
		c.fail("%d bytes, expected at least 8", len(c.b))
	}
	if c.err != nil {
		return c.err
	}
	return r.checked(c, 4)
}

// collect takes messages from a block:
//
//	v1: type 2, size 2, flags 1, 0 3, body
//	v2: type 1, size 2, flags 1, [creation order 2], body
func (r *headerReader) collect(c *cursor) error {
	prefix := 8
	if r.version == 2 {
		prefix = 4
		if r.flags&0x04 != 0 {
			prefix = 6
		}
	}
	for c.err == nil && c.left() >= prefix {
		m := message{order: len(r.h.messages)}
		var size int
		if r.version == 1 {
			m.kind, size, m.flags = int(c.u16()), int(c.u16()), c.u8()
			c.skip(3)
		} else {
			m.kind, size, m.flags = int(c.u8()), int(c.u16()), c.u8()
			if r.flags&0x04 != 0 {
				m.order = int(c.u16())
			}
		}
		m.at = c.at + int64(c.i)
		m.body = c.take(size)
		if c.err == nil {
			r.add(c, m)
		}
	}
	return c.err
}

func (r *headerReader) add(c *cursor, m message) {
	switch {
	case m.kind == msgContinuation:
		k := r.f.cursor("continuation message of "+r.what, &m)
		r.blocks = append(r.blocks, block{k.addr(), k.size()})
		c.err = k.err
	case m.kind == 0:
	case m.kind > msgLast && m.flags&flagMustNotSkip != 0:
		c.err = wire.Unsupported(r.what, m.at, "header message type %#x", m.kind)
	case len(r.h.messages) >= maxMessages:
		c.fail("more than %d messages", maxMessages)
	default:
		r.h.messages = append(r.h.messages, m)
	}
}
