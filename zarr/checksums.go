package zarr

import (
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/codec/checksum"
)

// checked is a checksum of four bytes, little-endian, before or after the data.
type checked struct {
	name  string
	sum   func([]byte) uint32
	first bool
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newCRC32C(c Codec, in spec) (stage, spec, error) {
	return newChecked(c, in, false, func(b []byte) uint32 { return crc32.Checksum(b, castagnoli) })
}

func newCRC32(c Codec, in spec) (stage, spec, error) {
	return newChecked(c, in, true, crc32.ChecksumIEEE)
}

func newAdler32(c Codec, in spec) (stage, spec, error) {
	return newChecked(c, in, true, adler32.Checksum)
}

func newFletcher32(c Codec, in spec) (stage, spec, error) {
	return newChecked(c, in, false, checksum.Fletcher32)
}

// newLookup3 is the checksum of HDF5's documents, of a prefix and the data.
func newLookup3(c Codec, in spec) (stage, spec, error) {
	initial := uint32(configInt(c, "initval", 0))
	var prefix []byte
	list, _ := c.Configuration["prefix"].([]any)
	for _, v := range list {
		n, _ := wholeNumber(v)
		prefix = append(prefix, byte(n))
	}
	if text, ok := c.Configuration["prefix"].(string); ok {
		prefix = []byte(text)
	}
	return newChecked(c, in, false, func(b []byte) uint32 { return checksum.Lookup3From(slices.Concat(prefix, b), initial) })
}

func newChecked(c Codec, in spec, first bool, sum func([]byte) uint32) (stage, spec, error) {
	switch location := c.Configuration["location"]; location {
	case nil:
	case "start", "end":
		first = location == "start"
	default:
		return nil, spec{}, fmt.Errorf("codec %s: location is %v, expected start or end", c.Name, location)
	}
	return &checked{strings.TrimPrefix(c.Name, numcodecs), sum, first}, in.serial(in.size + 4), nil
}

func (c *checked) decode(_, src []byte, _ int64) ([]byte, error) {
	n := len(src) - 4
	if n < 0 {
		return nil, fmt.Errorf("codec %s: %d bytes, expected at least 4", c.name, len(src))
	}
	data, stored := src[:n], src[n:]
	if c.first {
		stored, data = src[:4], src[4:]
	}
	if want, computed := binary.LittleEndian.Uint32(stored), c.sum(data); want != computed {
		return nil, fmt.Errorf("codec %s: checksum is %08x, the data give %08x", c.name, want, computed)
	}
	return data, nil
}

func (c *checked) encode(src []byte) ([]byte, error) {
	sum := binary.LittleEndian.AppendUint32(nil, c.sum(src))
	if c.first {
		return slices.Concat(sum, src), nil
	}
	return slices.Concat(src, sum), nil
}
