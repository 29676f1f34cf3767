package grib

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
)

// A Reader reads messages from input without random access, such as a pipe, one at a time: memory
// is that of the message at hand.
type Reader struct {
	r       *bufio.Reader
	opts    Options
	buf     []byte // read, but not yet given out
	offset  int64  // of buf[0] in the input
	index   int
	junk    int64
	broken  bool // buf begins inside a broken message
	skipped []Skipped
}

// NewReader returns a Reader of r. It may read more of r than the messages it returns.
func NewReader(r io.Reader, opts Options) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 1<<16), opts: opts}
}

// Junk returns how many bytes so far belong to no message, broken ones and zeros not counted.
func (r *Reader) Junk() int64 { return r.junk }

// Skipped lists the broken messages that Options.SkipBad passed over.
func (r *Reader) Skipped() []Skipped { return r.skipped }

// Messages reads the messages in order. It goes on after a FormatError, an UnsupportedError or a
// LimitError, which concern one message; other errors are those of the input, and the last.
func (r *Reader) Messages() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for {
			m, err := r.Next()
			if err == io.EOF || !yield(m, err) || err != nil && !recoverable(err) {
				return
			}
		}
	}
}

// Next returns the next message, which owns its memory, or io.EOF at the end of the input. After an
// error that concerns one message, the following call returns the message after it.
func (r *Reader) Next() (*Message, error) {
	for {
		if err := r.find(); err != nil {
			return nil, err
		}
		length, err := r.frame()
		if err == nil {
			return r.take(length)
		}
		if !recoverable(err) {
			return nil, err
		}
		at := r.offset
		r.drop(len(magic))
		r.broken = true
		if !r.opts.SkipBad {
			return nil, err
		}
		r.skipped = append(r.skipped, Skipped{at, err})
	}
}

// take makes a message of the first length bytes of buf, and gives the slice away.
func (r *Reader) take(length int64) (*Message, error) {
	data, at := r.buf[:length:length], r.offset
	r.buf = append([]byte(nil), r.buf[length:]...)
	r.offset += length
	r.broken = false
	index := r.index
	r.index++
	m, err := ParseMessage(data, at, r.opts)
	if err != nil {
		return nil, err
	}
	m.Index = index
	return m, nil
}

// find drops what lies before the next message.
func (r *Reader) find() error {
	for {
		if err := r.need(indicatorLen1); err != nil {
			return err
		}
		switch {
		case len(r.buf) < indicatorLen1:
			r.pass(len(r.buf))
			return io.EOF
		case plausible(r.buf):
			return nil
		}
		if i := bytes.Index(r.buf[1:], []byte(magic)); i >= 0 {
			r.pass(1 + i)
		} else {
			r.pass(max(1, len(r.buf)-len(magic)+1))
		}
	}
}

// pass drops n bytes that belong to no message.
func (r *Reader) pass(n int) {
	if !r.broken {
		r.junk += int64(n) - zeros(r.buf[:n])
	}
	r.drop(n)
}

func (r *Reader) drop(n int) {
	r.buf = r.buf[n:]
	r.offset += int64(n)
}

// frame brings a whole message into buf and returns its length.
func (r *Reader) frame() (int64, error) {
	if err := r.need(indicatorLen2); err != nil {
		return 0, err
	}
	limit := r.opts.maxMessage()
	length, err := frameLength(r.buf, r.offset, func(off int64, n int) ([]byte, error) {
		if off+int64(n) > limit {
			return nil, &LimitError{Offset: r.offset, What: limitBytes, Value: off + int64(n), Max: limit}
		}
		if err := r.need(int(off) + n); err != nil || off >= int64(len(r.buf)) {
			return nil, err
		}
		return r.buf[off:min(off+int64(n), int64(len(r.buf)))], nil
	})
	if err != nil {
		return 0, err
	}
	if length > limit {
		return 0, &LimitError{Offset: r.offset, What: limitBytes, Value: length, Max: limit}
	}
	if err := r.need(int(length)); err != nil {
		return 0, err
	}
	if int64(len(r.buf)) < length {
		return 0, &FormatError{Offset: r.offset, Section: 0, Msg: fmt.Sprintf("message of %d bytes is cut off after %d", length, len(r.buf))}
	}
	if end := r.buf[length-int64(len(trailer)) : length]; string(end) != trailer {
		return 0, noTrailer(r.offset, length, end)
	}
	return length, nil
}

// need reads on until buf has n bytes or the input ends. Memory grows with what has arrived, not
// with n.
func (r *Reader) need(n int) error {
	const step = 1 << 20
	for len(r.buf) < n {
		have := len(r.buf)
		want := min(n, max(2*have, step))
		if cap(r.buf) < want {
			grown := make([]byte, have, want)
			copy(grown, r.buf)
			r.buf = grown
		}
		got, err := io.ReadFull(r.r, r.buf[have:want])
		r.buf = r.buf[:have+got]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil
		case err != nil:
			return fmt.Errorf("grib: reading at byte %d: %w", r.offset+int64(len(r.buf)), err)
		}
	}
	return nil
}
