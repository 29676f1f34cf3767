package fromgrib

import "github.com/tgmconv/tgmconv/grib"

// messageOf is a message of the field alone, for its keys. When only its head was read it gets an
// empty data section: some keys follow that section, and are there only if it is.
func messageOf(f *grib.Field) []byte {
	if !f.Message.Partial {
		return f.Bytes()
	}
	return f.WithoutData()
}
