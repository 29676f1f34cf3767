package tgm

import (
	"io"
	"maps"
	"time"

	"github.com/google/uuid"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Provenance says which encoder wrote a message, and when. Zero fields are filled in when the
// message is written.
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
			return p, fault.Errorf("tgm", "random identifier of a message: %w", err)
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

// WriterOptions configure a MessageWriter or a StreamWriter. The zero value has the defaults.
type WriterOptions struct {
	NoHash     bool       // write no hashes
	Provenance Provenance // pinned values
	// TempDir is the folder where objects and their metadata wait until the message is complete.
	// They go there once either exceeds SpoolMemory bytes (default 8 MiB), but for a first object of up
	// to 128 MiB. Empty is the system's folder for temporary files.
	TempDir     string
	SpoolMemory int
	// InPlace lets a MessageWriter write objects to their places before Close, where w is a file and
	// the rest of the message is sure to follow them. If the message is aborted they stay.
	InPlace bool
}

// errClosed is the answer to calls after Close or Abort.
var errClosed = fault.Errorf("tgm", "message writer is closed")

// MessageWriter writes one message whose length, metadata, index and hashes are known before its
// first byte is written. They stand at its beginning, or at its end if they take more than
// 256 KiB. Until then objects and base entries wait in temporary files; memory holds only the
// place and the hash of each object. Call Close to write the message, or Abort. It is not safe for
// concurrent use.
type MessageWriter struct {
	w       io.Writer
	opts    WriterOptions
	spool   spool  // data frames
	base    spool  // base entries, each as CBOR
	objects []span // offsets from the first data frame
	hashes  []uint64
	extra   map[string]any
	file    io.WriterAt // of the message, if objects are written to their places
	start   int64       // of the message in file
	framer
	err error // the first error; nothing works after it
}

// NewMessageWriter returns a writer of one message to w, which receives nothing before Close
// unless the options let it.
func NewMessageWriter(w io.Writer, opts WriterOptions) *MessageWriter {
	return &MessageWriter{w: w, opts: opts, framer: framer{noHash: opts.NoHash}, spool: newSpool(opts.TempDir, opts.SpoolMemory), base: newSpool(opts.TempDir, opts.SpoolMemory)}
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
	hash, err := m.hashFor(obj)
	if err != nil {
		return err
	}
	s := span{m.spool.size, obj.Size()}
	if m.err = m.writeData(m.spool.write, m.spool.writePayload, obj, hash); m.err != nil {
		return m.err
	}
	if m.err = m.base.write(entry); m.err != nil {
		return m.err
	}
	return m.appended(s, hash)
}

// appended notes an object that is in the spool with its metadata.
func (m *MessageWriter) appended(s span, hash uint64) error {
	m.objects = append(m.objects, s)
	m.hashes = append(m.hashes, hash)
	if m.opts.InPlace && m.spool.file != nil && preambleSize+m.base.size > maxHeader {
		m.opts.InPlace = false // this is the time to begin, if it can be done at all
		m.err = m.writeInPlace()
	}
	return m.err
}

// writeInPlace has objects go to their places from now on, where w is a file. A copy of all of them
// at the end would be made by one core, while the others wait.
func (m *MessageWriter) writeInPlace() error {
	file, ok := m.w.(interface {
		io.WriterAt
		io.Seeker
	})
	if !ok {
		return nil
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	room := make([]byte, preambleSize)
	if _, err := file.WriteAt(room, start); err != nil {
		return nil // a file that is only added to
	}
	if _, err := m.w.Write(room); err != nil {
		return fault.Errorf("tgm", "write message header: %w", err)
	}
	m.file, m.start = file, start
	return m.spool.emptyTo(m.w)
}

// SetExtra sets the metadata of the message as a whole, replacing metadata set before.
func (m *MessageWriter) SetExtra(extra map[string]any) { m.extra = maps.Clone(extra) }

// Close writes the message. The writer cannot be used afterwards.
func (m *MessageWriter) Close() error {
	defer m.Abort()
	if m.err != nil {
		return m.err
	}
	p, err := m.plan()
	if err != nil {
		return err
	}
	preamble := appendPreamble(nil, p.preamble)
	if m.file != nil {
		_, err = m.file.WriteAt(preamble, m.start)
	} else {
		_, err = m.w.Write(preamble)
	}
	if err != nil {
		return fault.Errorf("tgm", "write message header: %w", err)
	}
	if p.footer == p.end {
		err = m.writeHeader(p)
	} else {
		if m.file == nil {
			err = m.spool.copyTo(m.w)
		}
		if err == nil {
			err = m.writeTables(p, frameFooterMetadata)
		}
	}
	if err != nil {
		return err
	}
	if _, err := m.w.Write(appendPostamble(nil, postamble{uint64(p.footer), p.preamble.total})); err != nil {
		return fault.Errorf("tgm", "write message end: %w", err)
	}
	return nil
}

// Abort discards the appended objects and removes temporary files. It does nothing after Close.
func (m *MessageWriter) Abort() {
	m.spool.drop()
	m.base.drop()
	if m.err == nil {
		m.err = errClosed
	}
}

// maxHeader is how many bytes may stand before the objects of a message that a MessageWriter
// writes. The reference reads this much of a remote file to find metadata and index, and opens no
// file that has more; it reads frames at the end whole.
const maxHeader = 256 << 10

// messagePlan lists the parts of a message beside its objects, and their places.
//
//	24 bytes   preamble
//	           metadata frame: its header, the content before the base entries, the entries, the
//	           rest, its footer
//	           index and hash frames, if there are objects
//	           objects
//	24 bytes   postamble
//
// If that puts the first object beyond maxHeader the metadata, hash and index frames follow the
// objects.
type messagePlan struct {
	preamble preamble
	metadata metadataParts
	tables   []byte // index and hash frames
	footer   int64  // where footer frames begin, or end if there are none
	end      int64  // where the last frame ends, padding included
}

// plan works out everything but the objects, and the place of each object.
func (m *MessageWriter) plan() (p messagePlan, err error) {
	made, err := m.opts.Provenance.complete()
	if err != nil {
		return p, err
	}
	if p.metadata, err = marshalMetadata(len(m.objects), m.extra, made); err != nil {
		return p, metadataError("", nowhere, err, "message metadata")
	}
	size := p.metadata.frameSize(&m.base)
	size += padding(size)
	if m.planHeader(&p, size); len(m.objects) > 0 && p.end-m.spool.size > maxHeader {
		m.planFooter(&p, size)
	}
	if !m.opts.NoHash {
		p.preamble.flags |= flagHashesPresent
	}
	p.preamble.total = uint64(p.end + postambleSize)
	return p, nil
}

// planHeader puts metadata of the given size, the index and the hashes before the objects.
func (m *MessageWriter) planHeader(p *messagePlan, metadata int64) {
	p.preamble.flags = flagHeaderMetadata
	if len(m.objects) > 0 {
		p.preamble.flags |= flagHeaderIndex
		var hashes []byte
		if !m.opts.NoHash {
			p.preamble.flags |= flagHeaderHashes
			hashes = m.appendFrame(nil, frameHeaderHash, marshalHashes(m.hashes))
		}
		p.tables = append(m.indexFrame(preambleSize+metadata, int64(len(hashes))), hashes...)
	}
	p.end = preambleSize + metadata + int64(len(p.tables)) + m.spool.size
	p.footer = p.end
}

// planFooter puts metadata, hashes and index after the objects, in the order of the reference.
func (m *MessageWriter) planFooter(p *messagePlan, metadata int64) {
	p.preamble.flags = flagFooterMetadata | flagFooterIndex
	p.tables = nil
	if !m.opts.NoHash {
		p.preamble.flags |= flagFooterHashes
		p.tables = m.appendFrame(nil, frameFooterHash, marshalHashes(m.hashes))
	}
	p.tables = append(p.tables, m.appendFrame(nil, frameFooterIndex, marshalIndex(m.objects, preambleSize))...)
	p.footer = preambleSize + m.spool.size
	p.end = p.footer + metadata + int64(len(p.tables))
}

// writeHeader writes everything after the preamble if the objects are last.
func (m *MessageWriter) writeHeader(p messagePlan) error {
	if err := m.writeTables(p, frameHeaderMetadata); err != nil {
		return err
	}
	return m.spool.copyTo(m.w)
}

// writeTables writes the metadata frame, as the given kind, and the index and hash frames.
func (m *MessageWriter) writeTables(p messagePlan, metadata frameType) error {
	if err := m.writeMetadata(m.w, metadata, p.metadata, &m.base); err != nil {
		return err
	}
	if _, err := m.w.Write(p.tables); err != nil {
		return fault.Errorf("tgm", "write message tables: %w", err)
	}
	return nil
}

// indexFrame returns the index frame that stands at start. There are between bytes between it and
// the first data frame. Its own length depends on the offsets in it, which depend on its length;
// offsets only grow, so this settles.
func (m *MessageWriter) indexFrame(start, between int64) []byte {
	for frameLen := int64(0); ; {
		frame := m.appendFrame(nil, frameHeaderIndex, marshalIndex(m.objects, start+frameLen+between))
		if int64(len(frame)) == frameLen {
			return frame
		}
		frameLen = int64(len(frame))
	}
}
