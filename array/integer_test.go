package array_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

func TestInteger(t *testing.T) {
	bytes := []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	for dtype, want := range map[tgm.DType]float64{
		tgm.Int8: -2, tgm.Int16: -2, tgm.Int32: -2, tgm.Int64: -2,
		tgm.Uint8: 1<<8 - 2, tgm.Uint16: 1<<16 - 2, tgm.Uint32: 1<<32 - 2, tgm.Uint64: 1 << 64,
	} {
		if got := dtype.Integer()(bytes); got != want {
			t.Errorf("%s: got %v, want %v", dtype, got, want)
		}
	}
	if tgm.Float32.Integer() != nil || tgm.Bitmask.Integer() != nil {
		t.Error("a type without integers has a reader")
	}
}
