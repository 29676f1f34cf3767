package fromnetcdf

import (
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
)

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
		case a.Name == netcdf.UnsignedAttr:
			continue
		case describesElements[a.Name] && a.Type.Class == v.v.Type.Class:
			a = a.OtherSign()
		}
		list = append(list, a)
	}
	return list
}
