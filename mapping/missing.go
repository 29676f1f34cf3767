package mapping

import (
	"math"
	"strconv"
	"strings"
)

// MissingIntegers returns the integers that mean a missing point of an object whose elements are
// integers. They are the attributes _FillValue and missing_value of a netCDF variable or a .tet
// dataset. Negative numbers are the bits of an int64.
func (e Entry) MissingIntegers() []uint64 {
	attributes := e.Namespace(KeyTet)
	if n, ok := e.NetCDF(); ok {
		attributes = n.Attributes
	}
	var found []uint64
	for _, name := range []string{"_FillValue", "missing_value"} {
		switch v := attributes[name].(type) {
		case []any:
			for _, x := range v {
				found = appendInteger(found, x)
			}
		case []int64:
			for _, x := range v {
				found = append(found, uint64(x))
			}
		case []uint64:
			found = append(found, v...)
		default:
			found = appendInteger(found, v)
		}
	}
	return found
}

// appendInteger appends v if it is a whole number or its text.
func appendInteger(list []uint64, v any) []uint64 {
	switch x := v.(type) {
	case int64:
		return append(list, uint64(x))
	case uint64:
		return append(list, x)
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<63 {
			return append(list, uint64(int64(x)))
		}
	case string:
		text := strings.TrimSpace(x)
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return append(list, uint64(i))
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return append(list, u)
		}
	}
	return list
}
