package zarr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A knownArray is what the names of dimensions are found from.
type knownArray struct {
	name  string
	base  map[string]any // at least its dimensionKeys
	shape []uint64
}

// dimensionKeys is what of a base entry has a say in the names of dimensions. There may be very many arrays, so the rest is
// not kept.
func dimensionKeys(base map[string]any) map[string]any {
	keys := make(map[string]any)
	for _, key := range []string{"dim_names", "record_index"} {
		if value, ok := base[key]; ok {
			keys[key] = value
		}
	}
	if netcdf, ok := base["netcdf"].(map[string]any); ok {
		keys["netcdf"] = map[string]any{"_dims": netcdf["_dims"]}
	}
	if len(keys) == 0 {
		return nil
	}
	return keys
}

// dimensionNames finds a name for every dimension of the arrays of a group; the rules are those of [MessageView].
func dimensionNames(arrays []knownArray, extra map[string]any) [][]string {
	coordinates := coordinatesByLength(arrays)
	names := newDimensionSizes()
	all := make([][]string, len(arrays))
	for i, a := range arrays {
		dims := statedNames(a, extra)
		if dims == nil {
			dims = guessedNames(a, coordinates)
		}
		for axis, name := range dims {
			dims[axis] = names.name(name, a.shape[axis])
		}
		all[i] = dims
	}
	return all
}

// statedNames are the dimension names that the metadata give for an array, or nil.
func statedNames(a knownArray, extra map[string]any) []string {
	if dims := textList(a.base["dim_names"], len(a.shape)); dims != nil {
		return dims
	}
	if dims := netcdfDims(a); dims != nil {
		return dims
	}
	if dims := textList(extra["dim_names"], len(a.shape)); dims != nil {
		return dims
	}
	if bySize, ok := extra["dim_names"].(map[string]any); ok {
		dims := make([]string, len(a.shape))
		for axis, n := range a.shape {
			dims[axis], _ = bySize[strconv.FormatUint(n, 10)].(string)
		}
		if !slices.Contains(dims, "") {
			return dims
		}
	}
	return nil
}

// netcdfDims are the dimensions of a netCDF variable. A record that was split off has lost its first one.
func netcdfDims(a knownArray) []string {
	netcdf, _ := a.base["netcdf"].(map[string]any)
	if dims := textList(netcdf["_dims"], len(a.shape)); dims != nil {
		return dims
	}
	if _, record := a.base["record_index"]; !record {
		return nil
	}
	if dims := textList(netcdf["_dims"], len(a.shape)+1); dims != nil {
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

// coordinateNames are the names, in lower case, by which the reference's xarray view knows a coordinate.
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

// dimensionSizes keeps one length for each name, as xarray asks of the arrays of a group.
type dimensionSizes struct {
	lengths map[string]uint64    // of every name handed out
	names   map[sizedName]string // what was handed out for a name and a length
	count   map[string]int       // how many names were handed out in the place of one
}

type sizedName struct {
	wanted string
	length uint64
}

func newDimensionSizes() *dimensionSizes {
	return &dimensionSizes{make(map[string]uint64), make(map[sizedName]string), make(map[string]int)}
}

// name is wanted if its length is n, else the first of wanted_1, wanted_2, … whose is.
func (s *dimensionSizes) name(wanted string, n uint64) string {
	if name, known := s.names[sizedName{wanted, n}]; known {
		return name
	}
	name := wanted
	for {
		if length, known := s.lengths[name]; !known || length == n {
			break
		}
		s.count[wanted]++
		name = fmt.Sprintf("%s_%d", wanted, s.count[wanted])
	}
	s.lengths[name] = n
	s.names[sizedName{wanted, n}] = name
	return name
}
