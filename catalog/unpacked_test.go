package catalog

import (
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestUnpackedStatistics describes packed integers by the values that they stand for.
func TestUnpackedStatistics(t *testing.T) {
	array := &tgm.Array{DType: tgm.Int16, Shape: []uint64{3}, Data: []byte{0xff, 0xff, 2, 0, 4, 0}}
	d := newFloats(2, unpacked(array.DType, &mapping.Scaling{Scale: 0.5, Offset: 10, Missing: []float64{-1}}))
	d.add(array.Data)
	s := d.statistics()
	if s.Count != 3 || s.NaN != 1 || s.Min != 11.0 || s.Max != 12.0 || s.Mean != 11.5 {
		t.Errorf("%+v, expected 11 and 12 and a missing point", s)
	}
}
