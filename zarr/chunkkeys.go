package zarr

import (
	"iter"
	"strconv"
	"strings"
)

// keyForms are the chunk key encodings that there are. All clients read all of them.
var keyForms = [...]ChunkKeys{defaultKeys, {"default", "."}, {"v2", "."}, {"v2", "/"}}

// formsOf are the first of keyForms, those that give the chunks of arrays of that number of dimensions
// keys of their own.
func formsOf(dims int) []ChunkKeys {
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

// parse reads the part of a key after the path of an array with dims dimensions: "c/0/12". It
// accepts what Key writes and nothing else, so that a chunk has one key.
func (k ChunkKeys) parse(key string, dims int) (index []uint64, ok bool) {
	if dims == 0 {
		return nil, key == k.Key(nil)
	}
	index, ok = k.numbers(key)
	return index, ok && len(index) == dims
}

// numbers reads the part of a key after the path of an array of any number of dimensions. There are
// none if the array has none, unless the key is "0", which is also that of the first chunk along one
// dimension.
func (k ChunkKeys) numbers(key string) (index []uint64, ok bool) {
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

// isChunkKey reports whether the part of a key after the path of an array is one of a chunk in any
// encoding.
func isChunkKey(key string) bool {
	for _, form := range keyForms {
		if _, ok := form.numbers(key); ok {
			return true
		}
	}
	return false
}

// splits yields the ways to split a key into the path of an array and the rest, which can be a key of
// a chunk, the longest path first. Longer rests are no keys of chunks.
func splits(key string) iter.Seq2[string, string] {
	return func(yield func(path, rest string) bool) {
		end := len(key)
		for range maxDimensions + 1 {
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
