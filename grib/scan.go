package grib

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Info says where a message is in its input.
type Info struct {
	Index   int
	Offset  int64
	Length  int64
	Edition int
	Junk    int64 // bytes between the message before (or the beginning) and this message that belong to no message and are no padding
}

// A Scanner finds the messages of an input. It reads a few dozen bytes of each.
type Scanner struct {
	win    window
	next   int64 // where the search goes on
	index  int
	junk   int64
	zeros  int64 // among the bytes passed over since next
	broken bool  // the bytes before the next message belong to a broken message

	most Limits // of a stream: bounds the messages

	heads int   // how much to read of each message, whatever its length; 0 for the default
	until int64 // where to give up finding a message, if not 0
}

// NewScanner scans the first size bytes of r.
func NewScanner(r io.ReaderAt, size int64) *Scanner {
	return &Scanner{win: window{r: r, size: size, chunk: smallChunk}}
}

// Scan yields the messages of the first size bytes of r in order, see Scanner.Next.
func Scan(r io.ReaderAt, size int64) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		s := NewScanner(r, size)
		for {
			info, err := s.Next()
			if err == io.EOF || !yield(info, err) {
				return
			}
			if err != nil && !IsRecoverable(err) {
				return
			}
		}
	}
}

// IsRecoverable reports whether a scan can go on after err: the message is broken, not the input.
func IsRecoverable(err error) bool {
	var f *FormatError
	var u *UnsupportedError
	var l *LimitError
	return errors.As(err, &f) || errors.As(err, &u) || errors.As(err, &l)
}

// Junk returns how many bytes so far belong to no message. Broken messages and zeros do not count.
func (s *Scanner) Junk() int64 { return s.junk }

// Next returns the next message, io.EOF when there is none. After a FormatError or an
// UnsupportedError the scan can go on: the following call looks for a message after the beginning
// of the broken message. Info then holds the broken message's offset.
func (s *Scanner) Next() (Info, error) {
	start, err := s.find()
	if err != nil {
		return Info{}, err
	}
	info := Info{Index: s.index, Offset: start, Junk: s.pass(start)}
	head, err := s.win.peek(start, indicatorLen2)
	if err != nil {
		return info, err
	}
	info.Edition = int(head[7])
	length, err := s.frame(head, start)
	if err != nil {
		s.next, s.broken = start+int64(len(magic)), true
		return info, err
	}
	info.Length = length
	s.next = start + length
	s.index++
	return info, nil
}

// pass moves on to a message, or the end, at byte to. It returns how many bytes of junk lie before
// it.
func (s *Scanner) pass(to int64) int64 {
	junk := to - s.next - s.zeros
	if s.broken {
		junk = 0
	}
	s.next, s.zeros, s.broken = to, 0, false
	s.junk += junk
	return junk
}

// find returns the offset of the next "GRIB" that an edition number follows, io.EOF if there is
// none.
func (s *Scanner) find() (int64, error) {
	for at := s.next; ; {
		if s.until > 0 && at >= s.until {
			return 0, io.EOF
		}
		s.win.pass(at)
		b, err := s.win.peek(at, indicatorLen1)
		if err != nil {
			return 0, err
		}
		if len(b) < indicatorLen1 {
			s.zeros += zeros(b)
			s.pass(s.win.size)
			return 0, io.EOF
		}
		if plausible(b) {
			return at, nil
		}
		b = s.win.rest(at)
		skip := max(1, len(b)-len(magic)+1)
		if i := bytes.Index(b[1:], []byte(magic)); i >= 0 {
			skip = 1 + i
		} else if s.heads > 0 {
			s.searchMore(at + int64(skip))
		}
		s.zeros += zeros(b[:skip])
		at += int64(skip)
	}
}

// searchMore has the search read on, from at, with longer reads.
func (s *Scanner) searchMore(at int64) {
	s.win.chunk = min(max(2*s.win.chunk, searchFirst), searchMost)
	if s.until > 0 {
		s.win.chunk = min(s.win.chunk, max(indicatorLen1, int(s.until-at)))
	}
}

// zeros counts the octets of b that may be padding, which archives put after messages.
func zeros(b []byte) int64 { return int64(bytes.Count(b, []byte{0})) }

// plausible reports whether "GRIB" begins a message, and is not a word in something else. The octet
// of the edition is then small.
func plausible(b []byte) bool { return string(b[:4]) == magic && b[7] <= 3 }

// frame checks the first and the last octets of a message and returns its length.
func (s *Scanner) frame(head []byte, start int64) (int64, error) {
	length, err := frameLength(head, start, func(off int64, n int) ([]byte, error) { return s.win.peek(start+off, n) })
	if err != nil {
		return 0, err
	}
	if length > s.win.size-start {
		return 0, s.cutOff(start, length)
	}
	if s.win.stream != nil {
		if err := s.most.CheckLength(start, length); err != nil {
			return 0, err
		}
	}
	switch {
	case s.heads > 0 && length < tinyMessage:
		s.win.chunk = searchFirst
	case s.heads > 0:
		s.win.chunk = s.heads
	case length < largeMessage:
		s.win.chunk = largeChunk
	default:
		s.win.chunk = smallChunk
	}
	end := start + length - int64(len(trailer))
	b, err := s.win.peek(end, len(trailer))
	if err != nil {
		return 0, err
	}
	if length > s.win.size-start { // the stream has ended
		return 0, s.cutOff(start, length)
	}
	if string(b) != trailer {
		return 0, noTrailer(start, length, b)
	}
	return length, nil
}

func (s *Scanner) cutOff(start, length int64) error {
	return &FormatError{Offset: start, Section: 0,
		Msg: fmt.Sprintf("message of %d bytes is cut off after %d", length, s.win.size-start)}
}

func noTrailer(start, length int64, found []byte) error {
	return &FormatError{Offset: start, Section: -1, Msg: fmt.Sprintf(`message of %d bytes ends in %q, expected "7777"`, length, found)}
}

// frameLength returns the length of the message that head, its first octets, begins.
func frameLength(head []byte, start int64, peek peeker) (int64, error) {
	switch head[7] {
	case 1:
		if coded := int64(be24(head, 4)); coded&largeFlag1 == 0 {
			if coded < indicatorLen1+productLen1+dataLen1+int64(len(trailer)) {
				return 0, &FormatError{Offset: start, Section: 0, Msg: fmt.Sprintf("impossible message length %d", coded)}
			}
			return coded, nil
		}
		l, err := walk1(peek, start)
		return l.length, err
	case 2:
		return length2(head, start)
	}
	return 0, &UnsupportedError{Edition: int(head[7]), Section: 0, Template: -1, Offset: start, What: "the edition"}
}

// Small messages are read many at a time; of large messages only head and tail are read.
const (
	smallChunk   = 1 << 10
	largeChunk   = 1 << 18
	largeMessage = 1 << 15
)

// window is a buffered view of an io.ReaderAt, or of a stream, that moves forward.
type window struct {
	r      io.ReaderAt
	stream *streamBuffer // in place of r
	size   int64         // of a stream: a large number until its end has been met
	chunk  int           // how much to read at once

	buf []byte
	off int64 // of buf[0]
}

// peek returns the n bytes at off, fewer at the end of the input. They are valid until the next
// call.
func (w *window) peek(off int64, n int) ([]byte, error) {
	if off >= w.size {
		return nil, nil
	}
	n = int(min(int64(n), w.size-off))
	if off < w.off || off+int64(n) > w.off+int64(len(w.buf)) {
		if err := w.fill(off, n); err != nil {
			return nil, err
		}
		n = min(n, len(w.buf))
	}
	i := int(off - w.off)
	return w.buf[i : i+n], nil
}

// pass says that nothing before off is needed any more.
func (w *window) pass(off int64) {
	if w.stream != nil {
		w.buf = nil // which is memory of the stream
		w.stream.pass(off)
	}
}

func (w *window) fillStream(off int64, n int) error {
	b, err := w.stream.bytes(off, n)
	if err != nil {
		return fault.Errorf("grib", "reading %d bytes at byte %d: %w", n, off, err)
	}
	if len(b) < n {
		w.size = w.stream.end()
	} else if more := int(min(int64(w.chunk), w.stream.end()-off)); more > n {
		b, _ = w.stream.bytes(off, more) // these bytes are there
	}
	w.buf, w.off = b, off
	return nil
}

func (w *window) fill(off int64, n int) error {
	if w.stream != nil {
		return w.fillStream(off, n)
	}
	n = int(min(int64(max(n, w.chunk)), w.size-off))
	if cap(w.buf) < n {
		w.buf = make([]byte, n)
	}
	w.buf, w.off = w.buf[:n], off
	if got, err := w.r.ReadAt(w.buf, off); got < n {
		w.buf = w.buf[:0]
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fault.Errorf("grib", "reading %d bytes at byte %d: %w", n, off, err)
	}
	return nil
}

// rest returns the buffered bytes from off on.
func (w *window) rest(off int64) []byte { return w.buf[off-w.off:] }
