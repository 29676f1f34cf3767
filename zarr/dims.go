package zarr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// A knownArray is what the names of dimensions are found from.
type knownArray struct {
	name     string // of the array
	original string // the object's own, which several objects may have
	shape    []uint64
	stated   []string // the names that the metadata give, or nil
	grid     string   // tells the grids of fields apart; empty for what is no field on a grid
}

// newKnownArray takes from an object's base entry what has a say in the names of dimensions: there
// may be very many objects, so the rest is not kept.
func newKnownArray(name, original string, base map[string]any, shape []uint64, extra map[string]any) (knownArray, error) {
	a := knownArray{name: name, original: original, shape: shape, stated: statedNames(base, shape, extra)}
	if geometry, ok := base["geometry"].(map[string]any); ok {
		text, err := AppendJSON(nil, geometry)
		if err != nil {
			return a, err
		}
		a.grid = strconv.FormatUint(xxh3.Hash(text), 16)
	}
	return a, nil
}

// statedNames are the dimension names that the metadata give for an array, or nil.
func statedNames(base map[string]any, shape []uint64, extra map[string]any) []string {
	if dims := textList(base["dim_names"], len(shape)); dims != nil {
		return dims
	}
	if dims := netcdfDims(base, len(shape)); dims != nil {
		return dims
	}
	if dims := textList(extra["dim_names"], len(shape)); dims != nil {
		return dims
	}
	if bySize, ok := extra["dim_names"].(map[string]any); ok {
		dims := make([]string, len(shape))
		for axis, n := range shape {
			dims[axis], _ = bySize[strconv.FormatUint(n, 10)].(string)
		}
		if !slices.Contains(dims, "") {
			return dims
		}
	}
	return nil
}

// netcdfDims are the dimensions of a netCDF variable. A record that was split off has lost its
// first one.
func netcdfDims(base map[string]any, n int) []string {
	netcdf, _ := base["netcdf"].(map[string]any)
	if dims := textList(netcdf["_dims"], n); dims != nil {
		return dims
	}
	if _, record := base["record_index"]; !record {
		return nil
	}
	if dims := textList(netcdf["_dims"], n+1); dims != nil {
		return dims[1:]
	}
	return nil
}

// textList is a list of n texts, none of them empty, or nil if v is something else.
func textList(v any, n int) []string {
	var texts []string
	switch v := v.(type) {
	case []string:
		texts = slices.Clone(v)
	case []any:
		for _, e := range v {
			text, _ := e.(string)
			texts = append(texts, text)
		}
	default:
		return nil
	}
	if len(texts) != n || slices.Contains(texts, "") {
		return nil
	}
	if texts == nil {
		return []string{}
	}
	return texts
}

// coordinateNames are the names, in lower case, by which the reference's xarray view knows a
// coordinate.
var coordinateNames = []string{"lat", "latitude", "lon", "longitude", "x", "y", "time", "level", "pressure", "height",
	"depth", "frequency", "step"}

// isCoordinate reports whether an array gives the positions along the dimension of its name.
func isCoordinate(a knownArray) bool {
	return len(a.shape) == 1 && slices.Contains(coordinateNames, strings.ToLower(a.name))
}

// coordinatesByLength finds the coordinate that alone has a length; "" stands for several.
func coordinatesByLength(arrays []knownArray) map[uint64]string {
	byLength := make(map[uint64]string)
	for _, a := range arrays {
		if !isCoordinate(a) {
			continue
		}
		if _, known := byLength[a.shape[0]]; known {
			byLength[a.shape[0]] = ""
			continue
		}
		byLength[a.shape[0]] = a.name
	}
	return byLength
}

// guessedNames are the names for an array whose metadata give none.
func guessedNames(a knownArray, coordinates map[uint64]string) []string {
	dims := make([]string, len(a.shape))
	if isCoordinate(a) {
		dims[0] = a.name
		return dims
	}
	for axis, n := range a.shape {
		name := coordinates[n]
		if name == "" || slices.Contains(dims, name) {
			name = fmt.Sprintf("dim_%d", axis)
		}
		dims[axis] = name
	}
	return dims
}
