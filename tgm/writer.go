package tgm

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/uuid"
	"github.com/zeebo/xxh3"
)

// Provenance is what a message says of its making. Zero fields are filled in when the message is written.
type Provenance struct {
	Time           time.Time // written in UTC with second resolution
	UUID           string    // lower-case text; a random one if empty
	EncoderName    string    // "tgmconv" if empty
	EncoderVersion string    // Version if empty
}

// Version is the version of the encoder that messages name when the caller gives none.
const Version = "0.1.0"

// complete fills in zero fields.
func (p Provenance) complete() (Provenance, error) {
	if p.Time.IsZero() {
		p.Time = time.Now()
	}
	if p.UUID == "" {
		id, err := uuid.NewRandom()
		if err != nil {
			return p, fmt.Errorf("tgm: random identifier of a message: %w", err)
		}
		p.UUID = id.String()
	}
	if p.EncoderName == "" {
		p.EncoderName = "tgmconv"
		if p.EncoderVersion == "" {
			p.EncoderVersion = Version
		}
	}
	return p, nil
}

// WriterOptions configure a MessageWriter. The zero value writes what release 0.24 of the reference implementation writes.
type WriterOptions struct {
	Compat     Compat
	NoHash     bool       // write no hashes
	Provenance Provenance // pinned values
	// TempDir is where objects wait until the message is complete, once they exceed SpoolMemory bytes
	// (default 8 MiB). Empty is the system's folder for temporary files.
	TempDir     string
	SpoolMemory int
}

// errClosed is the answer to calls after Close or Abort.
var errClosed = errors.New("tgm: message writer is closed")

// MessageWriter writes one message with its metadata, index and hashes in front. As these are known last, objects wait in a
// temporary file, so that memory does not grow with their number. Call Close to write the message, or Abort. It is not
// safe for concurrent use.
type MessageWriter struct {
	w       io.Writer
	opts    WriterOptions
	spool   spool
	objects []span // offsets from the first data frame
	hashes  []uint64
	base    []cbor.RawMessage
	extra   map[string]any
	scratch []byte
	err     error // the first error; nothing works after it
}

// NewMessageWriter returns a writer of one message to w, which receives nothing before Close.
func NewMessageWriter(w io.Writer, opts WriterOptions) *MessageWriter {
	return &MessageWriter{w: w, opts: opts, spool: newSpool(opts.TempDir, opts.SpoolMemory)}
}

// Append adds an object with its metadata, which must not have the key "_reserved_". Neither is kept: both may be changed
// and the object released when Append returns.
func (m *MessageWriter) Append(obj *EncodedObject, base map[string]any) error {
	if m.err != nil {
		return m.err
	}
	at := Location{-1, len(m.objects), -1}
	obj, err := obj.recast(m.opts.Compat, !m.opts.NoHash)
	if err != nil {
		return locate(err, at)
	}
	entry, err := marshalBase(base, &obj.desc)
	if err != nil {
		return metadataError("", at, err, "base entry")
	}
	s := span{m.spool.size, obj.Size()}
	if m.err = m.writeFrame(obj); m.err != nil {
		return m.err
	}
	m.objects = append(m.objects, s)
	m.hashes = append(m.hashes, obj.hash)
	m.base = append(m.base, entry)
	return nil
}

// writeFrame spools the data frame of an object and the padding behind it.
//
//	16 bytes   header
//	           payload, masks, descriptor
//	8 bytes    offset of the descriptor in the frame
//	8 bytes    hash
//	4 bytes    end marker
func (m *MessageWriter) writeFrame(o *EncodedObject) error {
	size := o.Size()
	cborAt := uint64(frameHeaderSize + len(o.payload) + len(o.masks))
	b := appendFrameHeader(m.scratch[:0], frameData, m.frameFlags(frameData), uint64(size))
	if len(o.payload) <= smallFrame {
		b = append(append(b, o.payload...), o.masks...)
	} else {
		if err := m.spool.write(b); err != nil {
			return err
		}
		if err := m.spool.write(o.payload); err != nil {
			return err
		}
		b = append(b[:0], o.masks...)
	}
	b = append(b, o.cbor...)
	b = appendUint64(b, cborAt)
	b = append(appendUint64(b, m.slot(o.hash)), frameEnd...)
	b = append(b, zeros[:padding(size)]...)
	m.scratch = b
	return m.spool.write(b)
}

// smallFrame is the payload size up to which a frame is put together before it is spooled.
const smallFrame = 16 << 10

// slot is what stands in a frame's hash slot.
func (m *MessageWriter) slot(h uint64) uint64 {
	if m.opts.NoHash {
		return 0
	}
	return h
}

func (m *MessageWriter) frameFlags(kind frameType) uint16 {
	var flags uint16
	if kind == frameData {
		flags |= frameFlagCBORAfter
	}
	if !m.opts.NoHash && m.opts.Compat != Compat017 {
		flags |= frameFlagHash
	}
	return flags
}

// SetExtra sets the metadata of the message as a whole, replacing what was set before.
func (m *MessageWriter) SetExtra(extra map[string]any) { m.extra = maps.Clone(extra) }

// Len returns the number of objects appended.
func (m *MessageWriter) Len() int { return len(m.objects) }

// Close writes the message. The writer cannot be used afterwards.
func (m *MessageWriter) Close() error {
	defer m.Abort()
	if m.err != nil {
		return m.err
	}
	head, footer, err := m.header()
	if err != nil {
		return err
	}
	if _, err := m.w.Write(head); err != nil {
		return fmt.Errorf("tgm: write message header: %w", err)
	}
	if err := m.spool.copyTo(m.w); err != nil {
		return err
	}
	total := footer + postambleSize
	if _, err := m.w.Write(appendPostamble(nil, postamble{uint64(footer), uint64(total)})); err != nil {
		return fmt.Errorf("tgm: write message end: %w", err)
	}
	return nil
}

// Abort drops everything that was appended and not written. It does nothing after Close.
func (m *MessageWriter) Abort() {
	m.spool.drop()
	if m.err == nil {
		m.err = errClosed
	}
}

// header returns the bytes before the first data frame, and where the last one ends, padding included.
func (m *MessageWriter) header() (head []byte, end int64, err error) {
	p, err := m.opts.Provenance.complete()
	if err != nil {
		return nil, 0, err
	}
	metadata, err := marshalMetadata(m.base, m.extra, p, m.opts.Compat)
	if err != nil {
		return nil, 0, metadataError("", nowhere, err, "message metadata")
	}
	pre := preamble{flags: flagHeaderMetadata}
	if !m.opts.NoHash {
		pre.flags |= flagHashesPresent
	}
	head = m.appendFrame(appendPreamble(nil, pre), frameHeaderMetadata, metadata)
	if len(m.objects) > 0 {
		pre.flags |= flagHeaderIndex
		var hashes []byte
		if !m.opts.NoHash {
			pre.flags |= flagHeaderHashes
			content, err := marshalHashes(m.hashes)
			if err != nil {
				return nil, 0, metadataError("", nowhere, err, "hash frame")
			}
			hashes = m.appendFrame(nil, frameHeaderHash, content)
		}
		if head, err = m.appendIndex(head, int64(len(hashes))); err != nil {
			return nil, 0, err
		}
		head = append(head, hashes...)
	}
	end = int64(len(head)) + m.spool.size
	pre.total = uint64(end + postambleSize)
	appendPreamble(head[:0], pre)
	return head, end, nil
}

// appendFrame appends a frame that is not a data frame, and padding.
func (m *MessageWriter) appendFrame(dst []byte, kind frameType, content []byte) []byte {
	size := frameHeaderSize + len(content) + frameFooterSize
	dst = appendFrameHeader(dst, kind, m.frameFlags(kind), uint64(size))
	dst = append(dst, content...)
	dst = appendUint64(dst, m.slot(xxh3.Hash(content)))
	dst = append(dst, frameEnd...)
	return append(dst, zeros[:padding(int64(size))]...)
}

// appendIndex appends the index frame, behind which so many bytes follow before the first data frame. Its own length
// depends on the offsets in it, which depend on its length; offsets only grow, so this settles.
func (m *MessageWriter) appendIndex(head []byte, behind int64) ([]byte, error) {
	spans := make([]span, len(m.objects))
	for frameLen := int64(0); ; {
		first := int64(len(head)) + frameLen + behind
		for i, s := range m.objects {
			spans[i] = span{first + s.offset, s.length}
		}
		content, err := marshalIndex(spans)
		if err != nil {
			return nil, metadataError("", nowhere, err, "index")
		}
		frame := m.appendFrame(nil, frameHeaderIndex, content)
		if int64(len(frame)) == frameLen {
			return append(head, frame...), nil
		}
		frameLen = int64(len(frame))
	}
}
