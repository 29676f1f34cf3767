package catalog

import (
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestUnpackedStatistics describes packed integers by the values that they stand for.
func TestUnpackedStatistics(t *testing.T) {
	array := &tgm.Array{DType: tgm.Int16, Shape: []uint64{3}, Data: []byte{0xff, 0xff, 2, 0, 4, 0}}
	s := unpackedStatistics(array, &mapping.Scaling{Scale: 0.5, Offset: 10, Missing: []float64{-1}})
	if s.Count != 3 || s.NaN != 1 || s.Min != 11.0 || s.Max != 12.0 || s.Mean != 11.5 {
		t.Errorf("%+v, expected 11 and 12 and a missing point", s)
	}
	for _, dtype := range []tgm.DType{tgm.Int8, tgm.Int16, tgm.Int32, tgm.Int64, tgm.Uint8, tgm.Uint16, tgm.Uint32, tgm.Uint64} {
		b := make([]byte, dtype.Size())
		b[0] = 7
		if at := integerAt(dtype); at == nil || at(b) != 7 {
			t.Errorf("7 is not read as %s", dtype)
		}
	}
	if integerAt(tgm.Float32) != nil {
		t.Error("floats are read as integers")
	}
}
