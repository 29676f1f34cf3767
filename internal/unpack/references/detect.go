package references

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// IsJSON reports whether a file that begins with head has references in JSON: its first member is one of
// kerchunk's documents, or the document or a chunk of an array.
func IsJSON(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	name, err := d.Token()
	key, ok := name.(string)
	if err != nil || !ok {
		return false
	}
	value, err := d.Token() // of an object or a list that it begins
	cut := err != nil       // the head ends in it
	isText := cut || isString(value)
	switch key {
	case "version":
		number, ok := value.(float64)
		next, err := d.Token()
		return ok && (number == 0 || number == 1) && err == nil && isOneOf(next, "refs", "templates", "gen")
	case "refs":
		if value != json.Delim('{') {
			return false
		}
		first, err := d.Token()
		inner, ok := first.(string)
		return err == nil && ok && isKey(inner)
	case "templates":
		return value == json.Delim('{') && (bytes.Contains(head, []byte(`"refs"`)) || bytes.Contains(head, []byte(`"gen"`)))
	case "gen":
		return value == json.Delim('[') && bytes.Contains(head, []byte(`"dimensions"`))
	}
	return isDocument(key) && (isText || value == json.Delim('{')) || isChunk(key) && (value == json.Delim('[') || isText)
}

func isString(v json.Token) bool {
	_, ok := v.(string)
	return ok
}

func isOneOf(v json.Token, names ...string) bool {
	for _, name := range names {
		if v == name {
			return true
		}
	}
	return false
}

// isKey reports whether a key is of a document or a chunk.
func isKey(key string) bool { return isDocument(key) || isChunk(key) }

func isDocument(key string) bool {
	switch path.Base(key) {
	case "zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata":
		return true
	}
	return false
}

// isChunk reports whether a key is of a chunk of an array, such as t/0.0 or t/c/0/0.
func isChunk(key string) bool {
	array, position, ok := strings.Cut(key, "/")
	return ok && array != "" && position != "" && strings.Trim(path.Base(position), "0123456789.") == ""
}
