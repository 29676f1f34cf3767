package fromnetcdf

import (
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
)

// assumeMissing adds numbers to the attribute missing_value of the variables of a file. Variables that cannot have
// such an element stay unchanged, and so do coordinates along their own dimension.
func assumeMissing(nc *netcdf.File, numbers []float64) {
	var walk func(g *netcdf.Group)
	walk = func(g *netcdf.Group) {
		for _, v := range g.Vars {
			if len(v.Dims) != 1 || v.Dims[0].Name != v.Name {
				v.Attrs = withMissing(v, numbers)
			}
		}
		for _, sub := range g.Groups {
			walk(sub)
		}
	}
	if len(numbers) > 0 {
		walk(nc.Root())
	}
}

// withMissing returns the attributes of a variable with numbers among its missing_value.
func withMissing(v *netcdf.Var, numbers []float64) []netcdf.Attr {
	a := netcdf.Attr{Name: cf.AttrMissingValue, Type: v.Type}
	old := findAttr(v.Attrs, a.Name)
	switch v.Type.Class {
	case netcdf.Byte, netcdf.Short, netcdf.Int, netcdf.Int64:
		list, _ := valueOf[int64](old)
		bits := 8*v.Type.Size - 1
		for _, x := range numbers {
			if x == math.Trunc(x) && x >= -math.Ldexp(1, bits) && x < math.Ldexp(1, bits) {
				list = append(list, int64(x))
			}
		}
		a.Value = list
	case netcdf.UByte, netcdf.UShort, netcdf.UInt, netcdf.UInt64:
		list, _ := valueOf[uint64](old)
		for _, x := range numbers {
			if x == math.Trunc(x) && x >= 0 && x < math.Ldexp(1, 8*v.Type.Size) {
				list = append(list, uint64(x))
			}
		}
		a.Value = list
	case netcdf.Float, netcdf.Double:
		list, _ := valueOf[float64](old)
		for _, x := range numbers {
			if v.Type.Class == netcdf.Float {
				x = float64(float32(x))
			}
			list = append(list, x)
		}
		a.Value = list
	default:
		return v.Attrs
	}
	if noNumbers(a.Value) || old != nil && old.Value != nil && !sameKind(old.Value, a.Value) {
		return v.Attrs
	}
	attrs := slices.DeleteFunc(slices.Clone(v.Attrs), func(b netcdf.Attr) bool { return b.Name == a.Name })
	return append(attrs, a)
}

// valueOf returns a copy of the numbers of an attribute, none without one.
func valueOf[T any](a *netcdf.Attr) ([]T, bool) {
	if a == nil {
		return nil, true
	}
	list, ok := a.Value.([]T)
	return slices.Clone(list), ok
}

func noNumbers(v any) bool {
	switch list := v.(type) {
	case []int64:
		return len(list) == 0
	case []uint64:
		return len(list) == 0
	case []float64:
		return len(list) == 0
	}
	return true
}

// sameKind reports whether two values of attributes are lists of one type.
func sameKind(a, b any) bool {
	switch a.(type) {
	case []int64:
		_, ok := b.([]int64)
		return ok
	case []uint64:
		_, ok := b.([]uint64)
		return ok
	case []float64:
		_, ok := b.([]float64)
		return ok
	}
	return false
}
