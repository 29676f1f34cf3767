package serve

import (
	"github.com/tgmconv/tgmconv/zarr"
	"iter"
	"strconv"
	"strings"
)

// parseKey reads the part of a key after the path of an array with dims dimensions: "c/0/12". It accepts the
// keys that Key writes and no others, so that a chunk has one key.
func parseKey(k zarr.ChunkKeys, key string, dims int) (index []uint64, ok bool) {
	if dims == 0 {
		return nil, key == k.Key(nil)
	}
	index, ok = k.Index(key)
	return index, ok && len(index) == dims
}

// isChunkKey reports whether the key after the path of an array is of a chunk in any encoding.
func isChunkKey(key string) bool {
	for _, form := range zarr.KeyForms(2) {
		if _, ok := form.Index(key); ok {
			return true
		}
	}
	return false
}

// maxPathParts is the greatest number of parts in a chunk key: the encoding, and one for each dimension.
const maxPathParts = 65

// splits yields the ways to split a key into the path of an array and the key of a chunk. The longest
// path comes first. Longer rests than it yields are no keys of chunks.
func splits(key string) iter.Seq2[string, string] {
	return func(yield func(path, rest string) bool) {
		end := len(key)
		for range maxPathParts {
			if end = strings.LastIndexByte(key[:end], '/'); end < 0 {
				yield("", key)
				return
			}
			if !yield(key[:end], key[end+1:]) {
				return
			}
		}
	}
}

// splitChunkKey splits a key of the default encoding such as "0/2t/c/0/1" into the path of an array
// and the rest. Arrays may be called "c" and groups by numbers, so the path ends before the last
// segment "c" that is followed by numbers only.
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
