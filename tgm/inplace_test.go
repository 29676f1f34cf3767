package tgm

import (
	"slices"
	"testing"
)

// TestDecodeInPlace decodes an array that is unshuffled in its own memory.
func TestDecodeInPlace(t *testing.T) {
	values := make([]uint32, inPlaceBytes/4+12345)
	for i := range values {
		values[i] = uint32(i) * 7
	}
	o, err := EncodeArray(ArrayOf(values), Pipeline{Filter: nameShuffle, Compression: nameZstd})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := message(t, WriterOptions{}, o)
	read, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []ByteOrder{LittleEndian, BigEndian} {
		a, err := read.Decode(DecodeOptions{ByteOrder: order})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Values[uint32](a); err != nil || !slices.Equal(got, values) {
			t.Errorf("%v: other values, error %v", order, err)
		}
	}
}
