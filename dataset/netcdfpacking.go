package dataset

import (
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// setScaling notes how the packed elements of the objects become values. v is shown as these values
// where they are floating-point numbers of the same type. With unpack, it is where the factors in
// the file are float32: attributes in JSON do not tell that, and clients would take them for
// float64.
func (v *Variable) setScaling(first *Object, unpack bool) {
	s, ok := first.Base.Scaling(first.DType)
	if !ok || v.Text != NotText || !first.DType.IsInteger() && !first.DType.IsFloat() {
		return
	}
	v.scaling = &s
	if unpack && s.Single || s.Float(first.DType) {
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
	switch {
	case v.single:
		return tgm.Float32
	case v.Unpack == nil:
		return v.DType
	}
	return v.unpackedType()
}

// unpackedType is the type that Unpack makes of elements.
func (v *Variable) unpackedType() tgm.DType {
	if v.Unpack.Single {
		return tgm.Float32
	}
	return tgm.Float64
}

// Packing are the attributes that make values of the elements of the objects, where Unpack is set.
func (v *Variable) Packing() []Attribute { return v.packing }

// netcdfAttrs returns the attributes of a variable as they describe the values shown. With each,
// every object has the attributes of its unpacked values.
func (v *Variable) netcdfAttrs(n *mapping.NetCDF, first *Object, each bool) []Attribute {
	unpacked := n.Packing != nil || v.Unpack != nil || each
	if v.Unpack != nil {
		v.packing = slices.DeleteFunc(sortedAttrs(n.Attributes, n.AttrTypes), func(a Attribute) bool {
			return !slices.Contains(mapping.PackingAttributes(), a.Key) || v.DType.IsFloat() && (a.Key == cf.AttrFillValue || a.Key == cf.AttrMissingValue)
		})
	}
	attrs := slices.DeleteFunc(sortedAttrs(n.Attributes, n.AttrTypes), func(a Attribute) bool { return applied(a.Key, unpacked, v) })
	if v.Text != NotText && !v.strings {
		v.fillText, _ = n.Attributes[cf.AttrFillValue].(string)
	}
	if missing := v.missingText(n); missing != nil {
		attrs = append(attrs, Attribute{cf.AttrMissingValue, missing})
	}
	if !unpacked {
		return attrs
	}
	valid := n.ValidRange(first.DType)
	attrs = slices.DeleteFunc(attrs, func(a Attribute) bool { return valid[a.Key] != nil })
	return append(attrs, sortedAttrs(valid, nil)...)
}

// FillText is the text that stands for missing elements of a variable of characters, "" if there is
// none. The file has it as an attribute _FillValue; strings have missing_value.
func (v *Variable) FillText() string { return v.fillText }

// missingText is the text, or list of texts, that stands for missing elements; nil if there is none.
// It is for clients that read UTF-8: they compare texts with it, as they do with the attributes of
// the file. The fill value of characters is a byte, which is compared with bytes only, and which an
// attribute of Zarr cannot be: see [Variable.FillText].
func (v *Variable) missingText(n *mapping.NetCDF) any {
	if v.Text != TextUTF8 {
		return nil
	}
	var texts []string
	for _, key := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
		text, ok := n.Attributes[key].(string)
		if ok && !slices.Contains(texts, text) && (v.strings || key == cf.AttrMissingValue) {
			texts = append(texts, text)
		}
	}
	switch len(texts) {
	case 0:
		return nil
	case 1:
		return texts[0]
	}
	return texts
}
