package fromzarr

import (
	"path"
	"slices"

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
