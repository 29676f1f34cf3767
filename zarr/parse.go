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
	format   int
	document string // the name of the document

	NodeType     string
	Attributes   map[string]any
	Shape        *[]any
	DataType     json.RawMessage
	ChunkGrid    *wireExtension
	ChunkKeys    *wireExtension
	FillValue    any
	Codecs       []wireExtension
	Names        []*string
	Transformers []wireExtension
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
	Optional      bool // need not be understood
}

// UnmarshalJSON reads an extension definition ("Extension definition").
func (e *wireExtension) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &e.Name)
	}
	var object struct {
		Name          *string        `json:"name"`
		Configuration map[string]any `json:"configuration"`
		Must          *bool          `json:"must_understand"`
	}
	if err := decodeJSON(data, &object); err != nil {
		return err
	}
	if object.Name == nil {
		return fmt.Errorf("extension without a name: %.80s", data)
	}
	e.Name, e.Configuration, e.Optional = *object.Name, object.Configuration, object.Must != nil && !*object.Must
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

// parseNode reads a metadata document of either node type and checks the members that both share.
func parseNode(data []byte) (*wireNode, error) {
	data = lenient(data)
	// The members first, so that a document of many megabytes is gone through as rarely as can be.
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, &FormatError{Err: err}
	}
	if format := string(members["zarr_format"]); format != "3" {
		return nil, malformed("zarr_format", "3", "%q", format)
	}
	node := wireNode{format: 3, document: document3}
	fields := node.fields()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var err error
		switch field := fields[name].(type) {
		case nil:
			err = checkUnknown(name, members[name])
		case *map[string]any:
			*field, err = parseAttributes(members[name])
		case *any, **[]any:
			err = decodeJSON(members[name], field)
		default:
			err = json.Unmarshal(members[name], field)
		}
		if err != nil {
			return nil, &FormatError{Field: name, Err: err}
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

// checkUnknown refuses a member that is not known, unless it says that it need not be
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

// array is the metadata of an array, checked. If only the data type is not known, the error is an
// [OpaqueError].
func (n *wireNode) array() (*ArrayMetadata, error) {
	if n.NodeType != "array" {
		return nil, malformed("node_type", "array", "%q", n.NodeType)
	}
	for _, t := range n.Transformers {
		if !t.Optional {
			return nil, &UnsupportedError{What: fmt.Sprintf("storage transformer %.80q", t.Name)}
		}
	}
	meta := &ArrayMetadata{Format: n.format, FillValue: fillText(n.FillValue), Attributes: n.Attributes}
	if err := n.parseType(meta); err != nil {
		return nil, err
	}
	if n.Shape == nil {
		return nil, malformed("shape", "a list", "absent")
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
	if meta.DimensionNames, err = n.parseNames(len(meta.Shape)); err != nil {
		return nil, err
	}
	meta.Codecs = codecsOf(n.Codecs)
	e, err := meta.Element()
	if meta.DataType.Size() == 0 && elementMaker(meta.DataType) == nil {
		return nil, &OpaqueError{Metadata: meta}
	}
	if err != nil {
		return nil, err
	}
	if _, err := meta.fillOf(e); err != nil {
		return nil, &FormatError{Field: "fill_value", Err: err}
	}
	if _, err := meta.Bytes(); err != nil {
		return nil, &FormatError{Field: "shape", Err: err}
	}
	if _, err = meta.chunkBytes(); err != nil {
		return nil, &FormatError{Field: "chunk_grid", Err: err}
	}
	return meta, nil
}

// parseType reads a data type: a name, or an object with a configuration.
func (n *wireNode) parseType(meta *ArrayMetadata) error {
	var v any
	if err := decodeJSON(n.DataType, &v); err != nil {
		return malformed("data_type", "a name, or an object with a name", "%.80q", n.DataType)
	}
	var err error
	meta.DataType, meta.DataTypeConfig, err = typeOf(v)
	return err
}

// codecsOf are the codecs of a document, without unknown codecs that need not be understood.
func codecsOf(list []wireExtension) []Codec {
	var codecs []Codec
	for _, e := range list {
		if !e.Optional || codecTypeOf(e.Name) != nil {
			codecs = append(codecs, Codec{e.Name, e.Configuration})
		}
	}
	return codecs
}

func (n *wireNode) parseGrid(meta *ArrayMetadata) error {
	if n.ChunkGrid == nil {
		return malformed("chunk_grid", "a regular one", "absent")
	}
	if n.ChunkGrid.Name != "regular" {
		return &UnsupportedError{What: fmt.Sprintf("chunk grid %.80q", n.ChunkGrid.Name)}
	}
	list, ok := n.ChunkGrid.Configuration["chunk_shape"].([]any)
	if !ok {
		return malformed("chunk_shape", "a list", "absent")
	}
	var err error
	if meta.ChunkShape, err = parseShape("chunk_shape", list, 1); err != nil {
		return err
	}
	if len(meta.ChunkShape) != len(meta.Shape) {
		return malformed("chunk_shape", fmt.Sprintf("one for each of the dimensions of shape %v", meta.Shape), "%v", meta.ChunkShape)
	}
	return nil
}

// parseShape reads dimension lengths, each at least lowest.
func parseShape(what string, list []any, lowest uint64) ([]uint64, error) {
	if len(list) > maxDimensions {
		return nil, malformed(what, fmt.Sprintf("at most %d", maxDimensions), "of %d dimensions", len(list))
	}
	shape := make([]uint64, len(list))
	for i, v := range list {
		number, ok := v.(json.Number)
		if !ok {
			found, _ := json.Marshal(v) // it was JSON
			return nil, malformed(fmt.Sprintf("%s[%d]", what, i), "an integer", "%.80s", found)
		}
		n, err := strconv.ParseUint(number.String(), 10, 63)
		if err != nil || n < lowest {
			return nil, malformed(fmt.Sprintf("%s[%d]", what, i), fmt.Sprintf("an integer from %d", lowest), "%q", number)
		}
		shape[i] = n
	}
	return shape, nil
}

func (n *wireNode) parseChunkKeys() (ChunkKeys, error) {
	if n.ChunkKeys == nil {
		return ChunkKeys{}, malformed("chunk_key_encoding", "default or v2", "absent")
	}
	keys := ChunkKeys{Name: n.ChunkKeys.Name}
	switch keys.Name {
	case "default":
		keys.Separator = "/"
	case "v2":
		keys.Separator = "."
	default:
		return keys, &UnsupportedError{What: fmt.Sprintf("chunk key encoding %q", keys.Name)}
	}
	if separator, found := n.ChunkKeys.Configuration["separator"]; found {
		text, _ := separator.(string)
		if text != "/" && text != "." {
			return keys, malformed("chunk_key_encoding: separator", `"/" or "."`, "%v", separator)
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
		return nil, malformed("dimension_names", fmt.Sprintf("%d names", dims), "a list of %d", len(n.Names))
	}
	names := make([]string, dims)
	for i, name := range n.Names {
		if name != nil {
			names[i] = *name
		}
	}
	return names, nil
}
