package tgm

import (
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

// RawObject is a data frame as it is stored in a file: payload, masks, descriptor and hash.
// Methods AppendRaw of [MessageWriter] and [StreamWriter] copy it to another message bit for
// bit. Nothing is decoded, so its codecs need not be known.
type RawObject struct {
	desc   *Descriptor
	msg    *Message
	frame  frame
	hash   uint64
	hashed bool
	where  Location
}

// Raw returns the frame of the object. Nothing is read until it is written.
func (o *Object) Raw() *RawObject {
	return &RawObject{desc: o.desc, msg: o.msg, frame: o.frame, hash: o.hash, hashed: o.hasHash, where: o.where()}
}

// Descriptor returns the descriptor; it must not be changed.
func (r *RawObject) Descriptor() *Descriptor { return r.desc }

// Size returns the bytes of the frame, without padding.
func (r *RawObject) Size() int64 { return r.frame.length }

// Open returns a reader of the bytes of the frame.
func (r *RawObject) Open() io.Reader {
	return io.NewSectionReader(r.msg.src.r, r.msg.offset+r.frame.offset, r.frame.length)
}

// copyTo writes the frame, with its hash if withHash is set; a missing hash is computed. Flags that
// are not covered by the hash become the flags of current releases. A frame that does not have its
// hash gives a *HashError; it has been written by then.
func (r *RawObject) copyTo(write func([]byte) error, withHash bool) (hash uint64, err error) {
	flags := r.frame.flags &^ frameFlagHash
	if withHash {
		flags |= frameFlagHash
	}
	if err := write(appendFrameHeader(nil, frameData, flags, uint64(r.frame.length))); err != nil {
		return 0, err
	}
	buf := getBuffer(int(min(hashChunk, r.frame.length)))
	defer putBuffer(buf)
	var h xxh3.Hasher
	for pos, end := r.frame.offset+frameHeaderSize, r.frame.contentEnd(); pos < end; {
		b := (*buf)[:min(int64(len(*buf)), end-pos)]
		if err := r.msg.src.readAt(b, r.msg.offset+pos); err != nil {
			return 0, locate(err, r.where)
		}
		h.Write(b)
		if err := write(b); err != nil {
			return 0, err
		}
		pos += int64(len(b))
	}
	hash = h.Sum64()
	if r.hashed && hash != r.hash {
		return 0, hashError(r.where, "frame", hash, r.hash)
	}
	var footer [dataFooterSize]byte
	if err := r.msg.src.readAt(footer[:], r.msg.offset+r.frame.contentEnd()); err != nil {
		return 0, locate(err, r.where)
	}
	slot := hash
	if !withHash {
		slot = 0
	}
	b := append(footer[:8:8], appendUint64(nil, slot)...)
	b = append(append(b, frameEnd...), zeros[:padding(r.frame.length)]...)
	return hash, write(b)
}

// AppendRaw adds an object as it is stored in another message, with the given metadata. The
// metadata must not have the key "_reserved_". After an error in reading its bytes the writer can
// only be aborted.
func (m *MessageWriter) AppendRaw(r *RawObject, base map[string]any) error {
	if m.err != nil {
		return m.err
	}
	entry, err := marshalBase(base, r.desc)
	if err != nil {
		return metadataError("", Location{-1, len(m.objects), -1}, err, "base entry")
	}
	s := span{m.spool.size, r.frame.length}
	hash, err := r.copyTo(m.spool.write, !m.opts.NoHash)
	if err == nil {
		err = m.base.write(entry)
	}
	if err != nil {
		m.err = err
		return err
	}
	return m.appended(s, hash)
}

// EncodedFrom returns an object without masks, whose payload has already gone through the stages that d names. It makes all
// checks that need no decoding: that d has a type and strides, the stages and their parameters, the length of a payload without
// compression, and the offsets of szip intervals. The result refers to payload.
func EncodedFrom(d Descriptor, payload []byte) (*EncodedObject, error) {
	if err := d.checkPreEncoded(payload); err != nil {
		return nil, err
	}
	o := &EncodedObject{desc: d, payload: payload, hashed: true}
	return o, o.seal()
}

func (d *Descriptor) checkPreEncoded(payload []byte) error {
	if _, ok := d.Params[keyReserved]; ok {
		return encodingError(errReserved, "descriptor")
	}
	if d.Masks.Any() {
		return encodingError(nil, "a payload encoded elsewhere has masks, expected none")
	}
	if d.Type == "" {
		return encodingError(nil, "a payload encoded elsewhere has no type, expected one such as ntensor")
	}
	if len(d.Strides) != len(d.Shape) {
		return encodingError(nil, "a payload encoded elsewhere has %d strides for %d dimensions", len(d.Strides), len(d.Shape))
	}
	if err := d.check(uint64(len(d.Shape)), int64(len(payload)), nowhere); err != nil {
		return err
	}
	offsets, has := d.Params[keySzipOffsets]
	if has && d.Compression != nameSzip {
		return encodingError(nil, "%s belong to %s, not to compression %s", keySzipOffsets, nameSzip, d.Compression)
	}
	p, err := newPayloadDecoder(d, int64(len(payload)), Limits{})
	if err != nil {
		return err
	}
	if p.plain() {
		return p.checkPlain(int64(len(payload)))
	}
	last := p.layers[len(p.layers)-1]
	if last.fits != nil {
		if n, ok := d.encodedSize(p); ok && n != len(payload) {
			return encodingError(nil, "payload of %d bytes, expected %d", len(payload), n)
		}
		return last.fits(len(payload))
	}
	if !has {
		return nil
	}
	list, err := asUints(offsets)
	if err == nil {
		err = checkOffsetOrder(list, len(payload))
	}
	if err != nil {
		return encodingError(err, "%s", keySzipOffsets)
	}
	return nil
}

// encodedSize is the length of a payload without compression.
func (d *Descriptor) encodedSize(p *payloadDecoder) (int, bool) {
	out := p.layers[len(p.layers)-1].out
	return out.bytes, d.Compression == nameNone
}

// checkOffsetOrder reports offsets that no stream of the given bytes has.
func checkOffsetOrder(offsets []uint64, size int) error {
	for i, at := range offsets {
		switch {
		case i == 0 && at != 0:
			return fmt.Errorf("first interval offset is %d, expected 0", at)
		case i > 0 && at <= offsets[i-1]:
			return fmt.Errorf("interval offset %d is %d after %d", i, at, offsets[i-1])
		case at > 8*uint64(size):
			return fmt.Errorf("interval offset %d is bit %d of %d bytes", i, at, size)
		}
	}
	return nil
}
