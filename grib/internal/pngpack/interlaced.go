package pngpack

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

// interlacedRows reads an interlaced image through the standard library. It undoes the
// library's scaling of pixels of less than 8 bits, which multiplies them to span 0 to 255.
func (m *Image) interlacedRows(emit func(row []byte)) error {
	decoded, err := png.Decode(bytes.NewReader(m.src))
	if err != nil {
		return fmt.Errorf("interlaced PNG: %w", err)
	}
	row := make([]byte, m.rowBytes())
	for y := range m.Height {
		switch p := decoded.(type) {
		case *image.Gray:
			m.pack(row, p.Pix[y*p.Stride:])
		case *image.Gray16:
			copy(row, p.Pix[y*p.Stride:])
		case *image.NRGBA:
			copy(row, p.Pix[y*p.Stride:])
		case *image.RGBA:
			for x := range m.Width {
				copy(row[3*x:3*x+3], p.Pix[y*p.Stride+4*x:])
			}
		default:
			return fmt.Errorf("interlaced PNG is a %T", decoded)
		}
		emit(row)
	}
	return nil
}

// pack puts grey pixels that span 0 to 255 into Bits bits each.
func (m *Image) pack(row, pixels []byte) {
	clear(row)
	unit := byte(255 / (1<<m.Bits - 1))
	for x, v := range pixels[:m.Width] {
		at := x * m.Bits
		row[at/8] |= v / unit << (8 - m.Bits - at%8)
	}
}
