package grib

import (
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// A File gives random access to the messages of an input. It may be used by several goroutines at
// once.
type File struct {
	r       io.ReaderAt
	closer  io.Closer
	opts    options
	index   []Info
	junk    int64
	skipped []Skipped
}

// Open opens and indexes the file of that name.
func Open(name string, opts ...Option) (*File, error) {
	osf, err := os.Open(name)
	if err != nil {
		return nil, fault.Errorf("grib", "%w", err)
	}
	st, err := osf.Stat()
	if err == nil {
		var f *File
		if f, err = NewFile(osf, st.Size(), opts...); err == nil {
			f.closer = osf
			return f, nil
		}
	}
	osf.Close()
	return nil, err
}

// NewFile indexes the messages in the first size bytes of r. A broken message is an error, unless
// [WithSkipBad] is given; so is an input without any message.
func NewFile(r io.ReaderAt, size int64, opts ...Option) (*File, error) {
	f := &File{r: r, opts: newOptions(opts)}
	s := NewScanner(r, size)
	for {
		info, err := s.Next()
		switch {
		case err == nil:
			f.index = append(f.index, info)
			continue
		case err == io.EOF:
			f.junk = s.Junk()
			if len(f.index) == 0 && len(f.skipped) == 0 {
				return nil, &FormatError{Section: -1, Msg: fmt.Sprintf("no GRIB message in %d bytes", size)}
			}
			return f, nil
		case !f.opts.skipBad || !IsRecoverable(err):
			return nil, err
		}
		f.skipped = append(f.skipped, Skipped{info.Offset, err})
	}
}

// Close closes the file that Open opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Len returns the number of messages.
func (f *File) Len() int { return len(f.index) }

// Junk returns how many bytes of the input belong to no message.
func (f *File) Junk() int64 { return f.junk }

// Skipped lists the broken messages that [WithSkipBad] passed over.
func (f *File) Skipped() []Skipped { return f.skipped }

// Message reads message i.
func (f *File) Message(i int) (*Message, error) { return readMessage(f.r, f.index[i], f.opts.Limits) }

// ReadMessage reads the message that a [Scanner] has found.
func ReadMessage(r io.ReaderAt, at Info, opts ...Option) (*Message, error) {
	return readMessage(r, at, newOptions(opts).Limits)
}

func readMessage(r io.ReaderAt, at Info, limits Limits) (*Message, error) {
	if err := limits.CheckLength(at.Offset, at.Length); err != nil {
		return nil, err
	}
	data := make([]byte, at.Length)
	if err := readAt(r, data, at.Offset); err != nil {
		return nil, err
	}
	m, err := parseMessage(data, at.Offset, limits)
	if err != nil {
		return nil, err
	}
	m.Index = at.Index
	return m, nil
}

// Head reads message i without its data: a Partial message, which cannot be decoded. Its
// sections, and the keys that depend on them, are there. It costs a few kilobytes of input, and
// the bitmap, if any.
func (f *File) Head(i int) (*Message, error) {
	at := f.index[i]
	return readHead(&window{r: f.r, size: at.Offset + at.Length, chunk: smallChunk}, at, f.opts.Limits)
}

// ReadHead is [File.Head] for the message of length bytes at offset. It is an error if the message
// there has another length. Its end is not checked.
func ReadHead(r io.ReaderAt, offset, length int64, opts ...Option) (*Message, error) {
	w := window{r: r, size: offset + length, chunk: headChunk}
	head, err := w.peek(offset, indicatorLen2)
	if err != nil {
		return nil, err
	}
	if len(head) < indicatorLen2 || !plausible(head) {
		return nil, &FormatError{Offset: offset, Section: 0, Msg: `does not begin with "GRIB" and an edition`}
	}
	info := Info{Offset: offset, Length: length, Edition: int(head[7])}
	found, err := frameLength(head, offset, func(off int64, n int) ([]byte, error) { return w.peek(offset+off, n) })
	if err != nil {
		return nil, err
	}
	if found != length {
		return nil, &FormatError{Offset: offset, Section: 0, Msg: fmt.Sprintf("the message has %d bytes, expected %d", found, length)}
	}
	return readHead(&w, info, newOptions(opts).Limits)
}

// headChunk is how much is read of a message at once when only its head is wanted. Most have as
// much before their data.
const headChunk = 256

// readHead reads the head of a message through a window on the file that ends with the message.
func readHead(w *window, info Info, limits Limits) (*Message, error) {
	peek := func(off int64, n int) ([]byte, error) {
		b, err := w.peek(info.Offset+off, n)
		return append([]byte(nil), b...), err
	}
	m := &Message{Index: info.Index, Offset: info.Offset, Edition: info.Edition, Partial: true}
	if m.Edition == 2 {
		return m, m.walk2(peek, info.Length, limits)
	}
	l, err := walk1(peek, info.Offset)
	if err != nil {
		return nil, err
	}
	return m, m.field1(peek, l, limits)
}

func readAt(r io.ReaderAt, b []byte, off int64) error {
	if n, err := r.ReadAt(b, off); n < len(b) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fault.Errorf("grib", "reading %d bytes at byte %d: %w", len(b), off, err)
	}
	return nil
}

// Messages reads the messages in order. It goes on after an error in one of them.
func (f *File) Messages() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for i := range f.index {
			if !yield(f.Message(i)) {
				return
			}
		}
	}
}
