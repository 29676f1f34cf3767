package fromgrib

import (
	"io"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
)

// readHead reads what stands before the data of a message.
func (s *Source) readHead(r io.ReaderAt, p *importers.Part) (*grib.Message, error) {
	return grib.ReadHead(r, p.Offset, p.Length, grib.WithLimits(s.limits))
}

// messageOf is a message of the field alone, for its keys. When only its head was read it gets an
// empty data section: some keys follow that section, and are there only if it is.
func messageOf(f *grib.Field) []byte {
	if !f.Message.Partial {
		return f.Bytes()
	}
	return f.WithoutData()
}
