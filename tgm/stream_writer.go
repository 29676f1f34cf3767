package tgm

import (
	"io"
	"maps"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// StreamWriter writes one message object by object: each is written when it is appended, after its
// metadata. Metadata of the message, the index and the hashes follow at the end, so memory does not
// grow with the objects, beyond 24 bytes and the metadata of each, which wait in a temporary file
// if they are many. Readers of a stream take the objects as they arrive; readers of a file find
// everything in the footer. It is not safe for concurrent use.
//
// The preamble of the message has no length, unless w can be read and written at any offset, as a
// file can: then Close fills it in.
type StreamWriter struct {
	w       io.Writer
	opts    WriterOptions
	pos     int64 // in the message
	started bool
	base    spool
	objects []span
	hashes  []uint64
	extra   map[string]any
	framer
	err error // the first error
}

// NewStreamWriter returns a writer of one message to w.
func NewStreamWriter(w io.Writer, opts WriterOptions) *StreamWriter {
	return &StreamWriter{w: w, opts: opts, framer: framer{noHash: opts.NoHash}, base: newSpool(opts.TempDir, opts.SpoolMemory)}
}

// streamFlags are the flags of a message that is written as it comes.
const streamFlags = flagHeaderMetadata | flagFooterMetadata | flagFooterIndex | flagFooterHashes | flagPreceders

// SetExtra sets the metadata of the message as a whole, replacing metadata set before. Metadata
// set before the first object is written to the header as well as to the footer.
func (s *StreamWriter) SetExtra(extra map[string]any) { s.extra = maps.Clone(extra) }

// write counts the bytes that go out.
func (s *StreamWriter) write(b []byte) error {
	n, err := s.w.Write(b)
	s.pos += int64(n)
	if err != nil {
		return fault.Errorf("tgm", "write message: %w", err)
	}
	return nil
}

func (s *StreamWriter) writePayload(o *EncodedObject) error {
	if o.file != nil {
		return o.file.each(s.write)
	}
	return s.write(o.payload)
}

// start writes the preamble and the header.
func (s *StreamWriter) start() error {
	if s.err != nil || s.started {
		return s.err
	}
	s.started = true
	flags := uint16(streamFlags)
	if !s.noHash {
		flags |= flagHashesPresent
	}
	header, err := marshalHeader(s.extra)
	if err != nil {
		s.err = metadataError("", nowhere, err, "message metadata")
		return s.err
	}
	s.err = s.write(s.appendFrame(appendPreamble(nil, preamble{flags: flags}), frameHeaderMetadata, header))
	return s.err
}

// Append writes an object with its metadata, which must not have the key "_reserved_". Neither is
// kept.
func (s *StreamWriter) Append(obj *EncodedObject, base map[string]any) error {
	return s.append(&obj.desc, obj.Size(), base, func() (uint64, error) {
		hash, err := s.hashFor(obj)
		if err != nil {
			return 0, err
		}
		return hash, s.writeData(s.write, s.writePayload, obj, hash)
	})
}

// AppendRaw writes an object as it is stored in another message. After an error in reading its
// bytes the writer can only be aborted.
func (s *StreamWriter) AppendRaw(r *RawObject, base map[string]any) error {
	return s.append(r.desc, r.Size(), base, func() (uint64, error) { return r.copyTo(s.write, !s.noHash) })
}

// append writes the metadata of an object, and lets data write the object.
func (s *StreamWriter) append(d *Descriptor, size int64, base map[string]any, data func() (uint64, error)) error {
	entry, err := marshalBase(base, d)
	if err == nil {
		var before []byte
		if before, err = marshalPreceder(base); err == nil {
			if err := s.start(); err != nil {
				return err
			}
			s.err = s.write(s.appendFrame(nil, framePreceder, before))
		}
	}
	if err != nil {
		return metadataError("", Location{-1, len(s.objects), -1}, err, "base entry")
	}
	if s.err == nil {
		s.err = s.base.write(entry)
	}
	if s.err != nil {
		return s.err
	}
	at, hash := s.pos, uint64(0)
	if hash, s.err = data(); s.err != nil {
		return s.err
	}
	s.objects = append(s.objects, span{at, size})
	s.hashes = append(s.hashes, hash)
	return nil
}

// Close writes the end of the message. The writer cannot be used afterwards.
func (s *StreamWriter) Close() error {
	defer s.Abort()
	if err := s.start(); err != nil {
		return err
	}
	p, err := s.opts.Provenance.complete()
	if err != nil {
		return err
	}
	parts, err := marshalMetadata(len(s.objects), s.extra, p)
	if err != nil {
		return metadataError("", nowhere, err, "message metadata")
	}
	footer := s.pos
	if err := s.writeMetadata(writerFunc(s.write), frameFooterMetadata, parts, &s.base); err != nil {
		return err
	}
	var tables []byte
	if len(s.objects) > 0 && !s.noHash {
		tables = s.appendFrame(tables, frameFooterHash, marshalHashes(s.hashes))
	}
	tables = s.appendFrame(tables, frameFooterIndex, marshalIndex(s.objects, 0))
	if err := s.write(tables); err != nil {
		return err
	}
	return s.finish(footer)
}

// Abort discards the unwritten part and removes temporary files. The written part stays: a
// message without an end. It does nothing after Close.
func (s *StreamWriter) Abort() {
	s.base.drop()
	if s.err == nil {
		s.err = errClosed
	}
}

// finish writes the postamble, and the length of the message to both ends if the sink allows that.
func (s *StreamWriter) finish(footer int64) error {
	total := uint64(s.pos + postambleSize)
	if !s.backfill(total) {
		total = 0
	}
	return s.write(appendPostamble(nil, postamble{uint64(footer), total}))
}

// backfill writes the length to the preamble, if the sink shows the bytes written to it and
// can change them. Nothing else is touched, so later bytes go where they would have gone.
func (s *StreamWriter) backfill(total uint64) bool {
	sink, ok := s.w.(interface {
		io.ReaderAt
		io.WriterAt
		io.Seeker
	})
	if !ok {
		return false
	}
	now, err := sink.Seek(0, io.SeekCurrent)
	if err != nil || now < s.pos {
		return false
	}
	var b [8]byte
	if _, err := sink.ReadAt(b[:], now-s.pos); err != nil || string(b[:]) != messageMagic {
		return false
	}
	_, err = sink.WriteAt(appendUint64(nil, total), now-s.pos+preambleSize-8)
	return err == nil
}

type writerFunc func([]byte) error

func (f writerFunc) Write(b []byte) (int, error) {
	if err := f(b); err != nil {
		return 0, err
	}
	return len(b), nil
}
