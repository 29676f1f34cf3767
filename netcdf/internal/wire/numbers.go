package wire

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/internal/half"
)

// Ints returns little-endian signed integers of size 1, 2, 4 or 8 bytes.
func Ints(raw []byte, size int) []int64 {
	list := make([]int64, len(raw)/size)
	for i := range list {
		switch b := raw[i*size:]; size {
		case 1:
			list[i] = int64(int8(b[0]))
		case 2:
			list[i] = int64(int16(binary.LittleEndian.Uint16(b)))
		case 4:
			list[i] = int64(int32(binary.LittleEndian.Uint32(b)))
		default:
			list[i] = int64(binary.LittleEndian.Uint64(b))
		}
	}
	return list
}

// Uints returns little-endian unsigned integers of size 1, 2, 4 or 8 bytes.
func Uints(raw []byte, size int) []uint64 {
	list := make([]uint64, len(raw)/size)
	for i := range list {
		switch b := raw[i*size:]; size {
		case 1:
			list[i] = uint64(b[0])
		case 2:
			list[i] = uint64(binary.LittleEndian.Uint16(b))
		case 4:
			list[i] = uint64(binary.LittleEndian.Uint32(b))
		default:
			list[i] = binary.LittleEndian.Uint64(b)
		}
	}
	return list
}

// Floats returns little-endian IEEE 754 numbers of size 2, 4 or 8 bytes.
func Floats(raw []byte, size int) []float64 {
	list := make([]float64, len(raw)/size)
	for i := range list {
		switch b := raw[i*size:]; size {
		case 2:
			list[i] = half.Float64(binary.LittleEndian.Uint16(b))
		case 4:
			list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		default:
			list[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	}
	return list
}
