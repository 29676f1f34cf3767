package tgm

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"sync"

	"github.com/edsrzf/mmap-go"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Limits bound the memory and work that a file can cost a reader. Zero fields have the defaults.
type Limits struct {
	// Metadata bounds the bytes of the metadata frame of a message (default 1 GiB, about half a
	// million objects). The frame is never held as a whole.
	Metadata int64
	// Item bounds the bytes of CBOR that are decoded at once. An item is a base entry, all
	// metadata that is about no single object, an index or hash frame (of some millions of
	// objects), or a descriptor. Decoded they can take some 50 times as much (default 64 MiB).
	Item int64
	// Decoded bounds the bytes of a decoded array. Without it, arrays of more than 64 MiB (constant
	// fields and arrays that have ranges 208 MiB, bitmasks 4 MiB) may take 1024 times the stored
	// payload: a few bytes can claim to be an array of any size. See also [Budget.Expand].
	Decoded int64
}

// Option configures a File.
type Option func(*options)

type options struct {
	limits    Limits
	noHashes  bool
	budget    *Budget
	pipe      pipeOptions
	completer Completer
}

// WithLimits sets the limits of a reader.
func WithLimits(l Limits) Option { return func(o *options) { o.limits = l } }

// WithoutHashes turns off the checks of hashes, of objects and of metadata.
func WithoutHashes() Option { return func(o *options) { o.noHashes = true } }

// File reads the messages of a file or of anything that can be read at an offset. It is safe for
// concurrent use if its reader is.
type File struct {
	src    source
	opts   options
	closer io.Closer
	id     uint64 // in its budget
	pipe   *pipe  // nil if src can be read at an offset

	mu     sync.Mutex
	scan   scanner
	places places
	recent [recentMessages]*Message // the messages asked for last, by number
	done   bool
}

// place is where a message lies. It takes 16 bytes for each message.
type place struct {
	offset int64
	length int64 // and in the upper 16 bits the flags of the preamble
}

const lengthBits = 48

// places is a list that grows without being copied.
type places struct {
	n      int
	chunks [][]place
}

const placesChunk = 4096

func (l *places) add(p place) {
	if l.n%placesChunk == 0 {
		l.chunks = append(l.chunks, make([]place, 0, placesChunk))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, p)
	l.n++
}

func (l *places) at(i int) place { return l.chunks[i/placesChunk][i%placesChunk] }

// recentMessages is how many messages are kept with their parsed frames.
const recentMessages = 16

// Gap is a range of bytes of a file that belongs to no message.
type Gap struct {
	Offset, Length int64
	Reason         string
}

// Open opens a file. Nothing is read before a message is asked for.
func Open(path string, opts ...Option) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	file, err := NewFile(f, st.Size(), opts...)
	if err != nil {
		f.Close()
		return nil, err
	}
	file.closer = f
	return file, nil
}

// OpenMapped is Open with the file mapped into memory. Many small reads, such as points of many
// fields, are then no calls of the system. The file must not become shorter while it is open:
// reading beyond its new end kills the program.
func OpenMapped(path string, opts ...Option) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() == 0 {
		return NewFile(bytes.NewReader(nil), 0, opts...)
	}
	m, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fault.Errorf("tgm", "map %s: %w", path, err)
	}
	file, err := NewFile(bytes.NewReader(m), int64(len(m)), opts...)
	if err != nil {
		m.Unmap()
		return nil, err
	}
	file.closer = unmapper{m}
	return file, nil
}

// unmapper closes a mapping.
type unmapper struct{ m mmap.MMap }

func (u unmapper) Close() error { return u.m.Unmap() }

// NewFile returns a file of the messages in the first size bytes of r. Nothing is read before a
// message is asked for.
func NewFile(r io.ReaderAt, size int64, opts ...Option) (*File, error) {
	if size < 0 {
		return nil, framingError("buffer_too_short", nowhere, "size of the file is %d", size)
	}
	f := &File{src: source{r, size}}
	f.scan = newScanner(f.src)
	f.opts.budget = processBudget
	for _, opt := range opts {
		opt(&f.opts)
	}
	f.id = f.opts.budget.keeper.files.Add(1)
	return f, nil
}

// Close closes the file that Open opened, and frees its decoded arrays that are kept.
func (f *File) Close() error {
	f.opts.budget.forget(f.id)
	if f.pipe != nil {
		f.pipe.close()
	}
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Size returns the size of the file in bytes.
func (f *File) Size() int64 {
	if f.pipe != nil {
		return f.pipe.passed()
	}
	return f.src.size
}

// Len returns the number of messages. The first call goes through the file, from message to
// message.
func (f *File) Len() (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pipe != nil {
		_, err := f.pipe.message(f, math.MaxInt)
		return f.pipe.number, err
	}
	for !f.done {
		if _, _, err := f.advance(); err != nil {
			return f.places.n, err
		}
	}
	return f.places.n, nil
}

// Message returns message i. The file is read no further than that message; a message found before
// costs little. The error is an *ObjectError if there is no message i.
func (f *File) Message(i int) (*Message, error) {
	m, err := f.messageOrEnd(i)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, f.noMessage(i)
	}
	return m, nil
}

// noMessage returns the error that there is no message i. It names the messages of the file, whose
// end was seen.
func (f *File) noMessage(i int) error {
	n, _ := f.Len()
	text := fmt.Sprintf("there is no message %d, the file holds %d", i, n)
	if gaps, err := f.Gaps(); err == nil && len(gaps) > 0 {
		text += fmt.Sprintf("; %d bytes at byte %d belong to no message: %s", gaps[0].Length, gaps[0].Offset, gaps[0].Reason)
	}
	return objectError(nowhere, "%s", text)
}

// MessageAt returns message i, which is known to be the length bytes at offset. Nothing else of
// the file is read. A *FramingError describes the bytes there if they are no such message.
func (f *File) MessageAt(i int, offset, length int64) (*Message, error) {
	at := Location{i, -1, offset}
	if f.pipe != nil || offset < 0 || length < 0 || length > f.src.size-offset {
		return nil, framingError("buffer_too_short", at, "a message of %d bytes, in a file of %d", length, f.Size())
	}
	s := newScanner(source{f.src.r, offset + length})
	if length < preambleSize {
		return nil, framingError("buffer_too_short", at, "a message of %d bytes", length)
	}
	e, problem, err := s.messageAt(offset)
	switch {
	case err != nil:
		return nil, err
	case problem != nil:
		return nil, problem
	case e.length != length:
		return nil, framingError("total_length_exceeds_buffer", at, "a message of %d bytes, expected %d", e.length, length)
	}
	return f.newMessage(i, e), nil
}

// advance finds the place of one more message. ok is false at the end of the file.
func (f *File) advance() (e extent, ok bool, err error) {
	e, ok, err = f.scan.next()
	switch {
	case err != nil:
	case ok:
		f.places.add(place{e.offset, e.length | int64(e.pre.flags)<<lengthBits})
	default:
		f.done = true
	}
	return e, ok, err
}

func (f *File) newMessage(i int, e extent) *Message {
	return &Message{src: f.src, limits: f.opts.limits, budget: f.opts.budget, hashes: !f.opts.noHashes, completer: f.opts.completer, index: i, file: f.id, extent: e}
}

func (f *File) message(i int, e extent) *Message {
	m := f.newMessage(i, e)
	if b := f.scan.atHand(e); b != nil {
		m.src = source{&piece{e.offset, b}, e.offset + e.length}
		m.atHand = true
	}
	return m
}

// Messages yields the messages in the order of the file, finding each only when it is asked for. An
// error is the last thing it yields.
func (f *File) Messages() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for i := 0; ; i++ {
			m, err := f.messageOrEnd(i)
			if m == nil && err == nil || !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// messageOrEnd is Message with nil after the last message.
func (f *File) messageOrEnd(i int) (*Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pipe != nil {
		return f.pipe.message(f, i)
	}
	for i >= f.places.n && !f.done {
		e, ok, err := f.advance()
		if err != nil {
			return nil, err
		}
		if ok && f.places.n == i+1 {
			f.recent[i%recentMessages] = f.message(i, e)
		}
	}
	if i < 0 || i >= f.places.n {
		return nil, nil
	}
	if m := f.recent[i%recentMessages]; m != nil && m.index == i {
		return m, nil
	}
	e, err := f.scan.again(f.places.at(i))
	if err != nil {
		return nil, err
	}
	m := f.message(i, e)
	f.recent[i%recentMessages] = m
	return m, nil
}

// Gaps returns the ranges of the file that belong to no message. They are foreign bytes, messages
// of other wire versions, and damaged and truncated messages.
func (f *File) Gaps() ([]Gap, error) {
	if _, err := f.Len(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pipe != nil {
		return slices.Clone(f.pipe.gaps), nil
	}
	return slices.Clone(f.scan.gaps), nil
}

// Tail returns the number of bytes after the last message, which belong to no message. It is 0 in
// a file to which messages can be added.
func (f *File) Tail() (int64, error) {
	gaps, err := f.Gaps()
	if n := len(gaps); n > 0 && gaps[n-1].Offset+gaps[n-1].Length == f.Size() {
		return gaps[n-1].Length, err
	}
	return 0, err
}

// CheckWhole returns an error that names the first range of the file that belongs to no message.
// It returns nil if there is none.
func (f *File) CheckWhole() error {
	gaps, err := f.Gaps()
	if err != nil || len(gaps) == 0 {
		return err
	}
	more := ""
	if len(gaps) > 1 {
		more = fmt.Sprintf(", and %d more such places", len(gaps)-1)
	}
	g := gaps[0]
	return fault.Errorf("tgm", "%d bytes at byte %d belong to no message: %s%s", g.Length, g.Offset, g.Reason, more)
}
