package tgm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"math"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// StreamReader reads messages from a pipe or connection and gives their objects as they arrive. It
// holds one object at a time, and the metadata of one message. It is not safe for concurrent use;
// its objects are.
type StreamReader struct {
	r       *bufio.Reader
	pos     int64
	opts    options
	msg     *Message // the current one; nil between messages
	layout  *metadataLayout
	before  map[string]any // metadata of the next object, from its preceder
	last    frameType      // the metadata frame that layout is of; 0 if there is none
	phase   int            // of the frames so far
	number  int            // of messages so far
	objects int            // of the current message so far
	skipped int64
}

// NewStreamReader returns a reader of the messages of r.
func NewStreamReader(r io.Reader, opts ...Option) *StreamReader {
	s := &StreamReader{r: bufio.NewReaderSize(r, 64<<10), opts: options{budget: processBudget}}
	for _, opt := range opts {
		opt(&s.opts)
	}
	return s
}

// Skipped returns the bytes so far that belong to no message.
func (s *StreamReader) Skipped() int64 { return s.skipped }

// Messages returns the number of messages that ended so far.
func (s *StreamReader) Messages() int {
	if s.msg != nil {
		return s.number - 1
	}
	return s.number
}

// Metadata returns the known metadata of the message as a whole. It is the metadata of its header
// and, once the message has ended, of its footer, if it has one. Base is nil.
func (s *StreamReader) Metadata() (*Metadata, error) {
	if s.layout == nil {
		return &Metadata{Extra: map[string]any{}, Reserved: map[string]any{}}, nil
	}
	return s.layout.shared(s.layout.src)
}

// Objects yields the objects of all messages. An error is the last thing it yields; an error
// about the end of the input says that the last message is not whole.
//
// An object is complete in memory, and remains so. The message that Object.Message returns knows
// its number and place, and no other object.
func (s *StreamReader) Objects() iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		for {
			o, err := s.Next()
			if err == io.EOF || !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next object, or io.EOF after the last message.
func (s *StreamReader) Next() (*Object, error) {
	for {
		if s.msg == nil {
			if err := s.begin(); err != nil {
				return nil, err
			}
		}
		o, err := s.step()
		if o != nil || err != nil {
			return o, err
		}
	}
}

// begin finds the next message and reads its preamble.
func (s *StreamReader) begin() error {
	for {
		b, err := s.r.Peek(preambleSize)
		if len(b) < preambleSize {
			s.skipped += int64(len(b))
			if err == io.EOF {
				return io.EOF
			}
			return fault.Errorf("tgm", "read message: %w", err)
		}
		at := Location{s.number, -1, s.pos}
		pre, problem := parsePreamble(b, at)
		if problem == nil {
			end := int64(math.MaxInt64 / 4)
			if pre.total != 0 {
				end = int64(min(pre.total, math.MaxInt64/4))
			}
			s.msg = &Message{limits: s.opts.limits, budget: s.opts.budget, hashes: !s.opts.noHashes, completer: s.opts.completer, index: s.number,
				extent: extent{offset: s.pos, length: end, pre: pre}}
			s.number++
			s.objects, s.layout, s.before, s.last, s.phase = 0, nil, nil, 0, 0
			return s.discard(preambleSize)
		}
		skip := 1
		if i := bytes.Index(b[1:], []byte(messageMagic[:1])); i > 0 {
			skip += i
		}
		s.skipped += int64(skip)
		if err := s.discard(skip); err != nil {
			return err
		}
	}
}

func (s *StreamReader) discard(n int) error {
	d, err := s.r.Discard(n)
	s.pos += int64(d)
	if err != nil {
		return s.torn(err)
	}
	return nil
}

// torn makes an error of the end of the input within a message.
func (s *StreamReader) torn(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return framingError("total_length_exceeds_buffer", Location{s.number - 1, -1, s.pos}, "the input ends inside a message")
	}
	return fault.Errorf("tgm", "read message: %w", err)
}

// step reads the next frame of the current message, or its end.
func (s *StreamReader) step() (*Object, error) {
	m := s.msg
	rel := s.pos - m.offset
	b, err := s.r.Peek(postambleSize)
	switch {
	case m.pre.total != 0 && rel == m.framesEnd(), m.pre.total == 0 && isPostamble(b, rel):
		if len(b) < postambleSize {
			return nil, s.torn(err)
		}
		m.length = rel + postambleSize
		if problem := m.setPostamble(b); problem != nil {
			return nil, problem
		}
		if err := s.checkEnd(); err != nil {
			return nil, err
		}
		s.msg = nil
		return nil, s.discard(postambleSize)
	case len(b) < frameHeaderSize:
		return nil, s.torn(err)
	case !isFrame(b):
		if b[0] != 0 {
			return nil, framingError("invalid_frame_header", m.at(-1, s.pos), "found %q, expected a frame", b[:2])
		}
		return nil, s.discard(1)
	}
	f, err := parseFrameHeader(b[:frameHeaderSize], rel, m.framesEnd(), m.at(-1, s.pos))
	if err != nil {
		return nil, err
	}
	return s.frame(f)
}

// isPostamble reports whether b is the end of a message without a length, at rel in the message.
func isPostamble(b []byte, rel int64) bool {
	post, ok := parsePostamble(b)
	return ok && (post.total == 0 || post.total == uint64(rel+postambleSize)) && post.firstFooter >= preambleSize && post.firstFooter <= uint64(rel)
}

// frame reads a frame.
func (s *StreamReader) frame(f frame) (*Object, error) {
	m := s.msg
	at := m.at(-1, m.offset+f.offset)
	if f.kind != frameData && f.length > m.limits.metadata() {
		return nil, metadataError("metadata_cbor_parse_failed", at, nil, "%s frame of %d bytes is beyond the limit of %d", f.kind, f.length, m.limits.metadata())
	}
	if s.before != nil && f.kind != frameData {
		return nil, framingError("preceder_not_followed_by_object", at, "%s frame after preceder metadata", f.kind)
	}
	if err := s.checkOrder(f, at); err != nil {
		return nil, err
	}
	body, err := s.read(f)
	if err != nil {
		return nil, err
	}
	one := &Message{limits: m.limits, budget: m.budget, hashes: m.hashes, completer: m.completer, index: m.index, extent: m.extent}
	one.src = source{body, m.offset + f.end()}
	switch f.kind {
	case frameData:
		return s.object(one, f)
	case framePreceder:
		entry := map[string]any{}
		err := one.mergePreceder(entry, s.objects, f)
		s.before = entry
		return nil, err
	case frameHeaderMetadata, frameFooterMetadata:
		layout, err := one.scanMetadata(f, math.MaxInt)
		if err != nil {
			return nil, err
		}
		layout.src = one.src
		s.layout, s.last = layout, f.kind
	}
	return nil, nil
}

// read reads a frame. Memory grows with the bytes that arrive, not with the claimed length.
func (s *StreamReader) read(f frame) (io.ReaderAt, error) {
	start := s.msg.offset + f.offset
	var buf bytes.Buffer
	buf.Grow(int(min(f.length, 1<<20)))
	n, err := io.CopyN(&buf, s.r, f.length)
	s.pos += n
	if err != nil {
		return nil, s.torn(err)
	}
	return &piece{start, buf.Bytes()}, nil
}

// checkOrder looks for damage of a frame's type that would lose metadata, or take other frames for
// metadata.
func (s *StreamReader) checkOrder(f frame, at Location) error {
	phase := f.kind.phase()
	switch {
	case phase < s.phase:
		return framingError("frame_order_violation", at, "%s frame after later ones", f.kind)
	case f.kind == s.last:
		return framingError("frame_order_violation", at, "a second %s frame", f.kind)
	case phase > 0 && s.msg.pre.flags&flagHeaderMetadata != 0 && s.last == 0:
		return framingError("flag_mismatch", at, "the preamble promises a %s frame, found none", frameHeaderMetadata)
	}
	s.phase = phase
	return nil
}

// checkEnd compares the metadata with the message that ends here.
func (s *StreamReader) checkEnd() error {
	at := s.msg.at(-1, s.msg.offset)
	switch {
	case s.before != nil:
		return framingError("dangling_preceder", at, "preceder metadata without an object after it")
	case s.layout == nil:
		return metadataError("no_metadata_frame", at, nil, "message has no metadata frame")
	case s.msg.pre.flags&flagFooterMetadata != 0 && s.last != frameFooterMetadata:
		return framingError("flag_mismatch", at, "the preamble promises a %s frame, found none", frameFooterMetadata)
	case s.layout.count > s.objects:
		return metadataError("base_count_exceeds_objects", s.layout.at, nil, "base has %d entries for %d objects", s.layout.count, s.objects)
	}
	return nil
}

// object makes an object of a data frame.
func (s *StreamReader) object(m *Message, f frame) (*Object, error) {
	j := s.objects
	s.objects++
	base := map[string]any{}
	if s.layout != nil && j+1 < len(s.layout.entries) {
		var err error
		if base, err = s.layout.entry(s.layout.src, j); err != nil {
			return nil, err
		}
	}
	for key, v := range s.before {
		base[key] = v
	}
	s.before = nil
	m.layout = s.layout // for references of entries to the message
	return m.readObject(j, span{f.offset, f.length}, base)
}
