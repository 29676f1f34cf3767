package fromnetcdf

import (
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
)

// unsignedAttr says of integers that they are to be read as unsigned, or as signed ones (NetCDF
// Users Guide, appendix A).
const unsignedAttr = "_Unsigned"

// otherSign are the integers of the same size with and without a sign.
var otherSign = map[netcdf.Class]netcdf.Class{
	netcdf.Byte: netcdf.UByte, netcdf.Short: netcdf.UShort, netcdf.Int: netcdf.UInt, netcdf.Int64: netcdf.UInt64,
	netcdf.UByte: netcdf.Byte, netcdf.UShort: netcdf.Short, netcdf.UInt: netcdf.Int, netcdf.UInt64: netcdf.Int64,
}

// meantClass is the class that integers of a class are meant to have, and whether it is another
// one.
func meantClass(c netcdf.Class, attrs []netcdf.Attr) (_ netcdf.Class, flipped bool) {
	for i := range attrs {
		if attrs[i].Name != unsignedAttr {
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

// describesElements are the attributes whose values are elements.
var describesElements = map[string]bool{
	cf.AttrFillValue: true, cf.AttrMissingValue: true, "valid_min": true, "valid_max": true, "valid_range": true,
	"flag_values": true, "flag_masks": true,
}

// described returns the attributes as they describe the elements: where these have another sign
// than in the file, so have the values of attributes of the same type, and _Unsigned is used up.
func (v *variable) described() []netcdf.Attr {
	if !v.kind.flipped {
		return v.attrs
	}
	list := make([]netcdf.Attr, 0, len(v.attrs))
	for _, a := range v.attrs {
		switch {
		case a.Name == unsignedAttr:
			continue
		case describesElements[a.Name] && a.Type.Class == v.v.Type.Class:
			a = flip(a)
		}
		list = append(list, a)
	}
	return list
}

// flip gives the integers of an attribute the other sign.
func flip(a netcdf.Attr) netcdf.Attr {
	bits := 64 - 8*a.Type.Size
	switch list := a.Value.(type) {
	case []int64:
		a.Value = collect(list, func(x int64) uint64 { return uint64(x) << bits >> bits })
	case []uint64:
		a.Value = collect(list, func(x uint64) int64 { return int64(x<<bits) >> bits })
	}
	a.Type = &netcdf.Type{Class: otherSign[a.Type.Class], Name: otherSign[a.Type.Class].String(), Size: a.Type.Size}
	return a
}
