package tgm

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// pipeOptions are the options that only [NewPipe] has.
type pipeOptions struct {
	payloads bool
	arrived  func(*Object) error // called for objects whose payload will not be kept, while it is there
	tempDir  string
	window   int64 // what is kept in memory
}

// WithPayloads makes [NewPipe] yield the objects of a message of more than 64 MiB one at a time,
// with their payloads: see [Message.Passing]. Without it such a message is returned when all of it
// has been read, with all its metadata and without the payloads. It has no effect on files.
func WithPayloads() Option { return func(o *options) { o.pipe.payloads = true } }

// WithTempDir sets the folder for temporary files of [NewPipe]: for frames of more than 64 MiB whose
// bytes are wanted, and for messages that have the metadata of their objects only at the end.
// Without it, or if dir is empty, it is the system's folder for temporary files.
func WithTempDir(dir string) Option { return func(o *options) { o.pipe.tempDir = dir } }

// withArrived has f called for each object of a large message in a pipe whose payload will not be
// kept, while it is there. The object has no metadata yet.
func withArrived(f func(*Object) error) Option { return func(o *options) { o.pipe.arrived = f } }

// withWindow sets what is kept of a pipe in memory, for tests.
func withWindow(n int64) Option { return func(o *options) { o.pipe.window = n } }

// ErrPassed is wrapped by the error of reading what came through a pipe and is no longer there.
var ErrPassed = errors.New("has come through a pipe and was not kept")

// NewPipe returns the messages of r, which cannot be read at an offset, as a file. Each is there
// until the next is asked for; [File.Size] is what has been read so far. Messages of up to 64 MiB
// are kept in memory while they are there, and are like those of any file. For larger ones see
// [WithPayloads].
//
// Bytes that belong to no message are gaps, as in a file; but after damage of the frames of a large
// message the rest of the input is one gap.
func NewPipe(r io.Reader, opts ...Option) *File {
	f := &File{opts: options{budget: processBudget, pipe: pipeOptions{window: pipeWindow}}}
	for _, opt := range opts {
		opt(&f.opts)
	}
	f.pipe = &pipe{r: r, opts: f.opts.pipe}
	f.id = f.opts.budget.keeper.files.Add(1)
	return f
}

// pipeWindow is the size up to which messages and frames are kept in memory.
const pipeWindow = 64 << 20

// pipeChunk is how much is read of a pipe at once, if that much is there.
const pipeChunk = 64 << 10

// errBeyondWindow is the error of reading further in a pipe than can be kept.
var errBeyondWindow = errors.New("beyond what is kept of a pipe")

// pipe is what a File reads a pipe with.
type pipe struct {
	r     io.Reader
	opts  pipeOptions
	buf   []byte // what was read and has not been given away
	start int64  // of buf in the input
	ended bool   // buf goes up to the end of the input

	number  int // of messages so far
	current *Message
	gaps    []Gap
	passing *passing // the rest of the current message
	waiting *waiting // the rest of the input
	done    bool
}

// message returns message i, nil if there are fewer.
func (p *pipe) message(f *File, i int) (*Message, error) {
	for i >= p.number && !p.done {
		m, err := p.next(f)
		if err != nil {
			return nil, err
		}
		if p.current = m; m == nil {
			p.done = true
			break
		}
		p.number++
	}
	switch {
	case i < 0 || i >= p.number:
		return nil, nil
	case p.current == nil || i != p.current.index:
		return nil, fmt.Errorf("tgm: message %d %w", i, ErrPassed)
	}
	return p.current, nil
}

// size is how much there is to read, as far as that is known.
func (p *pipe) size() int64 {
	if p.ended {
		return p.start + int64(len(p.buf))
	}
	return math.MaxInt64 / 4
}

// next returns the message that follows the current one, nil at the end.
func (p *pipe) next(f *File) (*Message, error) {
	p.current = nil
	if p.passing != nil {
		if err := p.passing.finish(); err != nil {
			return nil, err
		}
		p.resume(p.passing.s)
		p.passing = nil
	}
	for p.waiting == nil {
		ended := p.ended
		s := newScanner(source{p, p.size()})
		s.pos = p.start
		e, ok, err := s.next()
		switch {
		case p.ended != ended: // now the size is known
			continue
		case errors.Is(err, errBeyondWindow):
			return p.large(f)
		case err != nil:
			return nil, fmt.Errorf("tgm: read message: %w", err)
		}
		p.gaps = append(p.gaps, s.gaps...)
		if !ok {
			p.start, p.buf = p.size(), nil
			return nil, nil
		}
		m := f.newMessage(p.number, e)
		whole := p.buf[e.offset-p.start:][:e.length:e.length]
		m.src, m.atHand = source{&piece{e.offset, whole}, e.offset + e.length}, true
		p.pass(e.offset + e.length)
		return m, nil
	}
	return p.waiting.next(f, p)
}

// pass gives away what stands before off. Messages keep their bytes.
func (p *pipe) pass(off int64) {
	p.buf, p.start = p.buf[off-p.start:], off
}

// ReadAt reads what is kept, after reading as far as that takes.
func (p *pipe) ReadAt(b []byte, off int64) (int, error) {
	end := off + int64(len(b))
	switch {
	case off < p.start:
		return 0, ErrPassed
	case end-p.start > p.opts.window:
		return 0, errBeyondWindow
	}
	if err := p.fill(end); err != nil {
		return 0, err
	}
	if n := copy(b, p.buf[min(off-p.start, int64(len(p.buf))):]); n < len(b) {
		return n, io.EOF
	}
	return len(b), nil
}

// fill reads up to end, or to the end of the input. What was given away is never written to.
func (p *pipe) fill(end int64) error {
	for empty := 0; !p.ended && p.start+int64(len(p.buf)) < end; {
		if len(p.buf) == cap(p.buf) {
			p.buf = append(make([]byte, 0, max(pipeChunk, 2*len(p.buf))), p.buf...)
		}
		n, err := p.r.Read(p.buf[len(p.buf):cap(p.buf)])
		p.buf = p.buf[:len(p.buf)+n]
		switch {
		case err == io.EOF:
			p.ended = true
		case err != nil:
			return err
		case n > 0:
			empty = 0
		default:
			if empty++; empty == maxEmptyReads {
				return io.ErrNoProgress
			}
		}
	}
	return nil
}

// maxEmptyReads is how often a reader may give nothing in a row.
const maxEmptyReads = 100

// resume goes on after what s has read.
func (p *pipe) resume(s *StreamReader) {
	ahead, _ := s.r.Peek(s.r.Buffered())
	p.buf, p.start = append([]byte(nil), ahead...), s.pos
}

// close gives up what is in temporary files.
func (p *pipe) close() {
	if p.passing != nil {
		p.passing.s.held.drop()
	}
	if p.waiting != nil {
		p.waiting.drop()
	}
}
