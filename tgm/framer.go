package tgm

import (
	"io"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// framer puts frames together.
type framer struct {
	noHash  bool
	scratch []byte
}

// flags returns the flags of a frame.
func (f *framer) flags(kind frameType) uint16 {
	var flags uint16
	if kind == frameData {
		flags |= frameFlagCBORAfter
	}
	if !f.noHash {
		flags |= frameFlagHash
	}
	return flags
}

// slot returns the number to write to a frame's hash slot.
func (f *framer) slot(h uint64) uint64 {
	if f.noHash {
		return 0
	}
	return h
}

// appendFrame appends a frame that is not a data frame, and padding.
func (f *framer) appendFrame(dst []byte, kind frameType, content []byte) []byte {
	size := frameHeaderSize + len(content) + frameFooterSize
	dst = appendFrameHeader(dst, kind, f.flags(kind), uint64(size))
	dst = append(dst, content...)
	dst = appendUint64(dst, f.slot(xxh3.Hash(content)))
	dst = append(dst, frameEnd...)
	return append(dst, zeros[:padding(int64(size))]...)
}

// writeData writes the data frame of an object and padding. The function payload writes payloads that
// are not small.
//
//	16 bytes   header
//	           payload, masks, descriptor
//	8 bytes    offset of the descriptor in the frame
//	8 bytes    hash
//	4 bytes    end marker
func (f *framer) writeData(write func([]byte) error, payload func(*EncodedObject) error, o *EncodedObject, hash uint64) error {
	size := o.Size()
	cborAt := uint64(frameHeaderSize+len(o.masks)) + uint64(o.payloadSize())
	b := appendFrameHeader(f.scratch[:0], frameData, f.flags(frameData), uint64(size))
	if o.file == nil && len(o.payload) <= smallFrame {
		b = append(b, o.payload...)
	} else {
		if err := write(b); err != nil {
			return err
		}
		if err := payload(o); err != nil {
			return err
		}
		b = b[:0]
	}
	b = append(append(b, o.masks...), o.cbor...)
	b = appendUint64(b, cborAt)
	b = append(appendUint64(b, f.slot(hash)), frameEnd...)
	b = append(b, zeros[:padding(size)]...)
	f.scratch = b
	return write(b)
}

// smallFrame is the payload size up to which a frame is put together before it is written.
const smallFrame = 16 << 10

// hashFor is the hash of an object's frame, 0 if none is wanted.
func (f *framer) hashFor(o *EncodedObject) (uint64, error) {
	if !o.hashed && !f.noHash {
		return o.computeHash()
	}
	return o.hash, nil
}

// frameSize is the length of the metadata frame with the given base entries, without padding.
func (p metadataParts) frameSize(base *spool) int64 {
	return frameHeaderSize + int64(len(p.before)+len(p.after)) + base.size + frameFooterSize
}

// writeMetadata writes a metadata frame and padding. The base entries pass through: their hash is
// known after them.
func (f *framer) writeMetadata(w io.Writer, kind frameType, parts metadataParts, base *spool) error {
	var hash xxh3.Hasher
	size := parts.frameSize(base)
	b := append(appendFrameHeader(nil, kind, f.flags(kind), uint64(size)), parts.before...)
	if _, err := w.Write(b); err != nil {
		return fault.Errorf("tgm", "write metadata: %w", err)
	}
	hash.Write(parts.before)
	if err := base.copyTo(io.MultiWriter(w, &hash)); err != nil {
		return err
	}
	hash.Write(parts.after)
	b = append(b[:0], parts.after...)
	b = append(appendUint64(b, f.slot(hash.Sum64())), frameEnd...)
	b = append(b, zeros[:padding(size)]...)
	if _, err := w.Write(b); err != nil {
		return fault.Errorf("tgm", "write metadata: %w", err)
	}
	return nil
}
