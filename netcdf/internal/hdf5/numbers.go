package hdf5

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// numberConverter returns the function that stores numbers of one native type as numbers of
// another. It converts as the HDF5 library does: integers and floating-point numbers beyond the
// range of an integer type become its nearest number. It returns nil when one of the types is no
// number, and for numbers that would have to be rounded to half precision.
func numberConverter(to, from *Datatype) func(dst, src []byte) {
	number := func(t *Datatype) bool { return t.Class == Integer || t.Class == Float }
	if !number(to) || !number(from) || to.Size == 2 && to.Class == Float {
		return nil
	}
	return func(dst, src []byte) {
		switch {
		case from.Class == Float:
			storeNumbers(dst, to, wire.Floats(src, from.Size), func(f float64) int64 {
				return int64(max(math.MinInt64, min(f, math.MaxInt64-1023)))
			}, func(f float64) uint64 { return uint64(max(0, min(f, math.MaxUint64-2047))) })
		case from.Signed:
			storeNumbers(dst, to, wire.Ints(src, from.Size), func(i int64) int64 { return i },
				func(i int64) uint64 { return uint64(max(i, 0)) })
		default:
			storeNumbers(dst, to, wire.Uints(src, from.Size), func(u uint64) int64 { return int64(min(u, math.MaxInt64)) },
				func(u uint64) uint64 { return u })
		}
	}
}

func storeNumbers[T int64 | uint64 | float64](dst []byte, to *Datatype, list []T, signed func(T) int64, unsigned func(T) uint64) {
	bits := 8 * to.Size
	for i, x := range list {
		var u uint64
		switch {
		case to.Class == Float && to.Size == 4:
			u = uint64(math.Float32bits(float32(x)))
		case to.Class == Float:
			u = math.Float64bits(float64(x))
		case x != x:
			u = 0
		case to.Signed:
			limit := int64(1)<<(bits-1) - 1
			u = uint64(max(-limit-1, min(signed(x), limit)))
		default:
			u = min(unsigned(x), ^uint64(0)>>(64-bits))
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], u)
		copy(dst[i*to.Size:(i+1)*to.Size], b[:])
	}
}
