package tgm

import (
	"io"
	"iter"
	"sync"

	"github.com/zeebo/xxh3"
)

// Message is one message of a file. It is safe for concurrent use.
type Message struct {
	src       source
	limits    Limits
	budget    *Budget
	hashes    bool      // frames are compared with their hashes when they are read
	atHand    bool      // all of it is in memory
	completer Completer // may be nil
	index     int
	file      uint64 // a number for the file; 0 if nothing is kept of it
	extent

	mu        sync.Mutex
	toc       *contents
	tocErr    error
	layout    *metadataLayout
	layoutErr error
}

// contents is the knowledge of a message's frames without touching its objects.
type contents struct {
	objects   []span
	preceders map[int]frame // by the object they stand before
	metadata  frame         // the last metadata frame; kind 0 if there is none
	twice     bool          // two of them are in the header, or in the footer
}

// Index returns the number of the message in its file.
func (m *Message) Index() int { return m.index }

// Offset returns the first byte of the message in the file.
func (m *Message) Offset() int64 { return m.offset }

// Length returns the bytes of the message.
func (m *Message) Length() int64 { return m.length }

// Reader returns the reader of the file that has the message. A payload is read as it is stored from
// [Object.PayloadOffset] on.
func (m *Message) Reader() io.ReaderAt { return m.src.r }

// NumObjects returns the number of objects.
func (m *Message) NumObjects() (int, error) {
	toc, err := m.contents()
	if err != nil {
		return 0, err
	}
	return len(toc.objects), nil
}

// Object returns object j. It reads the descriptor of the object's frame, not the payload, and the
// metadata of this object only.
func (m *Message) Object(j int) (*Object, error) {
	base, err := m.StoredBase(j)
	if err != nil {
		return nil, err
	}
	return m.ObjectWith(j, base)
}

// ObjectWith is Object for a caller that has read its metadata with StoredBase.
func (m *Message) ObjectWith(j int, base map[string]any) (*Object, error) {
	return m.objectBy(nil, j, base)
}

func (m *Message) objectBy(r *ObjectReader, j int, base map[string]any) (*Object, error) {
	o, err := m.storedBy(r, j)
	if err == nil {
		o.base = withoutReserved(base)
	}
	return o, err
}

// Objects yields the objects in their order, each as Object returns it. An error is the last thing
// it yields.
func (m *Message) Objects() iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		n, err := m.NumObjects()
		if err != nil {
			yield(nil, err)
			return
		}
		for j := range n {
			object, err := m.Object(j)
			if !yield(object, err) || err != nil {
				return
			}
		}
	}
}

// Stored returns object j as it is stored: like Object, but without its metadata. Decoding the
// metadata takes most of the time of Object. Base and StoredBase are nil.
func (m *Message) Stored(j int) (*Object, error) { return m.storedBy(nil, j) }

// storedBy is Stored by a reader, which may be nil.
func (m *Message) storedBy(r *ObjectReader, j int) (*Object, error) {
	toc, err := m.contents()
	if err != nil {
		return nil, err
	}
	if j < 0 || j >= len(toc.objects) {
		return nil, objectError(m.at(-1, m.offset), "object %d of %d", j, len(toc.objects))
	}
	s := toc.objects[j]
	if r == nil || !s.isSmall() {
		return m.readObject(j, s, nil)
	}
	frame, err := r.frame(m, j, toc.objects)
	if err != nil {
		return nil, locate(err, m.at(j, m.offset+s.offset))
	}
	return m.parseObject(r, j, s, frame, nil)
}

// at returns a location in the message.
func (m *Message) at(object int, offset int64) Location { return Location{m.index, object, offset} }

// framesEnd is where frames end and the postamble begins, in the message.
func (m *Message) framesEnd() int64 { return m.length - postambleSize }

func (m *Message) contents() (*contents, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.toc == nil && m.tocErr == nil {
		if m.toc, m.tocErr = m.readContents(); m.tocErr != nil {
			m.toc = nil
		}
	}
	return m.toc, m.tocErr
}

// Reads of header and footer frames take at least this much at once.
const headerChunk = 4 << 10

// readContents finds the frames of the message. The objects' places come from an index frame if
// that fits the message, else from walking all frames.
func (m *Message) readContents() (*contents, error) {
	var toc *contents
	var err error
	if !m.atHand {
		toc, err = m.indexedContents()
	}
	if toc == nil && err == nil {
		toc, err = m.walkContents()
	}
	if err != nil {
		return nil, err
	}
	return toc, m.checkMetadataFrames(toc)
}

// checkMetadataFrames looks for damage of a frame's type or start. Such damage would let other
// metadata take the place of the message's own.
func (m *Message) checkMetadataFrames(toc *contents) error {
	at := m.at(-1, m.offset+toc.metadata.offset)
	switch {
	case toc.twice:
		return framingError("frame_order_violation", at, "a second %s frame", toc.metadata.kind)
	case m.pre.flags&flagFooterMetadata != 0 && toc.metadata.kind != frameFooterMetadata && toc.metadata.kind != 0:
		return framingError("flag_mismatch", at, "the preamble promises a %s frame, found none", frameFooterMetadata)
	}
	return nil
}

// indexedContents returns nil without an error if there is no index that can be trusted. A
// trusted index covers the space between header and footer frames without a gap, so that no frame
// can hide from it.
func (m *Message) indexedContents() (*contents, error) {
	w := walker{src: m.src, base: m.offset, pos: preambleSize, limit: m.framesEnd(), message: m.index}
	w.win = window{src: m.src, chunk: int(min(headerChunk, m.length))}
	toc := &contents{}
	var index frame
	bodyStart := m.framesEnd()
	for {
		f, ok, err := w.next()
		if err != nil {
			return nil, nil
		}
		if !ok {
			break
		}
		if f.kind.phase() != 0 {
			bodyStart = f.offset
			break
		}
		toc.note(f, &index)
	}
	footer := int64(m.post.firstFooter)
	if footer < bodyStart {
		return nil, nil
	}
	w.pos = footer
	for footer < m.framesEnd() {
		f, ok, err := w.next()
		if err != nil || ok && f.kind.phase() != 2 {
			return nil, nil
		}
		if !ok {
			break
		}
		toc.note(f, &index)
	}
	if index.kind == 0 {
		return nil, nil
	}
	b, err := m.content(index)
	if err != nil {
		return nil, nil
	}
	if toc.objects, err = parseIndex(b, m.at(-1, m.offset+index.offset)); err != nil || !tiles(toc.objects, bodyStart, footer) {
		return nil, nil
	}
	return toc, nil
}

// note keeps the frame if it is the last metadata or index frame so far.
func (c *contents) note(f frame, index *frame) {
	switch f.kind {
	case frameHeaderMetadata, frameFooterMetadata:
		c.twice = c.twice || c.metadata.kind == f.kind
		c.metadata = f
	case frameHeaderIndex, frameFooterIndex:
		*index = f
	}
}

// tiles reports whether the spans follow each other from start to end with only padding
// between.
func tiles(spans []span, start, end int64) bool {
	for _, s := range spans {
		if s.offset != start || s.length < frameHeaderSize+dataFooterSize || s.length > end-start {
			return false
		}
		start += s.length
		start += padding(start)
	}
	return start == end
}

// walkContents goes through all frames.
func (m *Message) walkContents() (*contents, error) {
	w := walker{src: m.src, base: m.offset, pos: preambleSize, limit: m.framesEnd(), message: m.index}
	toc := &contents{preceders: map[int]frame{}}
	var index, preceder frame
	phase := 0
	for {
		f, ok, err := w.next()
		if err != nil {
			return nil, err
		}
		if preceder.kind != 0 && (!ok || f.kind != frameData) {
			code := "dangling_preceder"
			if ok {
				code = "preceder_not_followed_by_object"
			}
			return nil, framingError(code, m.at(-1, m.offset+preceder.offset), "preceder metadata without an object after it")
		}
		if !ok {
			return toc, nil
		}
		if f.kind.phase() < phase {
			return nil, framingError("frame_order_violation", m.at(-1, m.offset+f.offset), "%s frame after later ones", f.kind)
		}
		phase = f.kind.phase()
		toc.note(f, &index)
		switch f.kind {
		case framePreceder:
			preceder = f
		case frameData:
			if preceder.kind != 0 {
				toc.preceders[len(toc.objects)] = preceder
				preceder = frame{}
			}
			toc.objects = append(toc.objects, span{f.offset, f.length})
		}
	}
}

// content reads the bytes between the header and the footer of an index, hash or preceder frame.
func (m *Message) content(f frame) ([]byte, error) {
	at := m.at(-1, m.offset+f.offset)
	n := f.contentEnd() - f.offset - frameHeaderSize
	if n > m.limits.item() {
		return nil, metadataError("metadata_cbor_parse_failed", at, nil, "%s frame of %d bytes is beyond the limit of %d", f.kind, n, m.limits.item())
	}
	b := make([]byte, n+frameFooterSize)
	if err := m.src.readAt(b, m.offset+f.offset+frameHeaderSize); err != nil {
		return nil, err
	}
	if err := checkFrameEnd(b, f, at); err != nil {
		return nil, err
	}
	return b[:n], m.checkHash(f, b[n:], func() (uint64, error) { return xxh3.Hash(b[:n]), nil })
}

// checkHash compares a frame that is not a data frame with the hash in its footer, if it has one.
func (m *Message) checkHash(f frame, footer []byte, compute func() (uint64, error)) error {
	stored, present := hashSlot(footer, f, m.pre.flags)
	if !m.hashes || !present {
		return nil
	}
	computed, err := compute()
	if err != nil || computed == stored {
		return err
	}
	return hashError(m.at(-1, m.offset+f.offset), f.kind.String()+" frame", computed, stored)
}

// checkFrameEnd looks for the end marker at the end of b.
func checkFrameEnd(b []byte, f frame, at Location) error {
	if end := b[len(b)-len(frameEnd):]; string(end) != frameEnd {
		return framingError("missing_end_marker", at, "%s frame ends with %q, expected %q", f.kind, end, frameEnd)
	}
	return nil
}

// CopyTo writes the message as it is.
func (m *Message) CopyTo(w io.Writer) error {
	n, err := io.Copy(w, io.NewSectionReader(m.src.r, m.offset, m.length))
	if err == nil && n != m.length {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return locate(err, m.at(-1, m.offset))
	}
	return nil
}
