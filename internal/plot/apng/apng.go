// Package apng writes animated PNG files (PNG specification, third edition, chunks acTL, fcTL and
// fdAT). Readers that do not know animations show the first picture.
//
// Most callers make a [Writer], add pictures of one size, and close it.
package apng

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"github.com/tgmconv/tgmconv/internal/plot/png24"
)

// A Writer writes an animation. The pictures must be opaque, and their number the one given to
// [NewWriter].
type Writer struct {
	w        io.Writer
	frames   int
	delay    uint16 // of each picture, in milliseconds
	written  int
	sequence uint32
	size     image.Point // of the first picture, which all must have
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

// Add appends a picture. All must be opaque and have the same size.
func (a *Writer) Add(img *image.RGBA) error {
	if a.written == a.frames {
		return fmt.Errorf("apng: more than the %d pictures that were announced", a.frames)
	}
	size := img.Bounds().Size()
	if a.written > 0 && size != a.size {
		return fmt.Errorf("apng: picture %d is of %v pixels, the first of %v", a.written, size, a.size)
	}
	data, err := png24.Data(img)
	if err != nil {
		return err
	}
	name := "fdAT"
	if a.written == 0 {
		name, a.size = "IDAT", size
		control := binary.BigEndian.AppendUint32(nil, uint32(a.frames))
		control = binary.BigEndian.AppendUint32(control, 0) // without end
		if _, err := io.WriteString(a.w, png24.Signature); err != nil {
			return err
		}
		if err := errors.Join(png24.Chunk(a.w, "IHDR", png24.Header(size)), png24.Chunk(a.w, "acTL", control)); err != nil {
			return err
		}
	}
	if err := png24.Chunk(a.w, "fcTL", a.frameControl(size)); err != nil {
		return err
	}
	if a.written > 0 {
		data = append(a.next(), data...)
	}
	if err := png24.Chunk(a.w, name, data); err != nil {
		return err
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
	return png24.Chunk(a.w, "IEND", nil)
}
