package aec

import (
	"encoding/binary"
	"os"
	"testing"
)

// ccsdsField returns the coded data of the first field of a GRIB 2 file, and how many samples
// it has. The field has data template 5.42.
func ccsdsField(tb testing.TB, path string) (p Params, coded []byte, samples int) {
	tb.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	for rest := file[16:]; len(rest) > 5; {
		section := rest[:binary.BigEndian.Uint32(rest)]
		rest = rest[len(section):]
		switch section[4] {
		case 5:
			samples = int(binary.BigEndian.Uint32(section[5:]))
			p = Params{int(section[19]), int(section[22]), int(binary.BigEndian.Uint16(section[23:])), Flags(section[21])}
		case 7:
			return p, section[5:], samples
		}
	}
	tb.Fatal(path, ": no section 7")
	return
}
