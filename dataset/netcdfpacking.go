package dataset

import (
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// setScaling notes how the packed elements of the objects become values. With unpack, v is shown as
// these values where the factors in the file are float32: attributes in JSON do not tell that, and
// clients would take them for float64.
func (v *Variable) setScaling(first *Object, unpack bool) {
	s, ok := first.Base.Scaling(first.DType.Size())
	if !ok || v.Text != NotText || !first.DType.IsInteger() && !first.DType.IsFloat() {
		return
	}
	v.scaling = &s
	if unpack && s.Single && !v.short && first.DType.IsInteger() {
		v.Unpack = &s
	}
}

// unpacked makes values of elements; missing points become NaN.
func (v *Variable) unpacked(elements []float64) {
	if v.scaling == nil {
		return
	}
	for i, x := range elements {
		var ok bool
		if elements[i], ok = v.scaling.Value(x); !ok {
			elements[i] = math.NaN()
		}
	}
}

// Type returns the type of the values.
func (v *Variable) Type() tgm.DType {
	if v.Unpack != nil {
		return tgm.Float32
	}
	return v.DType
}

// netcdfAttrs are the attributes of a variable as they describe the values that are shown.
func (v *Variable) netcdfAttrs(n *mapping.NetCDF, first *Object) []Attribute {
	unpacked := n.Packing != nil || v.Unpack != nil
	attrs := slices.DeleteFunc(sortedAttrs(n.Attributes), func(a Attribute) bool { return applied(a.Key, unpacked, v) })
	if !unpacked {
		return attrs
	}
	valid := n.ValidRange(first.DType.Size())
	attrs = slices.DeleteFunc(attrs, func(a Attribute) bool { return valid[a.Key] != nil })
	return append(attrs, sortedAttrs(valid)...)
}
