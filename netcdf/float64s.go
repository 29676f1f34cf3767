package netcdf

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/half"
)

// Float64s reads the values of a numeric variable: unpacked, and NaN at missing points. The box
// is given by start and count as in Read.
//
// The attributes scale_factor, add_offset, _FillValue, missing_value and _Unsigned have the
// meaning that the netCDF user guide and CF give them. Integers beyond 2^53 are rounded.
func (v *Var) Float64s(ctx context.Context, start, count []uint64) ([]float64, error) {
	if err := v.NoTensor(); err != nil {
		return nil, err
	}
	if err := v.CheckRead(start, count); err != nil {
		return nil, err
	}
	_, _, n, err := v.slab(start, count)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, n*uint64(v.Type.Size))
	if err := v.Read(ctx, raw, start, count); err != nil {
		return nil, err
	}
	class := v.Type.Class
	if class == Enum {
		class = v.Type.Base.Class
	}
	class, flipped := MeantClass(class, v.Attrs)
	number := numberOf(class)
	if number == nil {
		return nil, fmt.Errorf("variable %s: type %s has no values of float64", v.Path, v.Type.Describe())
	}
	scale, packed := v.attrFloat("scale_factor", 1)
	offset, moved := v.attrFloat("add_offset", 0)
	missing := v.missingValues(class, flipped)
	values := make([]float64, n)
	for i := range values {
		x := number(raw[i*v.Type.Size:])
		switch {
		case slices.Contains(missing, x):
			x = math.NaN()
		case packed || moved:
			x = float64(x*scale) + offset
		}
		values[i] = x
	}
	return values, nil
}

// numberOf returns a function that reads a little-endian number of a class, nil for other classes.
func numberOf(c Class) func([]byte) float64 {
	le := binary.LittleEndian
	switch c {
	case Byte:
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case UByte:
		return func(b []byte) float64 { return float64(b[0]) }
	case Short:
		return func(b []byte) float64 { return float64(int16(le.Uint16(b))) }
	case UShort:
		return func(b []byte) float64 { return float64(le.Uint16(b)) }
	case Int:
		return func(b []byte) float64 { return float64(int32(le.Uint32(b))) }
	case UInt:
		return func(b []byte) float64 { return float64(le.Uint32(b)) }
	case Int64:
		return func(b []byte) float64 { return float64(int64(le.Uint64(b))) }
	case UInt64:
		return func(b []byte) float64 { return float64(le.Uint64(b)) }
	case Half:
		return func(b []byte) float64 { return half.Float64(le.Uint16(b)) }
	case Float:
		return func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }
	case Double:
		return func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }
	}
	return nil
}

// attrFloat is the single number of an attribute, else the number other.
func (v *Var) attrFloat(name string, other float64) (x float64, ok bool) {
	a := v.Attr(name)
	if a == nil {
		return other, false
	}
	list := floatsOf(a.Value)
	if len(list) != 1 {
		return other, false
	}
	return list[0], true
}

// missingValues are the numbers of a class that mean a missing point. Where elements are flipped to the
// other sign than in the file, attributes of their type are flipped too.
func (v *Var) missingValues(c Class, flipped bool) (list []float64) {
	for _, name := range []string{"_FillValue", "missing_value"} {
		a := v.Attr(name)
		if a == nil {
			continue
		}
		value := a.Value
		if flipped && a.Type.Class == v.Type.Class {
			value = a.OtherSign().Value
		}
		for _, x := range floatsOf(value) {
			if c == Float {
				x = float64(float32(x))
			}
			list = append(list, x)
		}
	}
	return list
}

// floatsOf are the numbers of the value of an attribute.
func floatsOf(value any) (list []float64) {
	switch value := value.(type) {
	case []int64:
		for _, x := range value {
			list = append(list, float64(x))
		}
	case []uint64:
		for _, x := range value {
			list = append(list, float64(x))
		}
	case []float64:
		return value
	}
	return list
}
