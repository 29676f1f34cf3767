package netcdf

// DefaultFill returns the value that the netCDF library reads where nothing was written to a
// variable of class c: int64, uint64 or float64 (NC_FILL_* of netcdf.h). ok is false for classes
// without one.
func DefaultFill(c Class) (value any, ok bool) {
	switch c {
	case Byte:
		return int64(-127), true
	case Char:
		return int64(0), true
	case Short:
		return int64(-32767), true
	case Int:
		return int64(-2147483647), true
	case Float, Double:
		return 9.9692099683868690e+36, true
	case UByte:
		return uint64(255), true
	case UShort:
		return uint64(65535), true
	case UInt:
		return uint64(4294967295), true
	case Int64:
		return int64(-9223372036854775806), true
	case UInt64:
		return uint64(18446744073709551614), true
	}
	return nil, false
}
