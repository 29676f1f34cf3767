package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// An Unpacking makes values of packed numbers, in memory of their own. Each object of a variable of
// several netCDF files may have one.
type Unpacking struct {
	// Scaling turns elements into values.
	Scaling mapping.Scaling
	// To is the type of the values: Float32 or Float64.
	To tgm.DType
}

// Values returns the values of the elements of an array; missing points are NaN.
func (u *Unpacking) Values(a *tgm.Array) (*tgm.Array, error) {
	number, size := a.DType.Number(), a.DType.Size()
	if number == nil || size == 0 {
		return nil, fmt.Errorf("elements of type %s, expected numbers", a.DType)
	}
	meaning := u.value()
	data := make([]byte, 0, len(a.Data)/size*u.To.Size())
	for rest := a.Data; len(rest) >= size; rest = rest[size:] {
		value, ok := meaning(number(rest))
		if !ok {
			value = math.NaN()
		}
		if u.To == tgm.Float32 {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(value)))
		} else {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(value))
		}
	}
	return &tgm.Array{Shape: slices.Clone(a.Shape), DType: u.To, Data: data}, nil
}

// value returns the function that gives the meaning of a number, false for a missing point.
func (u *Unpacking) value() func(float64) (float64, bool) {
	if !isPlain(&u.Scaling) {
		return u.Scaling.Value
	}
	return func(x float64) (float64, bool) { // adding 0 would change -0
		_, ok := u.Scaling.Value(x)
		return x, ok
	}
}

// isPlain reports whether numbers are the values, but for missing ones.
func isPlain(s *mapping.Scaling) bool { return s.Scale == 1 && s.Offset == 0 }

// unpackable returns how the elements of an object become values that can be joined with other objects'
// values. The object belongs to a variable along the records. It returns false if they cannot. It follows
// xarray: values of up to 16 bits, and values with factors in float32, are float32.
func unpackable(o *Object) (s mapping.Scaling, ok bool) {
	n, isNetCDF := o.Base.NetCDF()
	if !isNetCDF || !o.alongRecords() || isLabel(o) || isText(o) || slices.Contains(o.Shape, 0) || n.Attributes["_Unsigned"] != nil {
		return s, false
	}
	switch o.DType {
	case tgm.Int8, tgm.Uint8, tgm.Int16, tgm.Uint16, tgm.Int32, tgm.Uint32, tgm.Float32, tgm.Float64:
	default:
		return s, false // 64 bits are more than a value can have
	}
	if s, ok := o.Base.Scaling(o.DType); ok {
		return s, true
	}
	for _, key := range []string{cf.AttrScaleFactor, cf.AttrAddOffset, cf.AttrFillValue, cf.AttrMissingValue} {
		if _, isNumber := mapping.Float(n.Attributes[key]); n.Attributes[key] != nil && !isNumber {
			return s, false
		}
	}
	return mapping.Scaling{Scale: 1, Single: o.DType.Size() <= 2 || o.DType == tgm.Float32, Missing: missingNumbers(o)}, true
}

// sameMeaning reports whether two files have the same variable, packed in other ways or of another type. It
// can then be shown as values.
func sameMeaning(first, o *Object) bool {
	a, ok := unpackable(first)
	if !ok {
		return false
	}
	b, ok := unpackable(o)
	if !ok || !sameAttributes(first, o, []string{cf.AttrUnits, cf.AttrCalendar}) {
		return false
	}
	integers := func(o *Object, s mapping.Scaling) bool {
		return o.DType.IsInteger() && isPlain(&s) && len(s.Missing) == 0
	}
	return !integers(first, a) || !integers(o, b) // these stay integers
}

// unpackEach makes v the values of objects; each is unpacked as its own attributes say.
func (v *Variable) unpackEach(objects []Object) {
	v.DType = tgm.Float32
	for i := range objects {
		o := &objects[i]
		s, _ := unpackable(o) // joinable has seen that it is
		o.unpack = &Unpacking{Scaling: s}
		if !s.Single {
			v.DType = tgm.Float64
		}
	}
	for i := range objects {
		o := &objects[i]
		if o.unpack.To = v.DType; o.DType == v.DType && isPlain(&o.unpack.Scaling) && len(o.unpack.Scaling.Missing) == 0 {
			o.unpack = nil // the elements are the values
		}
	}
}
