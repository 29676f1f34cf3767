package fromzarr

import (
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// nczarrAttr is the attribute in which the netCDF library describes an array. Before 4.9.3 it did so in the
// document .zarray, and with other words.
//
//	{"dimension_references": ["/group/x"], "storage": "chunked"}
//	{"dimrefs": [], "storage": "scalar"}
const nczarrAttr = "_nczarr_array"

// nczarrOf is the netCDF library's description of an array, nil if it did not write it.
func nczarrOf(meta *zarr.ArrayMetadata) map[string]any {
	described, _ := meta.Attributes[nczarrAttr].(map[string]any)
	return described
}

// dimensionsOfNCZarr are the names of the dimensions of an array that the netCDF library wrote. It gives
// them with the groups that they are in. Other programs see them only in the root group.
func dimensionsOfNCZarr(meta *zarr.ArrayMetadata) (names []string) {
	described := nczarrOf(meta)
	for _, key := range []string{"dimension_references", "dimrefs"} {
		list, _ := described[key].([]any)
		for _, v := range list {
			name, ok := v.(string)
			if !ok {
				return nil
			}
			names = append(names, path.Base(name))
		}
	}
	return names
}

// isScalar reports whether an array of one element, whose dimension has no name, is a scalar of the netCDF library.
func isScalar(meta *zarr.ArrayMetadata) bool {
	return nczarrOf(meta)["storage"] == "scalar" && slices.Equal(meta.Shape, []uint64{1}) && meta.DimensionNames == nil
}

// typeInNCZarr is the type of an attribute of numbers, which the netCDF library writes beside the others. It is nil
// without a type, or for a text.
//
//	{"_nczarr_attr": {"types": {"scale_factor": "<f4"}}}
func typeInNCZarr(attributes map[string]any, name string) *netcdf.Type {
	for _, key := range []string{"_nczarr_attr", "_NCZARR_ATTR"} {
		described, _ := attributes[key].(map[string]any)
		types, _ := described["types"].(map[string]any)
		written, _ := types[name].(string)
		if class, ok := classOfNumPy[strings.TrimLeft(written, "<>|")]; ok {
			return netcdf.NewType(class)
		}
	}
	return nil
}

// classOfNumPy are the classes of netCDF of types as NumPy writes them, without the byte order.
var classOfNumPy = map[string]netcdf.Class{
	"i1": netcdf.Byte, "i2": netcdf.Short, "i4": netcdf.Int, "i8": netcdf.Int64,
	"u1": netcdf.UByte, "u2": netcdf.UShort, "u4": netcdf.UInt, "u8": netcdf.UInt64,
	"f4": netcdf.Float, "f8": netcdf.Double,
}
