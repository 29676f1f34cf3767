// Package pngpack reads the integers of PNG packing (GRIB 2 data template 7.41). The data are a PNG
// image (RFC 2083) whose pixels are the numbers. Grey images have 1, 2, 4, 8 or 16 bits a number;
// RGB and RGBA images of 8 bits a sample have 24 and 32.
//
// The standard library's decoder scales pixels of few bits to 8 and converts colours; this package
// gives the bits as they are, row by row. It leaves only the rare interlaced images to the standard
// library.
package pngpack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/tgmconv/tgmconv/internal/codec/inflate"
)

const signature = "\x89PNG\r\n\x1a\n"

// Colour types of the IHDR chunk.
const (
	grey = 0
	rgb  = 2
	rgba = 6
)

// maxRatio is above the best compression of deflate: 258 octets to two bits, and headers.
const maxRatio = 1040

// An Image is a PNG image whose header has been read.
type Image struct {
	Width, Height int
	Bits          int // of a pixel: 1, 2, 4, 8, 16, 24 or 32

	src        []byte
	data       []byte // the chunks after IHDR
	interlaced bool
}

// Open reads the signature and the header, and checks that the data can hold an image of that size.
func Open(src []byte) (*Image, error) {
	if len(src) < len(signature) || string(src[:len(signature)]) != signature {
		return nil, errors.New("no PNG signature")
	}
	name, h, rest, err := chunk(src[len(signature):])
	if err != nil {
		return nil, err
	}
	if name != "IHDR" || len(h) != 13 {
		return nil, fmt.Errorf("PNG begins with a chunk %q of %d bytes, expected IHDR of 13", name, len(h))
	}
	m := &Image{Width: int(binary.BigEndian.Uint32(h)), Height: int(binary.BigEndian.Uint32(h[4:])), src: src, data: rest, interlaced: h[12] == 1}
	if m.Width < 1 || m.Height < 1 || m.Width > 1<<31-1 || m.Height > 1<<31-1 || h[10] != 0 || h[11] != 0 || h[12] > 1 {
		return nil, fmt.Errorf("PNG of %d by %d pixels, compression %d, filter %d, interlace %d", m.Width, m.Height, h[10], h[11], h[12])
	}
	switch depth, colour := int(h[8]), h[9]; {
	case colour == grey && (depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16):
		m.Bits = depth
	case colour == rgb && depth == 8:
		m.Bits = 24
	case colour == rgba && depth == 8:
		m.Bits = 32
	default:
		return nil, fmt.Errorf("PNG of colour type %d and depth %d, expected grey, or RGB or RGBA of depth 8", colour, depth)
	}
	if m.rowBytes()+1 > maxRatio*len(src)/m.Height {
		return nil, fmt.Errorf("PNG of %d by %d pixels of %d bits in %d bytes", m.Width, m.Height, m.Bits, len(src))
	}
	return m, nil
}

func (m *Image) rowBytes() int { return (m.Width*m.Bits + 7) / 8 }

// chunk takes a chunk off the front of b: length(4), name(4), data, CRC(4).
func chunk(b []byte) (name string, data, rest []byte, err error) {
	const frame = 12
	if len(b) < frame {
		return "", nil, nil, fmt.Errorf("PNG chunk is cut off after %d bytes", len(b))
	}
	n := int(binary.BigEndian.Uint32(b))
	if n > len(b)-frame {
		return "", nil, nil, fmt.Errorf("PNG chunk %q of %d bytes, %d are left", b[4:8], n, len(b)-frame)
	}
	if crc32.ChecksumIEEE(b[4:8+n]) != binary.BigEndian.Uint32(b[8+n:]) {
		return "", nil, nil, fmt.Errorf("PNG chunk %q: wrong checksum", b[4:8])
	}
	return string(b[4:8]), b[8 : 8+n], b[n+frame:], nil
}

// compressed returns the data of the IDAT chunks. Chunks without meaning for the pixels are passed
// over.
func (m *Image) compressed() ([]byte, error) {
	var all []byte
	for rest := m.data; ; {
		name, data, after, err := chunk(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		switch {
		case name == "IEND":
			return all, nil
		case name == "IDAT" && all == nil:
			all = data[:len(data):len(data)]
		case name == "IDAT":
			all = append(all, data...)
		}
	}
}

// Rows calls emit with the bits of each row, from top to bottom, valid during the call. Pixels lie
// without gaps, the first in the upper bits of the first octet.
func (m *Image) Rows(emit func(row []byte)) error {
	if m.interlaced {
		return m.interlacedRows(emit)
	}
	src, err := m.compressed()
	if err != nil {
		return err
	}
	n := 1 + m.rowBytes()
	data := make([]byte, n*m.Height) // Open has checked that src can hold so much
	if err := inflate.Zlib(data, src); err != nil {
		return fmt.Errorf("PNG data: %w", err)
	}
	above := make([]byte, n-1)
	for y := range m.Height {
		row := data[y*n : (y+1)*n]
		if err := unfilter(row[0], row[1:], above, (m.Bits+7)/8); err != nil {
			return fmt.Errorf("PNG row %d: %w", y, err)
		}
		emit(row[1:])
		above = row[1:]
	}
	return nil
}
