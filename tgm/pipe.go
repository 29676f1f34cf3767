package tgm

import (
	"errors"
	"io"
	"math"

	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// pipeOptions are the options that only [NewPipe] has.
type pipeOptions struct {
	tempDir string
	window  int64 // how much is kept in memory
}

// WithTempDir sets the folder for temporary files of [NewPipe]. Without it, or if dir is empty, it
// is the system's folder for temporary files.
func WithTempDir(dir string) Option { return func(o *options) { o.pipe.tempDir = dir } }

// withWindow sets how much of a pipe is kept in memory, for tests.
func withWindow(n int64) Option { return func(o *options) { o.pipe.window = n } }

// ErrPassed is wrapped by the error of reading a message of a pipe after the next was asked for.
var ErrPassed = errors.New("has come through a pipe and was not kept")

// NewPipe returns the messages of r, which cannot be read at an offset, as a file. Each is there
// until the next is asked for; [File.Size] is the number of bytes read so far. Messages of up to
// 64 MiB are in memory while they are there, larger ones in a temporary file.
func NewPipe(r io.Reader, opts ...Option) *File {
	f := &File{opts: options{budget: processBudget, pipe: pipeOptions{window: pipeWindow}}}
	for _, opt := range opts {
		opt(&f.opts)
	}
	f.pipe = &pipe{r: r, opts: f.opts.pipe}
	f.id = f.opts.budget.keeper.files.Add(1)
	return f
}

// pipeWindow is how much of a pipe is kept in memory.
const pipeWindow = 64 << 20

// pipeChunk is how much is read of a pipe at once, if that much is there.
const pipeChunk = 64 << 10

// pipe lets a File read from a pipe. It keeps the bytes that were read and not given away: in
// buf, or in a file.
type pipe struct {
	r       io.Reader
	opts    pipeOptions
	start   int64 // in the input, of the kept bytes
	end     int64 // in the input, of the bytes read
	ended   bool  // nothing follows end
	buf     []byte
	file    *disk.File // nil while everything is in buf
	at      int64      // in the input, of the beginning of file
	removed bool       // file has no name

	number  int // of messages so far
	current *Message
	gaps    []Gap
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
		return nil, fault.Errorf("tgm", "message %d %w", i, ErrPassed)
	}
	return p.current, nil
}

// passed is the number of bytes before the next message.
func (p *pipe) passed() int64 {
	if m := p.current; m != nil {
		return m.offset + m.length
	}
	return p.start
}

// size is the number of bytes to read, as far as that is known.
func (p *pipe) size() int64 {
	if p.ended {
		return p.end
	}
	return math.MaxInt64 / 4
}

// next returns the message that follows the current one, nil at the end.
func (p *pipe) next(f *File) (*Message, error) {
	passed := p.passed()
	p.current = nil
	if err := p.pass(passed); err != nil {
		return nil, err
	}
	for {
		ended := p.ended
		s := newScanner(source{p, p.size()})
		s.pos = p.start
		e, ok, err := s.next()
		switch {
		case p.ended != ended: // now the size is known
			continue
		case err != nil:
			return nil, fault.Errorf("tgm", "read message: %w", err)
		}
		p.gaps = append(p.gaps, s.gaps...)
		if !ok {
			return nil, p.pass(p.end)
		}
		m := f.newMessage(p.number, e)
		if m.src = (source{p, e.offset + e.length}); p.file == nil {
			m.src.r, m.atHand = &piece{e.offset, p.buf[e.offset-p.start:][:e.length:e.length]}, true
		}
		return m, nil
	}
}

// pass gives away the bytes before off. Messages in memory keep their bytes.
func (p *pipe) pass(off int64) error {
	switch {
	case p.file == nil:
		p.buf = p.buf[off-p.start:]
	case p.end-off <= p.opts.window:
		rest := make([]byte, p.end-off)
		if _, err := p.file.ReadAt(rest, off-p.at); err != nil {
			return fault.Errorf("tgm", "read message: %w", err)
		}
		p.close()
		p.buf = rest
	}
	p.start = off
	return nil
}

// ReadAt reads kept bytes, after reading as far as that takes.
func (p *pipe) ReadAt(b []byte, off int64) (int, error) {
	if off < p.start {
		return 0, ErrPassed
	}
	if err := p.fill(off + int64(len(b))); err != nil {
		return 0, err
	}
	if p.file != nil {
		return p.file.ReadAt(b, off-p.at)
	}
	if n := copy(b, p.buf[min(off-p.start, int64(len(p.buf))):]); n < len(b) {
		return n, io.EOF
	}
	return len(b), nil
}

// fill reads up to end, or to the end of the input. Memory that was given away is never written to.
func (p *pipe) fill(end int64) error {
	if !p.ended && p.file == nil && end-p.start > p.opts.window {
		if err := p.spill(); err != nil {
			return err
		}
	}
	var chunk []byte
	if p.file != nil && !p.ended && p.end < end {
		chunk = make([]byte, pipeChunk)
	}
	for empty := 0; !p.ended && p.end < end; {
		n, err := p.read(chunk)
		p.end += int64(n)
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

// read reads some bytes and keeps them: in memory, or by way of chunk in the file.
func (p *pipe) read(chunk []byte) (n int, err error) {
	if p.file == nil {
		if len(p.buf) == cap(p.buf) {
			p.buf = append(make([]byte, 0, max(pipeChunk, 2*len(p.buf))), p.buf...)
		}
		n, err = p.r.Read(p.buf[len(p.buf):cap(p.buf)])
		p.buf = p.buf[:len(p.buf)+n]
		return n, err
	}
	n, err = p.r.Read(chunk)
	if _, bad := p.file.WriteAt(chunk[:n], p.end-p.at); bad != nil {
		return 0, fault.Errorf("tgm", "keep the input: %w", bad)
	}
	return n, err
}

// spill moves the kept bytes to a temporary file.
func (p *pipe) spill() error {
	f, removed, err := createTemp(p.opts.tempDir)
	if err != nil {
		return err
	}
	p.file, p.removed, p.at = f, removed, p.start
	if _, err := f.WriteAt(p.buf, 0); err != nil {
		return fault.Errorf("tgm", "keep the input: %w", err)
	}
	p.buf = nil
	return nil
}

// close gives up the file.
func (p *pipe) close() {
	if p.file != nil {
		dropTemp(p.file, p.removed)
		p.file = nil
	}
}
