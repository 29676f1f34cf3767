package zarr

import (
	"strconv"
	"strings"
)

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

// parseChunkKey reads the part of a key after the path of an array whose chunk keys are of the
// default encoding with separator "/": "c/0/12". It accepts what Key writes and nothing else, so
// that a chunk has one key.
func parseChunkKey(key string) (index []uint64, ok bool) {
	first, rest, more := strings.Cut(key, "/")
	if first != "c" {
		return nil, false
	}
	for more {
		var digits string
		digits, rest, more = strings.Cut(rest, "/")
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || strconv.FormatUint(n, 10) != digits || len(index) == maxDimensions {
			return nil, false
		}
		index = append(index, n)
	}
	return index, true
}

// splitChunkKey splits a key such as "0/2t/c/0/1" into the path of an array and the part that
// parseChunkKey reads. Arrays may be called "c" and groups by numbers, so the path ends before the
// last segment "c" that is followed by numbers only.
func splitChunkKey(key string) (path, chunk string, ok bool) {
	end := len(key)
	for end > 0 {
		start := strings.LastIndexByte(key[:end], '/') + 1
		segment := key[start:end]
		if segment == "c" {
			if start == 0 {
				return "", key, true
			}
			return key[:start-1], key[start:], true
		}
		if _, err := strconv.ParseUint(segment, 10, 63); err != nil || start == 0 {
			return "", "", false
		}
		end = start - 1
	}
	return "", "", false
}
