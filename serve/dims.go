package serve

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/mapping"
)

// A knownArray has the metadata from which the names of dimensions are found.
type knownArray struct {
	name     string // of the array
	original string // the object's own, which several objects may have
	shape    []uint64
	stated   []string // the names that the metadata give, or nil
	grid     string   // identifies the grid of a field; empty for other arrays
}

// newKnownArray takes the keys that decide the names of dimensions from an object's base entry. The rest is
// not kept, because there may be very many objects.
func newKnownArray(name, original string, base map[string]any, shape []uint64, extra map[string]any) (knownArray, error) {
	entry := mapping.Read(base)
	a := knownArray{name: name, original: original, shape: shape, stated: statedNames(entry, shape, extra)}
	if geometry := entry.Geometry(); geometry != nil {
		text, err := jsontext.Append(nil, geometry)
		if err != nil {
			return a, err
		}
		a.grid = strconv.FormatUint(xxh3.Hash(text), 16)
	}
	return a, nil
}

// statedNames are the dimension names that the metadata give for an array, or nil.
func statedNames(entry mapping.Entry, shape []uint64, extra map[string]any) []string {
	if dims := entry.Dims(len(shape)); dims != nil {
		return dims
	}
	return mapping.MessageDims(extra, shape)
}

// coordinateNames are the names, in lower case, by which the reference's xarray view knows a
// coordinate.
var coordinateNames = []string{"lat", "latitude", "lon", "longitude", "x", "y", "time", "level", "pressure", "height",
	"depth", "frequency", "step"}

// isCoordinate reports whether an array holds the positions along the dimension of its name.
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
