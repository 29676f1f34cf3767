package netcdf

import "fmt"

// DefaultFill returns the value that the netCDF library reads where nothing was written to a
// variable of class c. It is an int64, uint64 or float64 (NC_FILL_* of netcdf.h). The result ok
// is false for classes without a default.
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

// otherFill returns the fill value of a dataset, little-endian, if nothing else says
// it. The value must be a number or character.
func (v *Var) otherFill(fill []byte) []byte {
	if v.Type == nil || !v.Type.Class.Numeric() && v.Type.Class != Char || len(fill) != v.Type.Size {
		return nil
	}
	value := fmt.Sprint(attrValue(v.Type.Class, fill)) // NaN equals NaN
	if v.Type.Class == Char {
		value = string(fill)
	}
	implied, _ := DefaultFill(v.Type.Class)
	said := fmt.Sprint([]any{implied})
	if v.Type.Class == Char {
		said = "\x00"
	}
	for i := range v.Attrs {
		if a := &v.Attrs[i]; a.Name == "_FillValue" && a.Type != nil && a.Type.Class == v.Type.Class {
			said = fmt.Sprint(a.Value)
		}
	}
	if value == said {
		return nil
	}
	return fill
}
