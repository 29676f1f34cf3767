package fromgrib

import (
	"encoding/binary"
	"io"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
)

// readHead reads what stands before the data of a message.
func (s *Source) readHead(r io.ReaderAt, p *importers.Part) (*grib.Message, error) {
	f, err := grib.NewFile(io.NewSectionReader(r, p.Offset, p.Length), p.Length, grib.Options{MaxPoints: s.reader.MaxPoints})
	if err != nil {
		return nil, err
	}
	return f.Head(0)
}

// messageOf is a message of the field alone, for its keys. When only its head was read it gets an
// empty data section: some keys follow that section, and are there only if it is.
func messageOf(f *grib.Field) []byte {
	b := f.Bytes()
	if !f.Message.Partial {
		return b
	}
	if f.Edition == 2 {
		b = b[:len(b)-len(f.Section(7))]
		b = append(b, 0, 0, 0, 5, 7) // section 7: its length and number
		b = append(b, "7777"...)
		binary.BigEndian.PutUint64(b[8:], uint64(len(b)))
		return b
	}
	data := len(f.Section(4)) // as much as was read of it
	if at := len(b) - data; at > 0 && data >= 3 {
		put24(b[at:], data)
	}
	b = append(b, "7777"...)
	put24(b[4:], len(b))
	return b
}

func put24(b []byte, n int) { b[0], b[1], b[2] = byte(n>>16), byte(n>>8), byte(n) }
