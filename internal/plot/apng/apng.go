// Package apng writes animated PNG files (PNG specification, third edition, chunks acTL, fcTL and
// fdAT). Readers that do not know animations show the first picture.
//
// Most callers make a [Writer], add pictures of one size, and close it.
package apng

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"
	"time"
)

const signature = "\x89PNG\r\n\x1a\n"

// A Writer writes an animation. The pictures must be opaque, and their number the one given to
// [NewWriter].
type Writer struct {
	w        io.Writer
	frames   int
	delay    uint16 // of each picture, in milliseconds
	written  int
	sequence uint32
	header   []byte // IHDR of the first picture, which all must have
}

// NewWriter returns a writer of an animation of the given number of frames, which repeats forever.
// Each frame is shown for a time of at most a minute.
func NewWriter(w io.Writer, frames int, each time.Duration) (*Writer, error) {
	ms := each.Milliseconds()
	if frames < 1 || frames > math.MaxInt32 || ms < 1 || ms > 60000 {
		return nil, fmt.Errorf("apng: %d pictures of %v each, expected 1 or more of 1 ms to 1 min", frames, each)
	}
	return &Writer{w: w, frames: frames, delay: uint16(ms)}, nil
}

// Add appends a picture. All must have the same size.
func (a *Writer) Add(img image.Image) error {
	if a.written == a.frames {
		return fmt.Errorf("apng: more than the %d pictures that were announced", a.frames)
	}
	var still bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&still, img); err != nil {
		return err
	}
	header, data, err := parts(still.Bytes())
	if err != nil {
		return err
	}
	if a.written == 0 {
		a.header = header
		control := binary.BigEndian.AppendUint32(nil, uint32(a.frames))
		control = binary.BigEndian.AppendUint32(control, 0) // without end
		if _, err := io.WriteString(a.w, signature); err != nil {
			return err
		}
		if err := errors.Join(a.chunk("IHDR", header), a.chunk("acTL", control)); err != nil {
			return err
		}
	} else if !bytes.Equal(header, a.header) {
		return fmt.Errorf("apng: picture %d has another size or kind of pixels than the first", a.written)
	}
	if err := a.chunk("fcTL", a.frameControl(img.Bounds().Size())); err != nil {
		return err
	}
	for _, d := range data {
		name := "IDAT"
		if a.written > 0 {
			name, d = "fdAT", append(a.next(), d...)
		}
		if err := a.chunk(name, d); err != nil {
			return err
		}
	}
	a.written++
	return nil
}

// next is the next number of the sequence that fcTL and fdAT share.
func (a *Writer) next() []byte {
	a.sequence++
	return binary.BigEndian.AppendUint32(nil, a.sequence-1)
}

// frameControl is the content of fcTL: sequence number, width, height, offsets 0, delay as a
// fraction of a second, dispose and blend operations 0.
func (a *Writer) frameControl(size image.Point) []byte {
	b := a.next()
	for _, v := range []uint32{uint32(size.X), uint32(size.Y), 0, 0} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	b = binary.BigEndian.AppendUint16(b, a.delay)
	b = binary.BigEndian.AppendUint16(b, 1000)
	return append(b, 0, 0)
}

// Close ends the file.
func (a *Writer) Close() error {
	if a.written < a.frames {
		return fmt.Errorf("apng: %d of the %d pictures that were announced", a.written, a.frames)
	}
	return a.chunk("IEND", nil)
}

// chunk writes a chunk: length, name, content, CRC-32 of name and content.
func (a *Writer) chunk(name string, content []byte) error {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	b = append(append(b, name...), content...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	_, err := a.w.Write(b)
	return err
}

// parts takes the header and the data of a PNG file.
func parts(b []byte) (header []byte, data [][]byte, err error) {
	for b = b[len(signature):]; len(b) >= 12; {
		n := binary.BigEndian.Uint32(b)
		if uint64(n) > uint64(len(b)-12) {
			break
		}
		content := b[8 : 8+n]
		switch string(b[4:8]) {
		case "IHDR":
			header = content
		case "IDAT":
			data = append(data, content)
		case "PLTE", "tRNS":
			return nil, nil, errors.New("apng: pictures with palettes or transparency")
		}
		b = b[12+n:]
	}
	return header, data, nil
}
