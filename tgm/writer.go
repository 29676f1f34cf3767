package tgm

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/google/uuid"
	"github.com/zeebo/xxh3"
)

// Provenance is what a message says of its making. Zero fields are filled in when the message is
// written.
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

// WriterOptions configure a MessageWriter. The zero value is good.
type WriterOptions struct {
	NoHash     bool       // write no hashes
	Provenance Provenance // pinned values
	// TempDir is where objects and their metadata wait until the message is complete, once either
	// exceeds SpoolMemory bytes (default 8 MiB). Empty is the system's folder for temporary files.
	TempDir     string
	SpoolMemory int
}

// errClosed is the answer to calls after Close or Abort.
var errClosed = errors.New("tgm: message writer is closed")

// MessageWriter writes one message with its metadata, index and hashes in front. As these are known
// last, objects and base entries wait in temporary files: of each object, memory holds only its
// place and its hash. Call Close to write the message, or Abort. It is not safe for concurrent use.
type MessageWriter struct {
	w       io.Writer
	opts    WriterOptions
	spool   spool  // data frames
	base    spool  // base entries, each as CBOR
	objects []span // offsets from the first data frame
	hashes  []uint64
	extra   map[string]any
	scratch []byte
	err     error // the first error; nothing works after it
}

// NewMessageWriter returns a writer of one message to w, which receives nothing before Close.
func NewMessageWriter(w io.Writer, opts WriterOptions) *MessageWriter {
	return &MessageWriter{w: w, opts: opts, spool: newSpool(opts.TempDir, opts.SpoolMemory), base: newSpool(opts.TempDir, opts.SpoolMemory)}
}

// Append adds an object with its metadata, which must not have the key "_reserved_". Neither is
// kept: both may be changed and the object released when Append returns.
func (m *MessageWriter) Append(obj *EncodedObject, base map[string]any) error {
	if m.err != nil {
		return m.err
	}
	at := Location{-1, len(m.objects), -1}
	entry, err := marshalBase(base, &obj.desc)
	if err != nil {
		return metadataError("", at, err, "base entry")
	}
	hash := obj.hash
	if !obj.hashed && !m.opts.NoHash {
		hash = obj.computeHash()
	}
	s := span{m.spool.size, obj.Size()}
	if m.err = m.writeFrame(obj, hash); m.err != nil {
		return m.err
	}
	if m.err = m.base.write(entry); m.err != nil {
		return m.err
	}
	m.objects = append(m.objects, s)
	m.hashes = append(m.hashes, hash)
	return nil
}

// writeFrame spools the data frame of an object and the padding behind it.
//
//	16 bytes   header
//	           payload, masks, descriptor
//	8 bytes    offset of the descriptor in the frame
//	8 bytes    hash
//	4 bytes    end marker
func (m *MessageWriter) writeFrame(o *EncodedObject, hash uint64) error {
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
	b = append(appendUint64(b, m.slot(hash)), frameEnd...)
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
	if !m.opts.NoHash {
		flags |= frameFlagHash
	}
	return flags
}

// SetExtra sets the metadata of the message as a whole, replacing what was set before.
func (m *MessageWriter) SetExtra(extra map[string]any) { m.extra = maps.Clone(extra) }

// Close writes the message. The writer cannot be used afterwards.
func (m *MessageWriter) Close() error {
	defer m.Abort()
	if m.err != nil {
		return m.err
	}
	h, err := m.header()
	if err != nil {
		return err
	}
	if err := m.writeHeader(h); err != nil {
		return err
	}
	if err := m.spool.copyTo(m.w); err != nil {
		return err
	}
	if _, err := m.w.Write(appendPostamble(nil, postamble{uint64(h.end), uint64(h.end + postambleSize)})); err != nil {
		return fmt.Errorf("tgm: write message end: %w", err)
	}
	return nil
}

// Abort drops everything that was appended and not written. It does nothing after Close.
func (m *MessageWriter) Abort() {
	m.spool.drop()
	m.base.drop()
	if m.err == nil {
		m.err = errClosed
	}
}

// messageHeader is what stands before the first data frame.
//
//	24 bytes   preamble
//	           metadata frame: its header, the content before the base entries, the entries, the rest, its footer
//	           index and hash frames, if there are objects
type messageHeader struct {
	preamble     preamble
	metadata     metadataParts
	metadataSize int64  // of the frame, without padding
	tables       []byte // index and hash frames
	end          int64  // where the last data frame ends, padding included
}

// header works out everything before the first data frame, and with it where each object comes to
// lie.
func (m *MessageWriter) header() (h messageHeader, err error) {
	p, err := m.opts.Provenance.complete()
	if err != nil {
		return h, err
	}
	if h.metadata, err = marshalMetadata(len(m.objects), m.extra, p); err != nil {
		return h, metadataError("", nowhere, err, "message metadata")
	}
	h.metadataSize = frameHeaderSize + int64(len(h.metadata.before)+len(h.metadata.behind)) + m.base.size + frameFooterSize
	start := preambleSize + h.metadataSize
	start += padding(start)
	h.preamble.flags = flagHeaderMetadata
	if !m.opts.NoHash {
		h.preamble.flags |= flagHashesPresent
	}
	if len(m.objects) > 0 {
		h.preamble.flags |= flagHeaderIndex
		var hashes []byte
		if !m.opts.NoHash {
			h.preamble.flags |= flagHeaderHashes
			hashes = m.appendFrame(nil, frameHeaderHash, marshalHashes(m.hashes))
		}
		h.tables = append(m.indexFrame(start, int64(len(hashes))), hashes...)
	}
	h.end = start + int64(len(h.tables)) + m.spool.size
	h.preamble.total = uint64(h.end + postambleSize)
	return h, nil
}

// writeHeader writes everything before the first data frame. The base entries pass through: their
// hash is known behind them.
func (m *MessageWriter) writeHeader(h messageHeader) error {
	var hash xxh3.Hasher
	b := appendFrameHeader(appendPreamble(nil, h.preamble), frameHeaderMetadata, m.frameFlags(frameHeaderMetadata), uint64(h.metadataSize))
	b = append(b, h.metadata.before...)
	if _, err := m.w.Write(b); err != nil {
		return fmt.Errorf("tgm: write message header: %w", err)
	}
	hash.Write(h.metadata.before)
	if err := m.base.copyTo(io.MultiWriter(m.w, &hash)); err != nil {
		return err
	}
	hash.Write(h.metadata.behind)
	b = append(b[:0], h.metadata.behind...)
	b = append(appendUint64(b, m.slot(hash.Sum64())), frameEnd...)
	b = append(b, zeros[:padding(preambleSize+h.metadataSize)]...)
	if _, err := m.w.Write(append(b, h.tables...)); err != nil {
		return fmt.Errorf("tgm: write message header: %w", err)
	}
	return nil
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

// indexFrame returns the index frame that stands at start, and behind which so many bytes follow
// before the first data frame. Its own length depends on the offsets in it, which depend on its
// length; offsets only grow, so this settles.
func (m *MessageWriter) indexFrame(start, behind int64) []byte {
	for frameLen := int64(0); ; {
		frame := m.appendFrame(nil, frameHeaderIndex, marshalIndex(m.objects, start+frameLen+behind))
		if int64(len(frame)) == frameLen {
			return frame
		}
		frameLen = int64(len(frame))
	}
}
