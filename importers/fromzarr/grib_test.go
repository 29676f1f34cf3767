package fromzarr

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/zarr"
)

// TestDecodeGRIB decodes a message as kerchunk's codec does.
func TestDecodeGRIB(t *testing.T) {
	message, err := os.ReadFile("../../fixtures/grib/sanity.grib2") // of 4 by 4 points
	if err != nil {
		t.Fatal(err)
	}
	codec := func(of, dtype string) zarr.Codec {
		return zarr.Codec{Name: gribCodec, Configuration: map[string]any{"var": of, "dtype": dtype}}
	}
	values, err := decodeGRIB(codec("t", "float32"), message, 16*4)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := decodeGRIB(codec("t", "float64"), message, 16*8)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		a, b := math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:])), math.Float64frombits(binary.LittleEndian.Uint64(exact[8*i:]))
		if a != float32(b) {
			t.Errorf("point %d: %v and %v", i, a, b)
		}
	}
	if _, err := decodeGRIB(codec("t", "float64"), message, 15*8); err == nil || !strings.Contains(err.Error(), "16 points") {
		t.Errorf("another number of points: %v", err)
	}
	if _, err := decodeGRIB(codec("t", "int8"), message, 16); !errors.As(err, new(*zarr.UnsupportedError)) {
		t.Errorf("a type that is not supported: %v", err)
	}
	if _, err := decodeGRIB(codec("latitude", ""), message, 16*8); err == nil {
		t.Error("coordinates of a grid that contradicts itself are no error")
	}
	if _, err := decodeGRIB(codec("t", "float64"), message[:100], 16*8); err == nil {
		t.Error("a part of a message is no error")
	}
}
