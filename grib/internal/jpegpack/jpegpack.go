// Package jpegpack reads the integers of JPEG 2000 packing (GRIB 2 data template 7.40): a grey JPEG 2000 image whose pixels are the numbers.
// Package j2k decodes what GRIB writers make, github.com/mrjoshuak/go-jpeg2000 the rest.
package jpegpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	jpeg2000 "github.com/mrjoshuak/go-jpeg2000"

	"github.com/tgmconv/tgmconv/grib/internal/j2k"
)

// ErrWide: the pixels have more bits than the decoder gives.
var ErrWide = errors.New("JPEG 2000 of more than 31 bits a pixel")

// MaxBits is the widest pixel that is read.
const MaxBits = 31

// An Image is a JPEG 2000 image whose header has been read.
type Image struct {
	Width, Height int
	Bits          int // of a pixel

	src []byte // the code stream, without a file around it
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
	at := bytes.Index(src, []byte(streamStart))
	if at < 0 {
		return nil, errors.New("no JPEG 2000 code stream")
	}
	m := &Image{Width: h.Width, Height: h.Height, Bits: h.BitsPerComponent[0], src: src[at:]}
	if m.Width < 1 || m.Height < 1 || m.Width > math.MaxInt32 || m.Height > math.MaxInt32 || m.Bits < 1 {
		return nil, fmt.Errorf("JPEG 2000 image of %d by %d pixels of %d bits", m.Width, m.Height, m.Bits)
	}
	if m.Bits > MaxBits {
		return nil, fmt.Errorf("%w: %d", ErrWide, m.Bits)
	}
	return m, whole(m.src)
}

// Markers of a code stream (ISO/IEC 15444-1, annex A).
const (
	startOfTilePart = 0xff90
	endOfCodestream = 0xffd9

	streamStart = "\xff\x4f\xff\x51" // start of code stream, and the marker segment that always follows it
)

// whole says whether every tile of a code stream is there: a decoder makes an image of what there is.
func whole(src []byte) error {
	tiles := map[uint16]bool{}
	for pos := 2; pos+4 <= len(src); {
		marker := binary.BigEndian.Uint16(src[pos:])
		if marker == endOfCodestream {
			break
		}
		n := 2 + int(binary.BigEndian.Uint16(src[pos+2:]))
		if marker == startOfTilePart {
			if pos+12 > len(src) {
				return fmt.Errorf("JPEG 2000 code stream is cut off after %d bytes", len(src))
			}
			tiles[binary.BigEndian.Uint16(src[pos+4:])] = true
			if n = int(binary.BigEndian.Uint32(src[pos+6:])); n == 0 {
				n = len(src) - pos // up to the end
			} else if n < 12 {
				return fmt.Errorf("JPEG 2000 tile part of %d bytes at byte %d", n, pos)
			}
		}
		if n > len(src)-pos {
			return fmt.Errorf("JPEG 2000 code stream of %d bytes: the part of %d bytes at byte %d is cut off", len(src), n, pos)
		}
		pos += n
	}
	// The marker of the end may be missing: decoders do not need it.
	if want := tileCount(src); len(tiles) < want {
		return fmt.Errorf("JPEG 2000 code stream of %d bytes has %d tiles, expected %d", len(src), len(tiles), want)
	}
	return nil
}

// tileCount returns the number of tiles that the SIZ segment, the first one, asks for.
func tileCount(src []byte) int {
	const minSIZ = 6 + 34
	if len(src) < minSIZ {
		return 1
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(src[8+4*i:])) }
	along := func(size, tile, offset int) int { return (size - offset + tile - 1) / max(tile, 1) }
	return max(1, along(word(0), word(4), word(6))*along(word(1), word(5), word(7)))
}

// rawSamples is a marker segment for the code stream's header: a non-linearity point transform (ISO/IEC 15444-2, A.3.10) of type 3 to
// signed 32 bits, for all components. It makes the decoder return the bits of the integers instead of their float32 values, which
// are exact to 24 bits only, and costs two copies less.
const rawSamples = "\xff\x76\x00\x06\xff\xff\x9f\x03"

// Decode fills dst, of Width·Height elements, row by row.
func (m *Image) Decode(dst []uint32) error {
	if j2k.Decode(dst, m.src) == nil {
		return nil
	}
	return m.decodeAny(dst)
}

// decodeAny decodes what is not of the plain kind, or damaged, through the general decoder; in the second case it says what is wrong.
func (m *Image) decodeAny(dst []uint32) error {
	size := 4 + int(binary.BigEndian.Uint16(m.src[4:])) // of SOC and the SIZ segment
	stream := io.MultiReader(bytes.NewReader(m.src[:size]), strings.NewReader(rawSamples), bytes.NewReader(m.src[size:]))
	img, err := jpeg2000.DecodeFloat(stream)
	if err != nil {
		return err
	}
	if len(img.Components) != 1 || len(img.Components[0]) != len(dst) {
		return fmt.Errorf("JPEG 2000 image of %d by %d pixels, the header says %d by %d", img.Width, img.Height, m.Width, m.Height)
	}
	largest := uint32(1)<<m.Bits - 1
	for i, v := range img.Components[0] {
		q := math.Float32bits(v)
		switch {
		case q <= largest:
			dst[i] = q
		case q>>31 != 0: // negative: only a lossy stream goes out of range
			dst[i] = 0
		default:
			dst[i] = largest
		}
	}
	return nil
}
