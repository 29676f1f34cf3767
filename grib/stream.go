package grib

import (
	"io"
	"math"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// A Stream reads messages one after the other from a reader without random access, such as a pipe.
// It holds one message in memory.
type Stream struct {
	scanner Scanner
}

// NewStream returns a reader of the messages of r. Of the options only Limits.MaxMessage is used.
func NewStream(r io.Reader, opts ...Option) *Stream {
	in := &streamBuffer{r: r}
	return &Stream{scanner: Scanner{most: newOptions(opts).Limits, win: window{size: math.MaxInt64, chunk: smallChunk, stream: in}}}
}

// Next returns the next message and its place in the stream, as [Scanner.Next] does. The caller may
// keep and change the octets.
func (s *Stream) Next() (Info, []byte, error) {
	info, err := s.scanner.Next()
	if err != nil {
		return info, nil, err
	}
	b, err := s.scanner.win.stream.bytes(info.Offset, int(info.Length))
	if err != nil {
		return info, nil, err
	}
	return info, append([]byte(nil), b...), nil
}

// Junk is [Scanner.Junk].
func (s *Stream) Junk() int64 { return s.scanner.Junk() }

// Ended reports whether the message that Next returned last is followed by the end of the input.
func (s *Stream) Ended() (bool, error) {
	b, err := s.scanner.win.peek(s.scanner.next, 1)
	return len(b) == 0, err
}

// streamBuffer holds a stretch of a stream.
type streamBuffer struct {
	r    io.Reader
	data []byte
	off  int64 // of data[0]
	err  error // of the last read
}

// streamRead is how much is asked of a stream at a time.
const streamRead = 64 << 10

// bytes returns n bytes at off, fewer at the end of the stream. They are valid until the next call.
// No memory is taken for bytes that do not come.
func (b *streamBuffer) bytes(off int64, n int) ([]byte, error) {
	if off < b.off {
		return nil, fault.Errorf("grib", "byte %d of a stream is asked for after byte %d", off, b.off)
	}
	for end := off + int64(n); b.end() < end; {
		if b.err == io.EOF {
			break
		}
		if b.err != nil {
			return nil, b.err
		}
		b.read()
	}
	have := b.data[min(int64(len(b.data)), off-b.off):]
	return have[:min(n, len(have))], nil
}

func (b *streamBuffer) read() {
	at := len(b.data)
	if cap(b.data)-at < streamRead {
		b.data = append(b.data, make([]byte, max(streamRead, at/2))...)[:at]
	}
	var n int
	n, b.err = b.r.Read(b.data[at:cap(b.data)])
	b.data = b.data[:at+n]
}

// end is where reading goes on.
func (b *streamBuffer) end() int64 { return b.off + int64(len(b.data)) }

// pass forgets the bytes before off.
func (b *streamBuffer) pass(off int64) {
	n := min(int64(len(b.data)), off-b.off)
	if n < int64(len(b.data))/2 {
		return // copying the rest costs more
	}
	b.data = b.data[:copy(b.data, b.data[n:])]
	b.off += n
}
