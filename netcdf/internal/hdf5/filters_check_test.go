package hdf5

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

func TestMissingFilters(t *testing.T) {
	for _, c := range []struct {
		filter Filter
		need   string
	}{
		{Filter{ID: FilterDeflate}, ""},
		{Filter{ID: 305, Name: "lzo"}, "filter 305 (lzo)"},
		{Filter{ID: 4711}, "filter 4711 (unknown)"},
		{Filter{ID: FilterBitshuffle, Name: "bitshuffle", Params: []uint32{0, 3, 4, 0, 2}}, ""},
		{Filter{ID: FilterBitshuffle, Name: "bitshuffle", Params: []uint32{0, 3, 4, 0, 7}}, "filter 32008 (bitshuffle) with codec 7"},
		{Filter{ID: FilterBlosc, Name: "blosc", Params: []uint32{2, 2, 4, 400, 5, 1, 3}}, "filter 32001 (blosc) with snappy"},
		{Filter{ID: FilterScaleOffset, Name: "scaleoffset", Params: []uint32{1, 3, 100, 1}}, "filter 6 (scaleoffset) with a binary scale"},
		{Filter{ID: FilterSzip, Name: "szip", Params: []uint32{32, 8, 64, 256}}, ""},
	} {
		if got := c.filter.missing(); got != c.need {
			t.Errorf("%+v: %q, expected %q", c.filter, got, c.need)
		}
	}
}

// TestHugeEnd gives the superblock an end of file beyond 2^63.
func TestHugeEnd(t *testing.T) {
	b := bytes.Clone(odd(t, "types_earliest.h5"))
	binary.LittleEndian.PutUint64(b[40:], 1<<63+0xffff) // end of file of a version 0 superblock
	_, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err == nil || !strings.Contains(err.Error(), "9223372036854841343 bytes expected") {
		t.Errorf("%v, expected the number of bytes", err)
	}
}
