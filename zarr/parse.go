package zarr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// maxDimensions bounds the rank of arrays: more than any data has, few enough for index vectors to
// be free.
const maxDimensions = 64

// wireNode is a metadata document as it stands in zarr.json.
type wireNode struct {
	NodeType     string
	Attributes   map[string]any
	Shape        *[]json.Number
	DataType     json.RawMessage
	ChunkGrid    *wireExtension
	ChunkKeys    *wireExtension
	FillValue    any
	Codecs       []wireExtension
	Names        []*string
	Transformers []any
	Consolidated *wireConsolidate
}

type wireConsolidate struct {
	Kind     string                     `json:"kind"`
	Metadata map[string]json.RawMessage `json:"metadata"`
}

// wireExtension is a named extension point: an object with a name and a configuration, or the name
// alone.
type wireExtension struct {
	Name          string
	Configuration map[string]any
}

// UnmarshalJSON reads an extension definition ("Extension definition").
func (e *wireExtension) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &e.Name)
	}
	var object struct {
		Name          *string        `json:"name"`
		Configuration map[string]any `json:"configuration"`
	}
	if err := decodeJSON(data, &object); err != nil {
		return err
	}
	if object.Name == nil {
		return fmt.Errorf("extension without a name: %.80s", data)
	}
	e.Name, e.Configuration = *object.Name, object.Configuration
	return nil
}

// decodeJSON decodes exactly one JSON value, keeping numbers as they are written.
func decodeJSON(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the JSON value at byte %d", d.InputOffset())
	}
	return nil
}

// parseNode reads a metadata document of either node type and checks what both have in common.
func parseNode(data []byte) (*wireNode, error) {
	// The members first, so that a document of many megabytes is gone through as rarely as can be.
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("metadata document: %w", err)
	}
	if format := string(members["zarr_format"]); format != "3" {
		return nil, fmt.Errorf("metadata document: zarr_format is %q, expected 3", format)
	}
	var node wireNode
	fields := node.fields()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var err error
		switch field := fields[name].(type) {
		case nil:
			err = checkUnknown(name, members[name])
		case *any, *map[string]any:
			err = decodeJSON(members[name], field)
		default:
			err = json.Unmarshal(members[name], field)
		}
		if err != nil {
			return nil, fmt.Errorf("metadata document: %s: %w", name, err)
		}
	}
	return &node, nil
}

// fields are the places for the members of a document.
func (n *wireNode) fields() map[string]any {
	return map[string]any{
		"zarr_format": new(json.Number), "node_type": &n.NodeType, "attributes": &n.Attributes, "shape": &n.Shape,
		"data_type": &n.DataType, "chunk_grid": &n.ChunkGrid, "chunk_key_encoding": &n.ChunkKeys, "fill_value": &n.FillValue,
		"codecs": &n.Codecs, "dimension_names": &n.Names, "storage_transformers": &n.Transformers,
		"consolidated_metadata": &n.Consolidated,
	}
}

// checkUnknown refuses a member nobody told us about, unless it says that it need not be
// understood.
func checkUnknown(name string, member json.RawMessage) error {
	var extension struct {
		MustUnderstand *bool `json:"must_understand"`
	}
	err := json.Unmarshal(member, &extension)
	if err != nil || extension.MustUnderstand == nil || *extension.MustUnderstand {
		return fmt.Errorf("unknown member %q must be understood", name)
	}
	return nil
}

// array is the metadata of an array, checked.
func (n *wireNode) array() (*ArrayMetadata, error) {
	if n.NodeType != "array" {
		return nil, fmt.Errorf("metadata document: node_type is %q, expected array", n.NodeType)
	}
	if len(n.Transformers) > 0 {
		return nil, fmt.Errorf("metadata document: storage transformers are not supported")
	}
	meta := &ArrayMetadata{FillValue: n.FillValue, Attributes: n.Attributes}
	if err := json.Unmarshal(n.DataType, (*string)(&meta.DataType)); err != nil || meta.DataType.Size() == 0 {
		return nil, fmt.Errorf("metadata document: data type %.80s is not supported", n.DataType)
	}
	if n.Shape == nil {
		return nil, fmt.Errorf("metadata document: no shape")
	}
	var err error
	if meta.Shape, err = parseShape("shape", *n.Shape, 0); err != nil {
		return nil, err
	}
	if err := n.parseGrid(meta); err != nil {
		return nil, err
	}
	if meta.ChunkKeys, err = n.parseChunkKeys(); err != nil {
		return nil, err
	}
	if _, err := meta.DataType.FillBytes(meta.FillValue); err != nil {
		return nil, err
	}
	if meta.DimensionNames, err = n.parseNames(len(meta.Shape)); err != nil {
		return nil, err
	}
	for _, c := range n.Codecs {
		meta.Codecs = append(meta.Codecs, Codec(c))
	}
	if _, err := meta.Bytes(); err != nil {
		return nil, err
	}
	_, err = meta.chunkBytes()
	return meta, err
}

func (n *wireNode) parseGrid(meta *ArrayMetadata) error {
	if n.ChunkGrid == nil || n.ChunkGrid.Name != "regular" {
		return fmt.Errorf("metadata document: expected a regular chunk grid")
	}
	list, ok := n.ChunkGrid.Configuration["chunk_shape"].([]any)
	if !ok {
		return fmt.Errorf("metadata document: chunk grid without a chunk_shape")
	}
	numbers := make([]json.Number, len(list))
	for i, v := range list {
		if numbers[i], ok = v.(json.Number); !ok {
			return fmt.Errorf("metadata document: chunk_shape[%d] is %v, expected an integer", i, v)
		}
	}
	var err error
	if meta.ChunkShape, err = parseShape("chunk_shape", numbers, 1); err != nil {
		return err
	}
	if len(meta.ChunkShape) != len(meta.Shape) {
		return fmt.Errorf("metadata document: chunk_shape %v has %d dimensions, shape %v has %d",
			meta.ChunkShape, len(meta.ChunkShape), meta.Shape, len(meta.Shape))
	}
	return nil
}

// parseShape reads dimension lengths, each at least lowest.
func parseShape(what string, numbers []json.Number, lowest uint64) ([]uint64, error) {
	if len(numbers) > maxDimensions {
		return nil, fmt.Errorf("metadata document: %s has %d dimensions, expected at most %d", what, len(numbers), maxDimensions)
	}
	shape := make([]uint64, len(numbers))
	for i, number := range numbers {
		n, err := strconv.ParseUint(number.String(), 10, 63)
		if err != nil || n < lowest {
			return nil, fmt.Errorf("metadata document: %s[%d] is %q, expected an integer from %d", what, i, number, lowest)
		}
		shape[i] = n
	}
	return shape, nil
}

func (n *wireNode) parseChunkKeys() (ChunkKeys, error) {
	if n.ChunkKeys == nil {
		return ChunkKeys{}, fmt.Errorf("metadata document: no chunk_key_encoding")
	}
	keys := ChunkKeys{Name: n.ChunkKeys.Name}
	switch keys.Name {
	case "default":
		keys.Separator = "/"
	case "v2":
		keys.Separator = "."
	default:
		return keys, fmt.Errorf("metadata document: chunk key encoding %q is not supported", keys.Name)
	}
	if separator, found := n.ChunkKeys.Configuration["separator"]; found {
		text, _ := separator.(string)
		if text != "/" && text != "." {
			return keys, fmt.Errorf("metadata document: chunk key separator is %v, expected \"/\" or \".\"", separator)
		}
		keys.Separator = text
	}
	return keys, nil
}

func (n *wireNode) parseNames(dims int) ([]string, error) {
	if n.Names == nil {
		return nil, nil
	}
	if len(n.Names) != dims {
		return nil, fmt.Errorf("metadata document: %d dimension names, expected %d", len(n.Names), dims)
	}
	names := make([]string, dims)
	for i, name := range n.Names {
		if name != nil {
			names[i] = *name
		}
	}
	return names, nil
}
