// Package jpegpack reads the integers of JPEG 2000 packing (GRIB 2 data template 7.40): a grey JPEG 2000 image whose pixels are the numbers.
package jpegpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	jpeg2000 "github.com/mrjoshuak/go-jpeg2000"
)

// ErrWide: the pixels have more bits than the decoder gives exactly.
var ErrWide = errors.New("JPEG 2000 of more than 24 bits a pixel")

// MaxBits is the widest pixel that is read.
const MaxBits = 24

// An Image is a JPEG 2000 image whose header has been read.
type Image struct {
	Width, Height int
	Bits          int // of a pixel

	src []byte
}

// Open reads the header and checks that the code stream is whole.
func Open(src []byte) (*Image, error) {
	h, err := jpeg2000.DecodeMetadata(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	if h.NumComponents != 1 || len(h.BitsPerComponent) != 1 || len(h.Signed) != 1 || h.Signed[0] {
		return nil, fmt.Errorf("JPEG 2000 image of %d components, expected one without sign", h.NumComponents)
	}
	m := &Image{Width: h.Width, Height: h.Height, Bits: h.BitsPerComponent[0], src: src}
	if m.Width < 1 || m.Height < 1 || m.Width > math.MaxInt32 || m.Height > math.MaxInt32 || m.Bits < 1 {
		return nil, fmt.Errorf("JPEG 2000 image of %d by %d pixels of %d bits", m.Width, m.Height, m.Bits)
	}
	if m.Bits > MaxBits {
		return nil, fmt.Errorf("%w: %d", ErrWide, m.Bits)
	}
	return m, whole(src)
}

// Markers of a code stream (ISO/IEC 15444-1, annex A).
const (
	startOfCodestream = 0xff4f
	startOfTilePart   = 0xff90
	endOfCodestream   = 0xffd9
)

// whole says whether every tile part of a bare code stream is there: a decoder makes an image of what there is. A stream in a file format is left to
// the decoder.
func whole(src []byte) error {
	if len(src) < 2 || binary.BigEndian.Uint16(src) != startOfCodestream {
		return nil
	}
	for pos := 2; pos+2 <= len(src); {
		marker := binary.BigEndian.Uint16(src[pos:])
		if marker == endOfCodestream {
			return nil
		}
		if pos+4 > len(src) {
			break
		}
		n := 2 + int(binary.BigEndian.Uint16(src[pos+2:]))
		if marker == startOfTilePart {
			if pos+10 > len(src) {
				break
			}
			if n = int(binary.BigEndian.Uint32(src[pos+6:])); n == 0 {
				return nil // up to the end
			}
			if n < 12 {
				return fmt.Errorf("JPEG 2000 tile part of %d bytes at byte %d", n, pos)
			}
		}
		if n > len(src)-pos {
			return fmt.Errorf("JPEG 2000 code stream of %d bytes: the part of %d bytes at byte %d is cut off", len(src), n, pos)
		}
		pos += n
	}
	// The last marker may be missing: decoders do not need it.
	return nil
}

// Decode fills dst, of Width·Height elements, row by row.
func (m *Image) Decode(dst []uint32) error {
	img, err := jpeg2000.DecodeFloat(bytes.NewReader(m.src))
	if err != nil {
		return err
	}
	if len(img.Components) != 1 || len(img.Components[0]) != len(dst) {
		return fmt.Errorf("JPEG 2000 image of %d by %d pixels, the header says %d by %d", img.Width, img.Height, m.Width, m.Height)
	}
	largest := float32(int(1)<<m.Bits - 1)
	for i, v := range img.Components[0] {
		// Only a lossy stream gives something else than whole numbers in range.
		if !(v >= 0) {
			v = 0
		}
		dst[i] = uint32(math.RoundToEven(float64(min(v, largest))))
	}
	return nil
}
