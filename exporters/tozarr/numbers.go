package tozarr

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/tgmconv/tgmconv/zarr"
)

// extremes are the least and the greatest of little-endian elements that are numbers, nil if there
// is none. They are exact, also integers of 64 bits.
func extremes(t zarr.DataType, data []byte) (least, greatest *big.Float) {
	size := t.Size()
	for ; size > 0 && len(data) >= size; data = data[size:] {
		n := number(t, data)
		if n == nil {
			continue
		}
		if least == nil || n.Cmp(least) < 0 {
			least = n
		}
		if greatest == nil || n.Cmp(greatest) > 0 {
			greatest = n
		}
	}
	return least, greatest
}

// number is the first of little-endian elements of a type, nil if it is not a number.
func number(t zarr.DataType, b []byte) *big.Float {
	switch t {
	case zarr.Int8:
		return whole(int64(int8(b[0])))
	case zarr.Int16:
		return whole(int64(int16(binary.LittleEndian.Uint16(b))))
	case zarr.Int32:
		return whole(int64(int32(binary.LittleEndian.Uint32(b))))
	case zarr.Int64:
		return whole(int64(binary.LittleEndian.Uint64(b)))
	case zarr.Uint8:
		return whole(int64(b[0]))
	case zarr.Uint16:
		return whole(int64(binary.LittleEndian.Uint16(b)))
	case zarr.Uint32:
		return whole(int64(binary.LittleEndian.Uint32(b)))
	case zarr.Uint64:
		return new(big.Float).SetUint64(binary.LittleEndian.Uint64(b))
	case zarr.Float32:
		return real64(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case zarr.Float64:
		return real64(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return nil
}

func whole(n int64) *big.Float { return new(big.Float).SetInt64(n) }

func real64(f float64) *big.Float {
	if math.IsNaN(f) {
		return nil
	}
	return new(big.Float).SetFloat64(f)
}
