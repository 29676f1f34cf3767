package tgm

import (
	"bytes"
	"fmt"
	"io"
)

// extent is where a message lies in its file.
type extent struct {
	offset, length int64
	pre            preamble
	post           postamble
}

// scanner finds messages one after the other.
type scanner struct {
	src  source
	pos  int64 // where the next message is expected
	gaps []Gap
	win  window
	// small: the last message was small, so that it pays to read more than a preamble.
	small bool
	// wasted counts the frames of walks that led to no message.
	wasted int
}

// again returns the extent of a message that was found before.
func (s *scanner) again(p place) (extent, error) {
	e := extent{offset: p.offset, length: p.length & (1<<lengthBits - 1)}
	e.pre = preamble{flags: uint16(p.length >> lengthBits), total: uint64(e.length)}
	problem, err := s.readPostamble(&e)
	if problem != nil {
		err = problem // the file has changed
	}
	return e, err
}

// smallMessage is the size up to which messages are read several at a time.
const smallMessage = 32 << 10

// atHand returns the bytes of a message that follows another small message; they are read
// together with later bytes. It returns nil for others, and where reading fails: a caller who
// needs the bytes will see that.
func (s *scanner) atHand(e extent) []byte {
	if e.length > smallMessage || s.win.chunk == 0 {
		return nil
	}
	b, err := s.win.at(e.offset, int(e.length))
	if err != nil || int64(len(b)) != e.length {
		return nil
	}
	return bytes.Clone(b)
}

// piece is a message of a file that is in memory.
type piece struct {
	start int64
	b     []byte
}

func (p *piece) ReadAt(b []byte, off int64) (int, error) {
	if at := off - p.start; at >= 0 && at < int64(len(p.b)) {
		return copy(b, p.b[at:]), nil
	}
	return 0, io.EOF
}

func newScanner(src source) scanner { return scanner{src: src, win: window{src: src}} }

// searchChunk is how much is read at a time to find the start of a message in other bytes.
const searchChunk = 64 << 10

// next returns the next message; ok is false at the end of the file. Bytes that belong to no
// message are noted as gaps. Errors are errors of reading.
func (s *scanner) next() (e extent, ok bool, err error) {
	start := s.pos
	var reason error
	for at := start; ; {
		if at, err = s.findMagic(at); err != nil {
			return e, false, err
		}
		if at < 0 {
			s.gap(start, s.src.size, reason)
			s.pos = s.src.size
			return e, false, nil
		}
		e, problem, err := s.messageAt(at)
		if err != nil {
			return e, false, err
		}
		if problem == nil {
			s.gap(start, at, reason)
			s.pos = at + e.length
			s.small = e.length <= smallMessage
			return e, true, nil
		}
		if reason == nil {
			reason = problem
		}
		at++
	}
}

func (s *scanner) gap(from, to int64, reason error) {
	if from >= to {
		return
	}
	text := "no message starts here"
	if e, ok := reason.(*FramingError); ok {
		text = e.description()
	}
	s.gaps = append(s.gaps, Gap{from, to - from, text})
}

// findMagic returns the offset of the next preamble at or after pos, -1 if there is none. Where
// messages follow each other it reads a preamble at a time, or several messages if they are small;
// when it has to search, it reads more and keeps it for the next search.
func (s *scanner) findMagic(pos int64) (int64, error) {
	s.win.chunk = 0
	if s.small {
		s.win.chunk = searchChunk
	}
	for ; pos+preambleSize <= s.src.size; s.win.chunk = searchChunk {
		b, err := s.win.from(pos, preambleSize)
		if err != nil {
			return -1, err
		}
		i := bytes.Index(b, []byte(messageMagic))
		if at := pos + int64(i); i >= 0 && at+preambleSize <= s.src.size {
			return at, nil
		} else if i >= 0 {
			return -1, nil
		}
		pos += int64(len(b) - len(messageMagic) + 1)
	}
	return -1, nil
}

// messageAt checks bytes at off that start like a message. The result problem says why they
// are no message; err is about reading.
func (s *scanner) messageAt(off int64) (e extent, problem, err error) {
	b, err := s.win.at(off, preambleSize)
	if err != nil {
		return e, nil, err
	}
	at := Location{-1, -1, off}
	pre, problem := parsePreamble(b, at)
	if problem != nil {
		return e, problem, nil
	}
	if pre.total == 0 {
		return s.streamedAt(off, pre)
	}
	if pre.total > uint64(s.src.size-off) {
		return e, framingError("total_length_exceeds_buffer", at, "message of %d bytes is cut off after %d", pre.total, s.src.size-off), nil
	}
	e = extent{offset: off, length: int64(pre.total), pre: pre}
	problem, err = s.readPostamble(&e)
	return e, problem, err
}

// readPostamble reads and checks the end of a message whose length is known.
func (s *scanner) readPostamble(e *extent) (problem, err error) {
	off := e.offset + e.length - postambleSize
	b, err := s.postambleAt(off)
	if err != nil {
		return nil, err
	}
	return e.setPostamble(b), nil
}

// setPostamble checks the end of a message whose length is known.
func (e *extent) setPostamble(b []byte) (problem error) {
	at := Location{-1, -1, e.offset + e.length - postambleSize}
	post, ok := parsePostamble(b)
	switch {
	case !ok:
		return framingError("postamble_invalid", at, "found %q, expected %q", b[16:], messageEnd)
	case post.total != 0 && post.total != uint64(e.length):
		return framingError("postamble_invalid", at, "message length %d, preamble has %d", post.total, e.length)
	case post.firstFooter < preambleSize || post.firstFooter > uint64(e.length-postambleSize):
		return framingError("footer_offset_out_of_range", at, "first footer frame at %d of %d bytes", post.firstFooter, e.length)
	}
	e.post = post
	return nil
}

// postambleAt reads a postamble, from buffered bytes if they have it. The buffered bytes stay
// for the next message, which may be in them.
func (s *scanner) postambleAt(off int64) ([]byte, error) {
	if at := off - s.win.start; at >= 0 && at+postambleSize <= int64(len(s.win.buf)) {
		return s.win.buf[at : at+postambleSize], nil
	}
	b := make([]byte, postambleSize)
	return b, s.src.readAt(b, off)
}

// wasteLimit bounds the frames walked without success for messages that state no length. Every
// place that looks like the start of a message may lead through the same frames.
const wasteLimit = 1 << 18

// streamedAt finds the end of a message that does not state its length, by walking its frames.
// Looking for the end magic instead could stop inside a payload.
func (s *scanner) streamedAt(off int64, pre preamble) (e extent, problem, err error) {
	at := Location{-1, -1, off}
	if s.wasted > wasteLimit {
		return e, framingError("postamble_invalid", at, "streamed message after too many without an end"), nil
	}
	w := walker{src: s.src, base: off, limit: s.src.size - off, pos: preambleSize, streamed: true}
	for ok := true; ok; s.wasted++ {
		if _, ok, err = w.next(); err != nil {
			return e, problemOf(err), readErrorOf(err)
		}
	}
	if !w.ended {
		return e, framingError("postamble_invalid", at, "streamed message has no end"), nil
	}
	e = extent{offset: off, length: w.pos + postambleSize, pre: pre}
	if problem, err = s.readPostamble(&e); problem == nil {
		s.wasted = 0
	}
	return e, problem, err
}

// problemOf returns the error if it is about the content of a file. For errors of reading, use
// readErrorOf.
func problemOf(err error) error {
	if e, ok := err.(*FramingError); ok {
		return e
	}
	return nil
}

func readErrorOf(err error) error {
	if problemOf(err) != nil {
		return nil
	}
	return err
}

// walker goes through the frames of a message. Between frames there should be zeros up to the next
// multiple of 8; whatever is there is skipped to the next frame.
type walker struct {
	src      source
	base     int64 // of the message in the file
	pos      int64 // in the message
	limit    int64 // where frames end, in the message
	streamed bool  // the limit is the end of the file; the message ends with a postamble, and only zeros are skipped
	ended    bool  // the postamble was found at pos
	padded   int   // zeros skipped since the last frame of a streamed message
	message  int
	win      window
}

// lookahead is how many bytes are looked at for the next frame or the postamble.
const lookahead = frameHeaderSize + postambleSize

// maxStreamPadding bounds the zeros between frames of a message whose end is not known.
const maxStreamPadding = 64

// next returns the next frame; ok is false after the last frame.
func (w *walker) next() (f frame, ok bool, err error) {
	if w.win.src.r == nil {
		w.win = window{src: w.src, chunk: lookahead + maxStreamPadding}
	}
	for w.pos < w.limit {
		b, err := w.win.at(w.base+w.pos, int(min(lookahead, w.limit-w.pos)))
		if err != nil {
			return f, false, err
		}
		if w.streamed && w.endsAt(b) {
			w.ended = true
			return f, false, nil
		}
		if isFrame(b) {
			f, err := parseFrameHeader(b, w.pos, w.limit, Location{w.message, -1, w.base + w.pos})
			if err != nil {
				return f, false, err
			}
			w.pos, w.padded = f.end(), 0
			return f, true, nil
		}
		if w.streamed && (b[0] != 0 || w.padded == maxStreamPadding) {
			return f, false, nil
		}
		if err := w.skip(b); err != nil {
			return f, false, err
		}
	}
	return f, false, nil
}

// skip moves to the next place where a frame may begin, at least one byte on. The walker stands
// at b. Padding is short, so more than that is read only when it is not.
func (w *walker) skip(b []byte) error {
	w.pos++
	if w.streamed {
		w.padded++
		return nil
	}
	for b = b[1:]; ; {
		if i := bytes.Index(b, []byte(frameMagic)); i >= 0 {
			w.pos += int64(i)
			return nil
		}
		// The last byte may be the first of a frame.
		w.pos += int64(max(len(b)-1, 0))
		if w.limit-w.pos < int64(len(frameMagic)) {
			w.pos = w.limit
			return nil
		}
		var err error
		if b, err = w.win.at(w.base+w.pos, int(min(searchChunk, w.limit-w.pos))); err != nil {
			return err
		}
	}
}

// endsAt reports whether a postamble stands at the walker's position.
func (w *walker) endsAt(b []byte) bool { return isPostamble(b, w.pos) }

// String renders a gap for people.
func (g Gap) String() string {
	return fmt.Sprintf("%d bytes at %d: %s", g.Length, g.Offset, g.Reason)
}
