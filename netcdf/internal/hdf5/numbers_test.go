package hdf5

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestNumberConverter expects the HDF5 library's results for numbers beyond the range of a type.
func TestNumberConverter(t *testing.T) {
	integer := func(size int, signed bool) *Datatype { return &Datatype{Class: Integer, Size: size, Signed: signed} }
	for _, c := range []struct {
		from, to *Datatype
		in, want uint64
	}{
		{integer(4, true), integer(1, true), uint64(1 << 20), 127},
		{integer(4, true), integer(1, true), 1<<32 - 1<<20, 0x80},
		{integer(4, true), integer(2, false), 1<<32 - 1, 0},
		{integer(8, false), integer(8, true), math.MaxUint64, math.MaxInt64},
		{integer(2, true), &ieeeSingle, 0xffff, uint64(math.Float32bits(-1))},
		{&ieeeDouble, integer(2, true), math.Float64bits(-2.9), 0xfffe},
		{&ieeeDouble, integer(1, false), math.Float64bits(300), 255},
		{&ieeeDouble, integer(4, true), math.Float64bits(math.NaN()), 0},
		{&ieeeDouble, &ieeeSingle, math.Float64bits(0.1), uint64(math.Float32bits(0.1))},
	} {
		var src, dst [8]byte
		binary.LittleEndian.PutUint64(src[:], c.in)
		numberConverter(c.to, c.from)(dst[:c.to.Size], src[:c.from.Size])
		if got := binary.LittleEndian.Uint64(dst[:]); got != c.want {
			t.Errorf("%#x of %d bytes to %d bytes: %#x, expected %#x", c.in, c.from.Size, c.to.Size, got, c.want)
		}
	}
	if numberConverter(&ieeeDouble, &Datatype{Class: Opaque, Size: 8}) != nil {
		t.Error("opaque data was taken for numbers")
	}
}
