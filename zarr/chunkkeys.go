package zarr

import (
	"strconv"
	"strings"
)

// keyForms are the chunk key encodings that there are. All clients read all of them.
var keyForms = [...]ChunkKeys{DefaultKeys, {"default", "."}, {"v2", "."}, {"v2", "/"}}

// KeyForms returns the chunk key encodings that give chunks of arrays with dims dimensions keys of
// their own. Clients read all of them.
func KeyForms(dims int) []ChunkKeys {
	switch dims {
	case 0:
		return []ChunkKeys{keyForms[0], keyForms[2]} // "c" and "0"
	case 1:
		return keyForms[:3]
	}
	return keyForms[:]
}

// Key returns the key of the chunk at a position of the chunk grid, below the array's path.
func (k ChunkKeys) Key(index []uint64) string {
	if len(index) == 0 {
		if k.Name == "v2" {
			return "0"
		}
		return "c"
	}
	var key []byte
	if k.Name == "default" {
		key = append(append(key, 'c'), k.Separator...)
	}
	for i, n := range index {
		if i > 0 {
			key = append(key, k.Separator...)
		}
		key = strconv.AppendUint(key, n, 10)
	}
	return string(key)
}

// Index reads the part of a key after the path of an array of any number of dimensions. There are
// none if the array has none, unless the key is "0", which may also be the first chunk along one
// dimension.
func (k ChunkKeys) Index(key string) (index []uint64, ok bool) {
	rest, more := key, true
	if k.Name == "default" {
		if rest, ok = strings.CutPrefix(key, "c"); !ok {
			return nil, false
		}
		if rest, more = strings.CutPrefix(rest, k.Separator); !more && rest != "" {
			return nil, false
		}
	}
	for more {
		var digits string
		digits, rest, more = strings.Cut(rest, k.Separator)
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || strconv.FormatUint(n, 10) != digits || len(index) == maxDimensions {
			return nil, false
		}
		index = append(index, n)
	}
	return index, true
}
