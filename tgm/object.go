package tgm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"sync"

	"github.com/zeebo/xxh3"
)

// Object is one array of a message. It is safe for concurrent use.
type Object struct {
	msg   *Message
	index int
	frame frame
	desc  *Descriptor
	base  map[string]any // as it is stored
	full  struct {
		once sync.Once
		base map[string]any
	}
	// region is where payload and masks lie in the message; payload is the payload's length.
	region  span
	payload int64
	cbor    []byte
	hash    uint64
	hasHash bool
}

// Index returns the number of the object in its message.
func (o *Object) Index() int { return o.index }

// Message returns the message the object is part of.
func (o *Object) Message() *Message { return o.msg }

// Offset returns the offset of the first byte of the object's frame in the file.
func (o *Object) Offset() int64 { return o.msg.offset + o.frame.offset }

// Length returns the bytes of the frame, without padding.
func (o *Object) Length() int64 { return o.frame.length }

// PayloadOffset returns the offset of the first byte of the stored payload in the file.
func (o *Object) PayloadOffset() int64 { return o.msg.offset + o.region.offset }

// PayloadLength returns the bytes of the stored payload, without masks.
func (o *Object) PayloadLength() int64 { return o.payload }

// Descriptor returns the descriptor; it must not be changed.
func (o *Object) Descriptor() *Descriptor { return o.desc }

// Base returns the metadata of the object, without "_reserved_". It must not be changed.
func (o *Object) Base() map[string]any {
	if o.base == nil || o.msg.completer == nil {
		return o.base
	}
	o.full.once.Do(func() { o.full.base = o.msg.completed(maps.Clone(o.base)) })
	return o.full.base
}

// StoredBase is Base without the keys that a [Completer] adds: the stored entry of the object.
// It takes less time, and is the metadata to write for the object in another message.
func (o *Object) StoredBase() map[string]any { return o.base }

// Hash returns the hash stored in the frame, and false if there is none.
func (o *Object) Hash() (uint64, bool) { return o.hash, o.hasHash }

// where is the location of the object for errors.
func (o *Object) where() Location { return o.msg.at(o.index, o.Offset()) }

// readObject reads the header, the descriptor and the footer of object j.
func (m *Message) readObject(j int, s span, base map[string]any) (*Object, error) {
	head := make([]byte, frameHeaderSize)
	if s.isSmall() {
		head = make([]byte, s.length) // all of it: one read instead of two
	}
	if err := m.src.readAt(head, m.offset+s.offset); err != nil {
		return nil, locate(err, m.at(j, m.offset+s.offset))
	}
	return m.parseObject(nil, j, s, head, base)
}

// parseObject is readObject for a frame, or its header, that has been read. The reader may be nil.
func (m *Message) parseObject(r *ObjectReader, j int, s span, head []byte, base map[string]any) (*Object, error) {
	at := m.at(j, m.offset+s.offset)
	f, err := parseFrameHeader(head[:frameHeaderSize], s.offset, m.framesEnd(), at)
	if err != nil {
		return nil, err
	}
	if f.kind != frameData || f.length != s.length {
		return nil, metadataError("index_offset_mismatch", at, nil,
			"index has a data frame of %d bytes, found a %s frame of %d", s.length, f.kind, f.length)
	}
	o := &Object{msg: m, index: j, frame: f, base: withoutReserved(base)}
	if err := o.readDescriptor(r, head[frameHeaderSize:], at); err != nil {
		return nil, err
	}
	return o, nil
}

// descriptorChunk is how much of the end of a frame is read at first. It usually holds the
// whole descriptor.
const descriptorChunk = 2 << 10

// readDescriptor reads the end of the frame and the descriptor, which lies before or after the
// payload. The slice tail is the whole frame after its header if it has been read, else empty.
func (o *Object) readDescriptor(r *ObjectReader, tail []byte, at Location) error {
	m, f := o.msg, o.frame
	if len(tail) == 0 {
		tail = make([]byte, min(descriptorChunk, f.length-frameHeaderSize))
		if err := m.src.readAt(tail, m.offset+f.end()-int64(len(tail))); err != nil {
			return locate(err, at)
		}
	}
	footer := tail[len(tail)-dataFooterSize:]
	if string(footer[16:]) != frameEnd {
		return framingError("missing_end_marker", at, "data frame ends with %q, expected %q", footer[16:], frameEnd)
	}
	o.hash, o.hasHash = hashSlot(footer, f, m.pre.flags)
	cborAt, err := cborOffset(footer, f, at)
	if err != nil {
		return err
	}
	if f.flags&frameFlagCBORAfter == 0 {
		return o.readLeadingDescriptor(cborAt, at)
	}
	n := f.length - dataFooterSize - cborAt
	if n > m.limits.item() {
		return metadataError("descriptor_cbor_parse_failed", at, nil, "descriptor of %d bytes is beyond the limit of %d", n, m.limits.item())
	}
	if have := int64(len(tail)) - dataFooterSize; n <= have {
		o.cbor = tail[have-n : have]
	} else {
		o.cbor = make([]byte, n)
		if err := m.src.readAt(o.cbor, m.offset+f.offset+cborAt); err != nil {
			return locate(err, at)
		}
	}
	var d *Descriptor
	var ndim uint64
	if r != nil {
		d, ndim, err = r.descriptor(o.cbor, at)
	} else {
		d, ndim, _, err = parseDescriptor(o.cbor, at)
	}
	if err != nil {
		return err
	}
	return o.setDescriptor(d, ndim, span{f.offset + frameHeaderSize, cborAt - frameHeaderSize}, at)
}

// cborOffset returns the place of the descriptor in the frame.
func cborOffset(footer []byte, f frame, at Location) (int64, error) {
	off := binary.BigEndian.Uint64(footer)
	if off < frameHeaderSize || off > uint64(f.length-dataFooterSize) {
		return 0, framingError("cbor_offset_invalid", at, "descriptor at %d of a data frame of %d bytes", off, f.length)
	}
	return int64(off), nil
}

// readLeadingDescriptor reads a descriptor that stands before the payload. Its length is known only
// once it is parsed, so more is read until it is whole.
func (o *Object) readLeadingDescriptor(cborAt int64, at Location) error {
	m, f := o.msg, o.frame
	room := f.length - dataFooterSize - cborAt
	for n := min(descriptorChunk, room); ; n = min(4*n, room) {
		if n > m.limits.item() {
			return metadataError("descriptor_cbor_parse_failed", at, nil, "descriptor is beyond the limit of %d bytes", m.limits.item())
		}
		b := make([]byte, n)
		if err := m.src.readAt(b, m.offset+f.offset+cborAt); err != nil {
			return locate(err, at)
		}
		d, ndim, size, err := parseDescriptor(b, at)
		if err != nil && n < room && errors.Is(err, io.ErrUnexpectedEOF) {
			continue
		}
		if err != nil {
			return err
		}
		o.cbor = b[:size]
		start := cborAt + int64(size)
		return o.setDescriptor(d, ndim, span{f.offset + start, f.length - dataFooterSize - start}, at)
	}
}

func (o *Object) setDescriptor(d *Descriptor, ndim uint64, region span, at Location) error {
	if err := d.check(ndim, region.length, at); err != nil {
		return err
	}
	o.desc, o.region, o.payload = d, region, region.length
	for _, kind := range maskKinds {
		if info := *kind.of(&d.Masks); info != nil {
			o.payload = min(o.payload, int64(info.Offset))
		}
	}
	return nil
}

// EncodedPayload returns the stored payload untouched, without masks.
func (o *Object) EncodedPayload() ([]byte, error) {
	b := make([]byte, o.payload)
	if err := o.msg.src.readAt(b, o.PayloadOffset()); err != nil {
		return nil, locate(err, o.where())
	}
	return b, nil
}

// Encoded returns the object as it is stored, to be written to another message without decoding. A
// frame whose bytes do not have its hash gives a *HashError, so that damage is not hidden by a
// new hash.
func (o *Object) Encoded() (*EncodedObject, error) {
	e, err := o.encoded()
	return e, locate(err, o.where())
}

func (o *Object) encoded() (*EncodedObject, error) {
	region := make([]byte, o.region.length)
	if err := o.msg.src.readAt(region, o.PayloadOffset()); err != nil {
		return nil, err
	}
	e := &EncodedObject{desc: *o.desc, payload: region[:o.payload], masks: region[o.payload:], hashed: true}
	if o.desc.Encoding == nameSimplePacking {
		e.desc.Params = renamedPackingKeys(o.desc.Params)
	}
	if err := e.seal(); err != nil || !o.hasHash {
		return e, err
	}
	switch {
	case o.frame.flags&frameFlagCBORAfter == 0:
		return e, o.VerifyHash()
	case bytes.Equal(e.cbor, o.cbor):
		return e, o.compareHash(e.hash)
	}
	return e, o.compareHash(o.hashOf(region, nil))
}

// hashOf returns the hash of a frame as it was read, whose descriptor follows the payload.
func (o *Object) hashOf(payload, rest []byte) uint64 {
	var h xxh3.Hasher
	h.Write(payload)
	h.Write(rest)
	h.Write(o.cbor)
	return h.Sum64()
}

// CheckHash is VerifyHash for an object that need not have a hash.
func (o *Object) CheckHash() error {
	if !o.hasHash {
		return nil
	}
	return o.VerifyHash()
}

// VerifyHash compares the frame with its hash and returns a *HashError if they differ or if there
// is none.
func (o *Object) VerifyHash() error {
	if !o.hasHash {
		return &HashError{Problem: Problem{o.where(), "frame has no hash", nil}, Missing: true}
	}
	computed, err := o.msg.hashFrame(o.frame)
	if err != nil {
		return locate(err, o.where())
	}
	return o.compareHash(computed)
}

func (o *Object) compareHash(computed uint64) error {
	if computed == o.hash {
		return nil
	}
	return hashError(o.where(), "frame", computed, o.hash)
}

// hashFrame computes the hash of a frame's content, which begins after the header and ends at the
// footer.
func (m *Message) hashFrame(f frame) (uint64, error) {
	buf := getBuffer(int(min(hashChunk, f.length)))
	defer putBuffer(buf)
	var h xxh3.Hasher
	for pos, end := f.offset+frameHeaderSize, f.contentEnd(); pos < end; {
		b := (*buf)[:min(int64(len(*buf)), end-pos)]
		if err := m.src.readAt(b, m.offset+pos); err != nil {
			return 0, err
		}
		h.Write(b)
		pos += int64(len(b))
	}
	return h.Sum64(), nil
}

const hashChunk = 1 << 20
