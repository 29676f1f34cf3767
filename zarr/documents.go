package zarr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
)

// The names of documents, in the order in which they are looked for.
const (
	document3            = "zarr.json"
	documentGroup2       = ".zgroup"
	documentArray2       = ".zarray"
	documentConsolidated = ".zmetadata" // of format 2
	documentAttributes   = ".zattrs"    // of format 2, beside .zgroup or .zarray
)

// Documents returns the names of the documents of a folder with a group or an array, most trusted
// first.
func Documents() []string {
	return []string{document3, documentGroup2, documentArray2, documentConsolidated}
}

// readNode reads the documents of the node at path, of either format.
func readNode(ctx context.Context, s Store, path string) (*wireNode, error) {
	data, err := ReadAll(ctx, s, JoinKey(path, document3), maxDocument)
	switch {
	case err == nil:
		node, err := parseNode(data)
		return node, inDocument(JoinKey(path, document3), err)
	case !errors.Is(err, ErrNotFound):
		return nil, err
	}
	for _, name := range []string{documentGroup2, documentArray2} {
		node, err := readNode2(ctx, s, path, name)
		if err == nil || !errors.Is(err, ErrNotFound) {
			return node, err
		}
	}
	c, err := readConsolidated2(ctx, s, path)
	if errors.Is(err, ErrNotFound) {
		return nil, KeyNotFound(JoinKey(path, document3))
	}
	if err != nil {
		return nil, err
	}
	node, err := c.node("")
	if err == nil && node == nil {
		node = &wireNode{format: 2, document: documentConsolidated, NodeType: "group"} // nothing says more
	}
	return node, inDocument(JoinKey(path, documentConsolidated), err)
}

// readNode2 reads one of the two documents of format 2, and the attributes beside it.
func readNode2(ctx context.Context, s Store, path, name string) (*wireNode, error) {
	data, err := ReadAll(ctx, s, JoinKey(path, name), maxDocument)
	if err != nil {
		return nil, err
	}
	attributes, err := ReadAll(ctx, s, JoinKey(path, documentAttributes), maxDocument)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	return node2(path, name, data, attributes)
}

// node2 makes a node of a document of format 2 and the document of its attributes, or nil.
func node2(path, name string, data, attributes []byte) (*wireNode, error) {
	var attrs map[string]any
	if len(bytes.TrimSpace(attributes)) > 0 {
		var err error
		if attrs, err = parseAttributes(lenient(attributes)); err != nil {
			return nil, inDocument(JoinKey(path, documentAttributes), err)
		}
	}
	if name == documentArray2 {
		node, err := translateArray(lenient(data), attrs)
		return node, inDocument(JoinKey(path, name), err)
	}
	var group struct {
		Format json.Number `json:"zarr_format"`
	}
	err := decodeJSON(lenient(data), &group)
	if err == nil && group.Format != "2" {
		err = malformed("zarr_format", "2", "%q", string(group.Format))
	}
	return &wireNode{format: 2, document: name, NodeType: "group", Attributes: attrs}, inDocument(JoinKey(path, name), err)
}

// consolidated2 has the documents of format 2 below a path, by their keys.
type consolidated2 map[string]json.RawMessage

func readConsolidated2(ctx context.Context, s Store, path string) (consolidated2, error) {
	key := JoinKey(path, documentConsolidated)
	data, err := ReadAll(ctx, s, key, maxDocument)
	if err != nil {
		return nil, err
	}
	var document struct {
		Metadata consolidated2 `json:"metadata"`
	}
	if err := decodeJSON(lenient(data), &document); err != nil {
		return nil, inDocument(key, &FormatError{Err: err})
	}
	if document.Metadata == nil {
		return nil, inDocument(key, malformed("metadata", "an object", "absent"))
	}
	return document.Metadata, nil
}

// node is the node at a path, nil if there is none.
func (c consolidated2) node(path string) (*wireNode, error) {
	for _, name := range []string{documentGroup2, documentArray2} {
		if data, found := c[JoinKey(path, name)]; found {
			return node2(path, name, data, c[JoinKey(path, documentAttributes)])
		}
	}
	return nil, nil
}

// paths returns the paths of all nodes, in no order.
func (c consolidated2) paths() []string {
	var paths []string
	for key := range c {
		path, name := "", key
		if i := strings.LastIndexByte(key, '/'); i >= 0 {
			path, name = key[:i], key[i+1:]
		}
		if name == documentArray2 && c[JoinKey(path, documentGroup2)] == nil || name == documentGroup2 {
			paths = append(paths, path)
		}
	}
	return paths
}

// Python writes NaN and infinities as bare words, which JSON does not have. They become strings that
// begin with this character, which no text has.
const notJSON = "\uf8ff"

var bareWords = []string{"NaN", "Infinity", "-Infinity"}

// lenient makes JSON of text that Python accepts as JSON.
func lenient(data []byte) []byte {
	if json.Valid(data) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for i := 0; i < len(data); {
		if data[i] == '"' {
			end := i + 1
			for end < len(data) && data[end] != '"' {
				if data[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(data))
			out = append(out, data[i:end]...)
			i = end
			continue
		}
		word := ""
		for _, w := range bareWords {
			if bytes.HasPrefix(data[i:], []byte(w)) {
				word = w
			}
		}
		if word == "" {
			out = append(out, data[i])
			i++
			continue
		}
		out = append(append(append(out, '"'), notJSON+word...), '"')
		i += len(word)
	}
	return out
}

// parseAttributes reads attributes from the output of lenient.
func parseAttributes(data []byte) (map[string]any, error) {
	var attributes map[string]any
	if err := decodeJSON(data, &attributes); err != nil {
		return nil, &FormatError{Err: err}
	}
	if bytes.Contains(data, []byte(notJSON)) {
		restored(attributes)
	}
	return attributes, nil
}

// restored puts the numbers back that lenient made strings of.
func restored(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = restored(item)
		}
	case []any:
		for i, item := range v {
			v[i] = restored(item)
		}
	case string:
		switch v {
		case notJSON + "NaN":
			return math.NaN()
		case notJSON + "Infinity":
			return math.Inf(1)
		case notJSON + "-Infinity":
			return math.Inf(-1)
		}
	}
	return v
}

// fillText is a fill value without the mark of lenient.
func fillText(v any) any {
	switch v := v.(type) {
	case string:
		return strings.TrimPrefix(v, notJSON)
	case []any:
		for i, item := range v {
			v[i] = fillText(item)
		}
	}
	return v
}
