package netcdf

import "strings"

// UnsignedAttr is the attribute that says of integers that they are to be read as unsigned, or as
// signed. It is described in NetCDF Users Guide, appendix A.
const UnsignedAttr = "_Unsigned"

// otherSign are the integers of the same size with and without a sign.
var otherSign = map[Class]Class{
	Byte: UByte, Short: UShort, Int: UInt, Int64: UInt64,
	UByte: Byte, UShort: Short, UInt: Int, UInt64: Int64,
}

// MeantClass returns the class that integers are meant to have by the attributes of their variable.
// It reports whether this differs from c.
func MeantClass(c Class, attrs []Attr) (_ Class, flipped bool) {
	for i := range attrs {
		if attrs[i].Name != UnsignedAttr {
			continue
		}
		s, _ := attrs[i].Value.(string)
		if list, ok := attrs[i].Value.([]string); ok && len(list) == 1 {
			s = list[0]
		}
		unsigned := strings.EqualFold(s, "true")
		if unsigned && c.Signed() || strings.EqualFold(s, "false") && c.Unsigned() {
			return otherSign[c], true
		}
	}
	return c, false
}

// OtherSign returns an attribute of integers with the other sign, which are the numbers with the same
// bits.
func (a Attr) OtherSign() Attr {
	bits := 64 - 8*a.Type.Size
	switch list := a.Value.(type) {
	case []int64:
		unsigned := make([]uint64, len(list))
		for i, x := range list {
			unsigned[i] = uint64(x) << bits >> bits
		}
		a.Value = unsigned
	case []uint64:
		signed := make([]int64, len(list))
		for i, x := range list {
			signed[i] = int64(x<<bits) >> bits
		}
		a.Value = signed
	}
	other := otherSign[a.Type.Class]
	a.Type = &Type{Class: other, Name: other.String(), Size: a.Type.Size}
	return a
}
