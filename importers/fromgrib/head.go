package fromgrib

import (
	"io"

	"github.com/tgmconv/tgmconv/grib"
)

// readHead reads what stands in front of the data of a message.
func (s *Source) readHead(r io.ReaderAt, info grib.Info) (*grib.Message, error) {
	f, err := grib.NewFile(io.NewSectionReader(r, info.Offset, info.Length), info.Length, grib.Options{MaxPoints: s.reader.MaxPoints})
	if err != nil {
		return nil, err
	}
	return f.Head(0)
}

// messageOf is a message of the field alone, for its keys.
func messageOf(f *grib.Field) []byte {
	if !f.Message.Partial {
		return f.Bytes()
	}
	return f.WithoutData()
}
