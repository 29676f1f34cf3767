// Package png24 writes opaque pictures as PNG files of 24 bits a pixel.
//
// image/png tries five filters for each row and deflates at its best level, which takes ten times as
// long as drawing a map. Rows of a map compress best without a filter, since its colours repeat and
// hardly ever differ by a constant, and the deflate of klauspost/compress is then as small.
//
// Most callers use [Encode]. Package apng makes animations of the parts.
package png24

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"
)

// Signature is the beginning of a PNG file.
const Signature = "\x89PNG\r\n\x1a\n"

// level is the level of deflate. Level 7 takes twice as long for 1 to 3 % less.
const level = 6

// ErrTransparent says that a picture has pixels that are not opaque.
var ErrTransparent = errors.New("png24: the picture is transparent")

// Encode writes img, which must be opaque, as a PNG file.
func Encode(w io.Writer, img *image.RGBA) error {
	data, err := Data(img)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, Signature); err != nil {
		return err
	}
	if err := Chunk(w, "IHDR", Header(img.Bounds().Size())); err != nil {
		return err
	}
	if err := Chunk(w, "IDAT", data); err != nil {
		return err
	}
	return Chunk(w, "IEND", nil)
}

// Header returns the content of IHDR (PNG specification, section 11.2.1): width and height, 8 bits a
// sample, colour type 2 (red, green and blue), deflate, filters of method 0, not interlaced.
func Header(size image.Point) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	b = binary.BigEndian.AppendUint32(b, uint32(size.Y))
	return append(b, 8, 2, 0, 0, 0)
}

// Data returns the content of IDAT: the zlib stream of the rows, each after the number of its filter.
func Data(img *image.RGBA) ([]byte, error) {
	if !img.Opaque() {
		return nil, ErrTransparent
	}
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, level)
	if err != nil {
		return nil, err
	}
	size := img.Bounds().Size()
	row := make([]byte, 1+3*size.X) // filter 0: none
	for y := range size.Y {
		pixels := img.Pix[y*img.Stride:][:4*size.X]
		for x, to := 0, row[1:]; x < len(pixels); x, to = x+4, to[3:] {
			copy(to[:3], pixels[x:])
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Chunk writes a chunk: length, name, content, CRC-32 of name and content.
func Chunk(w io.Writer, name string, content []byte) error {
	b := make([]byte, 0, 12+len(content))
	b = binary.BigEndian.AppendUint32(b, uint32(len(content)))
	b = append(append(b, name...), content...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	_, err := w.Write(b)
	return err
}
