package pngpack

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// write makes a PNG of rows of packed pixels, each row with the filter its number says. The data go
// to IDAT chunks of size bytes.
func write(width, height, bits int, interlace byte, rows [][]byte, size int) []byte {
	depth, colour := bits, grey
	switch bits {
	case 24:
		depth, colour = 8, rgb
	case 32:
		depth, colour = 8, rgba
	}
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	above := make([]byte, len(rows[0]))
	for y, row := range rows {
		filter := byte(y % 5)
		z.Write([]byte{filter})
		z.Write(filtered(filter, row, above, (bits+7)/8))
		above = row
	}
	z.Close()
	out := []byte(signature)
	h := binary.BigEndian.AppendUint32(nil, uint32(width))
	h = binary.BigEndian.AppendUint32(h, uint32(height))
	out = appendChunk(out, "IHDR", append(h, byte(depth), byte(colour), 0, 0, interlace))
	out = appendChunk(out, "tEXt", []byte("Comment\x00any"))
	for data.Len() > 0 {
		out = appendChunk(out, "IDAT", data.Next(size))
	}
	return appendChunk(out, "IEND", nil)
}

func appendChunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	body := append([]byte(name), data...)
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

// filtered applies a filter octet by octet, as RFC 2083 describes it.
func filtered(filter byte, row, above []byte, size int) []byte {
	out := make([]byte, len(row))
	for i := range row {
		var left, corner int
		up := int(above[i])
		if i >= size {
			left, corner = int(row[i-size]), int(above[i-size])
		}
		predicted := 0
		switch filter {
		case 1:
			predicted = left
		case 2:
			predicted = up
		case 3:
			predicted = (left + up) / 2
		case 4:
			p := left + up - corner
			abs := func(v int) int { return max(v, -v) }
			switch pl, pu, pc := abs(p-left), abs(p-up), abs(p-corner); {
			case pl <= pu && pl <= pc:
				predicted = left
			case pu <= pc:
				predicted = up
			default:
				predicted = corner
			}
		}
		out[i] = row[i] - byte(predicted)
	}
	return out
}

func TestEveryDepth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{1, 2, 4, 8, 16, 24, 32} {
		for _, width := range []int{1, 3, 13, 64} {
			rows := make([][]byte, 11)
			for y := range rows {
				rows[y] = make([]byte, (width*bits+7)/8)
				for i := range rows[y] {
					rows[y][i] = byte(rng.Uint32() >> (y % 3))
				}
				if rest := width * bits % 8; rest != 0 {
					rows[y][len(rows[y])-1] &= 0xff << (8 - rest)
				}
			}
			m, err := Open(write(width, len(rows), bits, 0, rows, 17))
			if err != nil || m.Width != width || m.Height != len(rows) || m.Bits != bits {
				t.Fatalf("%d bits: %+v, %v", bits, m, err)
			}
			y := 0
			err = m.Rows(func(row []byte) {
				if !bytes.Equal(row, rows[y]) {
					t.Errorf("%d bits, width %d, row %d is %x, expected %x", bits, width, y, row, rows[y])
				}
				y++
			})
			if err != nil || y != len(rows) {
				t.Errorf("%d bits, width %d: %d rows, %v", bits, width, y, err)
			}
		}
	}
}

// TestStandardEncoder reads images that the standard library wrote.
func TestStandardEncoder(t *testing.T) {
	img := image.NewGray16(image.Rect(0, 0, 40, 30))
	for i := range img.Pix {
		img.Pix[i] = byte(i * i / 7)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	m, err := Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	if err := m.Rows(func(row []byte) { got = append(got, row...) }); err != nil || !bytes.Equal(got, img.Pix) {
		t.Errorf("pixels differ (%v)", err)
	}
}

// TestInterlaced reads 8 by 8 pixels in the seven passes of Adam7. They are written by hand for a
// depth of 2 bits.
func TestInterlaced(t *testing.T) {
	const n, bits = 8, 2
	pixel := func(x, y int) byte { return byte((3*x + 5*y + x*y) & 3) }
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	for _, p := range []struct{ x0, y0, dx, dy int }{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}} {
		for y := p.y0; y < n; y += p.dy {
			line, at := make([]byte, 3), 8
			for x := p.x0; x < n; x += p.dx {
				line[at/8] |= pixel(x, y) << (8 - bits - at%8)
				at += bits
			}
			z.Write(line[:(at+7)/8])
		}
	}
	z.Close()
	src := appendChunk([]byte(signature), "IHDR", []byte{0, 0, 0, n, 0, 0, 0, n, bits, grey, 0, 0, 1})
	src = appendChunk(appendChunk(src, "IDAT", data.Bytes()), "IEND", nil)
	m, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	y := 0
	err = m.Rows(func(row []byte) {
		for x := range n {
			if got := row[x*bits/8] >> (8 - bits - x*bits%8) & 3; got != pixel(x, y) {
				t.Errorf("pixel %d, %d is %d, expected %d", x, y, got, pixel(x, y))
			}
		}
		y++
	})
	if err != nil || y != n {
		t.Errorf("%d rows (%v)", y, err)
	}
}

func TestRefused(t *testing.T) {
	good := write(3, 2, 8, 0, [][]byte{{1, 2, 3}, {4, 5, 6}}, 100)
	palette := image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black, color.White})
	var indexed bytes.Buffer
	if err := png.Encode(&indexed, palette); err != nil {
		t.Fatal(err)
	}
	huge := write(1<<30, 1<<30, 32, 0, [][]byte{{0}}, 100)
	for name, src := range map[string][]byte{
		"empty": nil, "cut in the header": good[:20], "cut in the data": good[:len(good)-25], "without an end": good[:len(good)-12],
		"wrong checksum": append(append([]byte(nil), good[:40]...), append([]byte{good[40] ^ 1}, good[41:]...)...),
		"palette":        indexed.Bytes(), "larger than its data": huge,
	} {
		m, err := Open(src)
		if err == nil {
			err = m.Rows(func([]byte) {})
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzRows(f *testing.F) {
	for _, bits := range []int{1, 8, 16, 24, 32} {
		f.Add(write(4, 6, bits, 0, [][]byte{make([]byte, (4*bits+7)/8), make([]byte, (4*bits+7)/8)}, 9))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Open(src)
		if err != nil || m.Width*m.Height > 1<<20 {
			return
		}
		rows := 0
		err = m.Rows(func(row []byte) {
			if len(row) != m.rowBytes() {
				t.Fatalf("row of %d bytes, expected %d", len(row), m.rowBytes())
			}
			rows++
		})
		if err == nil && rows != m.Height {
			t.Fatalf("%d rows, expected %d", rows, m.Height)
		}
		if std, stdErr := png.Decode(bytes.NewReader(src)); err == nil && stdErr == nil && std.Bounds().Dx() != m.Width {
			t.Fatal(fmt.Sprint("width is ", m.Width, ", the standard library says ", std.Bounds().Dx()))
		}
	})
}
