package netcdf

import "math"

func floatBits(c Class, f float64) uint64 {
	if c == Float {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}
