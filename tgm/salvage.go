package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Lost is a part of a file that cannot be proven intact, and why.
type Lost struct {
	Message int   // -1 if it belongs to no message that is whole
	Object  int   // number in its message; -1 if it is not known, or if this is no object
	Objects int   // number of objects from Object on; 0 if this is no object
	Offset  int64 // in the file; -1 for objects that were not found
	Length  int64
	Reason  string
}

// Fragment is a part of a file with the frames of one message that is damaged or has no end. It is
// searched by [File.Salvage].
type Fragment struct {
	// Lost are the parts that were given up; complete once Objects has been gone through.
	Lost []Lost

	msg      *Message // as if an end followed
	known    bool     // its preamble was found
	ended    int64    // where the postamble stands, -1 if there is none
	finds    []find
	header   frame // the last sound metadata frames
	footer   frame
	index    []span // of a sound index frame
	indexed  bool
	digests  []string // of a sound hash frame
	hashed   bool
	holes    bool  // bytes that are not a frame lie between the frames
	intact   bool  // it has its original length
	phase    int   // of the last frame
	end      int64 // of the last frame
	seen     map[frameType]frameSeen
	bodyEnd  int64
	closed   bool // the frames of the body are followed by others, or by the end
	pending  frame
	groups   []group
	claimed  map[int]bool
	expected int
	badMeta  bool
}

// find is a data frame with all its bytes.
type find struct {
	span
	preceder frame // kind 0 if no sound one stands before it
	hash     hashValue
	damage   string // empty if its bytes have its hash, or if it has none
	straight bool   // only frames before it
	object   int    // its number in the message, -1 if it cannot be told
	footed   bool   // its base entry is the entry of the metadata frame
	merged   bool   // the preceder before it counts
}

// group are objects that share the metadata of a message.
type group struct {
	metadata frame
	finds    []find
}

// Salvage finds the frames of damaged messages in a range of the file. The range is a gap, or a
// message that is not valid; message is its number, -1 in a gap.
func (f *File) Salvage(offset, length int64, message int) ([]*Fragment, error) {
	if f.pipe != nil {
		return nil, fault.Errorf("tgm", "what is not whole %w", ErrPassed)
	}
	s := salvager{f: f, pos: offset, end: offset + length, message: message, run: -1}
	s.win = window{src: source{f.src.r, s.end}, chunk: searchChunk}
	if err := s.walk(); err != nil {
		return nil, err
	}
	var out []*Fragment
	for _, fr := range s.out {
		if fr.empty() {
			continue
		}
		bare := len(fr.finds) == 0 && len(fr.Lost) == 0
		if err := fr.identify(); err != nil {
			return nil, err
		}
		if bare && len(fr.Lost) == 0 {
			fr.lose(-1, fr.msg.offset, max(fr.end, fr.ended+postambleSize, preambleSize), "a part of a message without objects")
		}
		out = append(out, fr)
	}
	return out, nil
}

// salvager walks through bytes and begins again after bytes that are not a frame.
type salvager struct {
	f        *File
	win      window
	pos, end int64
	message  int
	run      int64 // where bytes that are not a frame begin, -1 if there are none
	out      []*Fragment
	cur      *Fragment
}

func (s *salvager) walk() error {
	s.begin(preamble{flags: flagHashesPresent}, false)
	for s.pos < s.end {
		b, err := s.win.at(s.pos, int(min(lookahead, s.end-s.pos)))
		if err != nil {
			return err
		}
		if pre, err := parsePreamble(b, nowhere); err == nil {
			s.endRun()
			s.begin(pre, true)
			s.cur.intact = s.message >= 0 && len(s.out) == 2
			s.pos += preambleSize
			if len(b) > preambleSize+1 && !isFrame(b[preambleSize:]) { // bytes of it may be missing
				s.pos -= preambleSize - int64(len(messageMagic))
			}
			continue
		}
		if _, ok := parsePostamble(b); ok {
			s.endRun()
			s.cur.close(s.pos)
			s.cur.ended = s.pos - s.cur.msg.offset
			s.pos += postambleSize
			s.begin(preamble{flags: flagHashesPresent}, false)
			continue
		}
		found := false
		if isFrame(b) {
			if found, err = s.frame(b); err != nil {
				return err
			}
		}
		if !found {
			if err := s.skip(b); err != nil {
				return err
			}
		}
	}
	s.endRun()
	return nil
}

// begin begins a fragment where the walk is.
func (s *salvager) begin(pre preamble, known bool) {
	m := &Message{
		src: s.f.src, limits: s.f.opts.limits, budget: s.f.opts.budget, hashes: true, completer: s.f.opts.completer, index: s.message,
		extent: extent{offset: s.pos, length: s.end - s.pos + postambleSize, pre: pre},
	}
	s.cur = &Fragment{msg: m, known: known, ended: -1, claimed: map[int]bool{}, seen: map[frameType]frameSeen{}}
	s.out = append(s.out, s.cur)
}

// skip goes to the next place where something may begin.
func (s *salvager) skip(b []byte) error {
	if s.run < 0 {
		s.run = s.pos
	}
	for s.pos++; s.pos < s.end; {
		b, err := s.win.from(s.pos, int(min(lookahead, s.end-s.pos)))
		if err != nil {
			return err
		}
		next := len(b)
		for _, mark := range []struct {
			magic  string
			before int
		}{{frameMagic, 0}, {messageMagic, 0}, {messageEnd, 16}} {
			if from := mark.before; from <= len(b) {
				if i := bytes.Index(b[from:min(next+from+len(mark.magic), len(b))], []byte(mark.magic)); i >= 0 {
					next = min(next, i)
				}
			}
		}
		if next < len(b) {
			s.pos += int64(next)
			return nil
		}
		// A frame that begins at the end of these bytes is seen with the next.
		if int64(len(b)) == s.end-s.pos {
			s.pos = s.end
			return nil
		}
		s.pos += int64(len(b) - postambleSize)
	}
	return nil
}

// endRun notes the bytes since the last frame. Zeros up to the next multiple of 8 are padding, and
// a preamble or a postamble that is damaged is written anew.
func (s *salvager) endRun() {
	if s.run < 0 {
		return
	}
	from, n := s.run, s.pos-s.run
	s.run = -1
	fr := s.cur
	if n < alignment {
		b, err := s.win.at(from, int(n))
		if err == nil && bytes.Equal(b, zeros[:n]) {
			return
		}
	}
	if fr.holding() {
		if pad := n - postambleSize; pad >= 0 && pad < alignment && s.looksLike(from+pad, postambleSize, messageEnd, postambleSize-len(messageEnd)) {
			from += pad
			fr.close(from)
			fr.ended = from - fr.msg.offset
			return
		}
	} else if !fr.known && s.looksLike(from, n, messageMagic, 0) {
		return
	}
	fr.holes = true
	fr.pending = frame{}
	fr.lose(-1, from, n, "no frame that is whole")
}

// looksLike reports whether n bytes are a preamble or postamble with at most two wrong letters
// in its magic. The magic stands at the offset at.
func (s *salvager) looksLike(from, n int64, magic string, at int) bool {
	if n != preambleSize {
		return false
	}
	b, err := s.win.at(from, preambleSize)
	if err != nil {
		return false
	}
	wrong := 0
	for i := range magic {
		if b[at+i] != magic[i] {
			wrong++
		}
	}
	return wrong <= 2
}

// frame takes the frame at b, and reports whether all of it is there.
func (s *salvager) frame(b []byte) (bool, error) {
	m := s.cur.msg
	rel := s.pos - m.offset
	f, err := parseFrameHeader(b, rel, m.framesEnd(), nowhere)
	if err != nil {
		return false, nil
	}
	footer := make([]byte, f.kind.footerSize())
	if err := m.src.readAt(footer, m.offset+f.contentEnd()); err != nil {
		return false, err
	}
	if string(footer[len(footer)-len(frameEnd):]) != frameEnd {
		return false, nil
	}
	s.endRun()
	if s.cur.isNext(f, footer) {
		s.begin(preamble{flags: flagHashesPresent}, false)
		f.offset = 0
	}
	s.cur.note(f, footer)
	if err := s.cur.take(f, footer); err != nil {
		return false, err
	}
	s.pos += f.length
	return true, nil
}

// frameSeen is how a frame that was seen is known again.
type frameSeen struct {
	length int64
	hash   uint64
}

func seenAs(f frame, footer []byte) frameSeen {
	hash, _ := hashSlot(footer, f, 0)
	return frameSeen{f.length, hash}
}

// isNext reports whether a frame belongs to another message. It then cannot come after the
// frames so far, and repeats none of them.
func (fr *Fragment) isNext(f frame, footer []byte) bool {
	old, twice := fr.seen[f.kind]
	_, indexAhead := fr.seen[frameHeaderIndex]
	_, hashesAhead := fr.seen[frameHeaderHash]
	switch {
	case f.kind.phase() != 1 && twice:
		return old.hash == 0 || old != seenAs(f, footer)
	case f.kind.phase() < fr.phase || f.kind.phase() == 0 && fr.holes && !fr.intact:
		return true
	case f.kind == frameFooterMetadata && indexAhead:
		return !fr.known || fr.msg.pre.flags&flagFooterMetadata == 0
	}
	return f.kind == frameFooterIndex && indexAhead || f.kind == frameFooterHash && hashesAhead
}

func (fr *Fragment) note(f frame, footer []byte) {
	fr.phase, fr.end = f.kind.phase(), f.end()
	fr.seen[f.kind] = seenAs(f, footer)
}

// tablesAhead reports whether the message says at its beginning which objects it has.
func (fr *Fragment) tablesAhead() bool {
	_, index := fr.seen[frameHeaderIndex]
	_, hashes := fr.seen[frameHeaderHash]
	return index || hashes
}

// holding reports whether there is any frame.
func (fr *Fragment) holding() bool { return len(fr.seen) > 0 }

// empty reports whether there is nothing to say of the fragment.
func (fr *Fragment) empty() bool {
	return !fr.known && !fr.holding() && fr.ended < 0 && len(fr.Lost) == 0
}

func (fr *Fragment) lose(object int, offset, length int64, reason string) {
	n := 0
	if object >= 0 {
		n = 1
	}
	fr.Lost = append(fr.Lost, Lost{fr.msg.index, object, n, offset, length, reason})
}

// close notes that the objects end at pos in the file.
func (fr *Fragment) close(pos int64) {
	if !fr.closed {
		fr.closed, fr.bodyEnd = true, pos-fr.msg.offset
	}
}

// take keeps the content of a frame if its bytes have its hash.
func (fr *Fragment) take(f frame, footer []byte) error {
	m := fr.msg
	if f.kind.phase() == 2 {
		fr.close(m.offset + f.offset)
	}
	slot, present := hashSlot(footer, f, m.pre.flags)
	damage := ""
	if present {
		computed, err := m.hashFrame(f)
		if err != nil {
			return err
		}
		if computed != slot {
			damage = fmt.Sprintf("%s frame has hash %s, expected %s", f.kind, hashText(computed), hashText(slot))
		}
	}
	preceder := fr.pending
	fr.pending = frame{}
	if f.kind == frameData {
		fr.finds = append(fr.finds, find{span: span{f.offset, f.length}, preceder: preceder, hash: hashValue{slot, present}, damage: damage, straight: !fr.holes, object: -1})
		return nil
	}
	if damage == "" {
		err := fr.takeTable(f)
		if err == nil {
			return nil
		}
		if damage = contentProblem(err); damage == "" {
			return err
		}
	}
	switch f.kind {
	case frameHeaderMetadata, frameFooterMetadata, framePreceder:
		fr.badMeta = fr.badMeta || f.kind != framePreceder
		fr.lose(-1, m.offset+f.offset, f.length, damage)
	}
	return nil
}

// takeTable reads a frame that is not a data frame.
func (fr *Fragment) takeTable(f frame) error {
	m := fr.msg
	switch f.kind {
	case frameHeaderMetadata, frameFooterMetadata:
		l, err := m.scanMetadata(f, 0)
		if err == nil {
			_, err = l.shared(m.src)
		}
		if err != nil {
			return err
		}
		if f.kind == frameHeaderMetadata {
			fr.header = f
		} else {
			fr.footer = f
		}
		return nil
	}
	at := m.at(-1, m.offset+f.offset)
	b, err := m.content(f)
	if err != nil {
		return err
	}
	switch f.kind {
	case framePreceder:
		if _, err := parsePreceder(b, at); err != nil {
			return err
		}
		fr.pending = f
	case frameHeaderIndex, frameFooterIndex:
		fr.index, err = parseIndex(b, at)
		fr.indexed = err == nil
	case frameHeaderHash, frameFooterHash:
		h, parseErr := parseHashes(b, at)
		if err = parseErr; err == nil && h.algorithm == hashAlgorithm {
			fr.digests, fr.hashed = h.digests, true
		}
	}
	return err
}

// contentProblem is the text of an error about bytes, empty if the error is about reading them.
func contentProblem(err error) string {
	for _, e := range []any{new(*FramingError), new(*MetadataError), new(*HashError), new(*EncodingError), new(*CompressionError), new(*UnsupportedError), new(*ObjectError)} {
		if errors.As(err, e) {
			var p interface{ description() string }
			errors.As(err, &p)
			return p.description()
		}
	}
	return ""
}

// Indexed reports whether the message has an index that lists its objects at their offsets.
func (m *Message) Indexed() (bool, error) {
	w := walker{src: m.src, base: m.offset, pos: preambleSize, limit: m.framesEnd(), message: m.index}
	var index frame
	var found []span
	toc := &contents{}
	for {
		f, ok, err := w.next()
		if problemOf(err) != nil {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		toc.note(f, &index)
		if f.kind == frameData {
			found = append(found, span{f.offset, f.length})
		}
	}
	if index.kind == 0 {
		return len(found) == 0, nil
	}
	b, err := m.content(index)
	if err != nil {
		if contentProblem(err) != "" {
			err = nil
		}
		return false, err
	}
	listed, err := parseIndex(b, m.at(-1, m.offset+index.offset))
	return err == nil && slices.Equal(listed, found), nil
}
