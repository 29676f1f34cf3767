package compress

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdStreamBytes is the size from which data are compressed as a stream. Memory is then not needed for input
// and output at the same time. The frame differs by a few bytes; therefore the choice depends on the size
// only.
const zstdStreamBytes = 16 << 20

// zstdStreams keeps idle encoders of streams, whose memory is separate from zstdEncoders.
var zstdStreams [zstd.SpeedBestCompression + 1]sync.Pool

// zstdStream writes a frame of size bytes, which feed writes to the encoder, to w. With pad it takes at
// least a part of the size.
func zstdStream(w io.Writer, size int64, speed zstd.EncoderLevel, pad bool, feed func(io.Writer) error) error {
	enc, _ := zstdStreams[speed].Get().(*zstd.Encoder)
	if enc == nil {
		var err error
		if enc, err = newZstdEncoder(speed, runtime.GOMAXPROCS(0)); err != nil {
			return fmt.Errorf("compress: zstd: %w", err)
		}
	}
	defer zstdStreams[speed].Put(enc)
	out := &padded{w: w}
	packed := &packedWriter{w: out, packer: newLiteralPacker()}
	packed.packer.done = !packsLiterals(speed)
	defer literalPackers.Put(packed.packer)
	enc.ResetContentSize(packed, size)
	err := feed(enc)
	if err == nil {
		err = enc.Close()
	}
	if err == nil {
		err = packed.flush()
	}
	enc.Reset(nil) // keeps w alive no longer
	if err != nil {
		return fmt.Errorf("compress: zstd: %w", err)
	}
	if !pad {
		return nil
	}
	return out.pad((size + zstdMaxExpansion - 1) / zstdMaxExpansion)
}

// zstdMaxExpansion is the greatest ratio of the size of large data to their compressed size. Programs bound
// the decoded size by the size of a file: output must be within that bound.
const zstdMaxExpansion = 1024

// zstdSkippable is the number that a skippable frame begins with.
const zstdSkippable = 0x184d2a50

// padded counts the bytes written to w.
type padded struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (p *padded) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	p.n += int64(n)
	return n, err
}

// pad adds a skippable frame (RFC 8878, section 3.1.2) up to a size, if less than it was written.
func (p *padded) pad(size int64) error {
	const header = 8
	if p.n >= size {
		return nil
	}
	rest := min(max(size-p.n-header, 0), math.MaxUint32)
	frame := binary.LittleEndian.AppendUint32(nil, zstdSkippable)
	frame = binary.LittleEndian.AppendUint32(frame, uint32(rest))
	if _, err := p.w.Write(frame); err != nil {
		return err
	}
	for zeros := make([]byte, min(rest, feedBytes)); rest > 0; {
		n, err := p.w.Write(zeros[:min(rest, int64(len(zeros)))])
		if err != nil {
			return err
		}
		rest -= int64(n)
	}
	return nil
}

// appender takes the frame of src. Its memory follows the ratio reached so far. The encoder writes to it
// while it is fed.
type appender struct {
	mu    sync.Mutex
	b     []byte
	src   []byte
	read  int
	start int // of the frame in b
}

// feedBytes is the size of the pieces that the encoder is given.
const feedBytes = 1 << 20

func (a *appender) feed(enc io.Writer) error {
	a.start = len(a.b)
	for a.read < len(a.src) {
		a.mu.Lock()
		first := a.read
		a.read += min(feedBytes, len(a.src)-first)
		a.mu.Unlock()
		if _, err := enc.Write(a.src[first:a.read]); err != nil {
			return err
		}
	}
	return nil
}

func (a *appender) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if done := len(a.b) - a.start + len(b); len(a.b)+len(b) > cap(a.b) {
		expected := int(float64(done) * float64(len(a.src)) / float64(a.read) * 1.03)
		grown := make([]byte, len(a.b), a.start+max(done, expected)+feedBytes)
		copy(grown, a.b)
		a.b = grown
	}
	a.b = append(a.b, b...)
	return len(b), nil
}

// EncodeZstdInPlace returns the frames that [EncodeZstdPadded] gives, in the memory of src, which is
// overwritten. It allocates memory only if the frame is larger than the capacity of src: data that
// do not compress need 3 bytes more for each 128 KiB, and 20.
func EncodeZstdInPlace(src []byte, level int) ([]byte, error) {
	if len(src) < zstdStreamBytes {
		out, err := EncodeZstdPadded(nil, src, level)
		return append(src[:0], out...), err
	}
	w := &inPlace{buf: src}
	if err := zstdStream(w, int64(len(src)), zstdSampled(src, zstdSpeed(level)), true, w.feed); err != nil {
		return nil, err
	}
	return w.finish(), nil
}

// inPlace is the writer of an encoder that reads the same buffer. Output that would overwrite
// unread bytes waits. The encoder writes to it while it is fed.
type inPlace struct {
	mu            sync.Mutex
	buf           []byte
	read, written int
	waiting       []byte
}

// feed writes the buffer to the encoder in pieces.
func (p *inPlace) feed(enc io.Writer) error {
	for p.read < len(p.buf) {
		n := min(zstdMaxBlock, len(p.buf)-p.read)
		if _, err := enc.Write(p.buf[p.read : p.read+n]); err != nil {
			return err
		}
		p.read += n
		p.settle()
	}
	return nil
}

// Write takes output of the encoder.
func (p *inPlace) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, b...)
	return len(b), nil
}

// settle moves waiting output to bytes that have been read.
func (p *inPlace) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := copy(p.buf[p.written:p.read], p.waiting)
	p.written += n
	p.waiting = append(p.waiting[:0], p.waiting[n:]...)
}

// finish returns all that was written.
func (p *inPlace) finish() []byte {
	return append(p.buf[:p.written], p.waiting...)
}

// ZstdSamples reports whether [EncodeZstd] looks at samples of large data before it compresses them
// with the level.
func ZstdSamples(level int) bool { return zstdSpeed(level) == zstd.SpeedBetterCompression }

// EncodeZstdFed writes the frames that [EncodeZstdPadded] gives for size bytes, at least 16 MiB, which feed
// writes. The level must not be one for which [ZstdSamples] is true. An error of feed is wrapped.
func EncodeZstdFed(w io.Writer, size int64, level int, feed func(io.Writer) error) error {
	if size < zstdStreamBytes || ZstdSamples(level) {
		return fmt.Errorf("compress: zstd: %d bytes with level %d cannot be compressed as they come", size, level)
	}
	return zstdStream(w, size, zstdSpeed(level), true, feed)
}

// EncodeZstdFrom writes the frames of [EncodeZstdPadded] for the first size bytes of src. It holds only a
// part of them in memory. size must be at least 16 MiB.
func EncodeZstdFrom(w io.Writer, src io.ReaderAt, size int64, level int) error {
	if size < zstdStreamBytes {
		return fmt.Errorf("compress: zstd: %d bytes, expected at least %d", size, zstdStreamBytes)
	}
	speed, err := zstdSampledFrom(size, zstdSpeed(level), func(at int64) ([]byte, error) {
		sample := make([]byte, zstdSample)
		_, err := io.ReadFull(io.NewSectionReader(src, at, zstdSample), sample)
		return sample, err
	})
	if err != nil {
		return err
	}
	return zstdStream(w, size, speed, true, func(enc io.Writer) error {
		n, err := io.CopyBuffer(struct{ io.Writer }{enc}, struct{ io.Reader }{io.NewSectionReader(src, 0, size)}, make([]byte, feedBytes))
		if err == nil && n != size {
			err = io.ErrUnexpectedEOF
		}
		return err
	})
}
