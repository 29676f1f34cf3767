package zarr

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/zarr/internal/numpy"
)

// wireArray2 is a document .zarray ("Zarr storage specification version 2", section "Arrays").
type wireArray2 struct {
	Format     json.Number      `json:"zarr_format"`
	Shape      *[]any           `json:"shape"`
	Chunks     *[]any           `json:"chunks"`
	Type       any              `json:"dtype"`
	Compressor map[string]any   `json:"compressor"`
	Fill       any              `json:"fill_value"`
	Order      string           `json:"order"`
	Filters    []map[string]any `json:"filters"`
	Separator  string           `json:"dimension_separator"`
	NCZarr     json.RawMessage  `json:"_nczarr_array"`
	OldNCZarr  json.RawMessage  `json:"_NCZARR_ARRAY"`
}

// dimensionsAttribute is the attribute in which xarray writes the names of dimensions to format 2.
const dimensionsAttribute = "_ARRAY_DIMENSIONS"

// translateArray makes a document of format 3 of an array of format 2 and its attributes.
func translateArray(zarray []byte, attributes map[string]any) (*wireNode, error) {
	var old wireArray2
	if err := decodeJSON(zarray, &old); err != nil {
		return nil, &FormatError{Err: err}
	}
	if old.Format != "2" {
		return nil, malformed("zarr_format", "2", "%q", string(old.Format))
	}
	n := &wireNode{format: 2, document: documentArray2, NodeType: "array", Shape: old.Shape, FillValue: old.Fill, Attributes: attributes}
	if old.Shape == nil {
		return nil, malformed("shape", "a list", "absent")
	}
	chunks, err := old.chunkShape()
	if err != nil {
		return nil, err
	}
	n.ChunkGrid = &wireExtension{Name: "regular", Configuration: map[string]any{"chunk_shape": chunks}}
	if old.Separator == "" {
		old.Separator = "."
	}
	n.ChunkKeys = &wireExtension{Name: "v2", Configuration: map[string]any{"separator": old.Separator}}
	if old.OldNCZarr != nil && old.Type == "<U1" { // as netCDF 4.9.0 calls characters, which it stores as bytes
		old.Type, n.FillValue = "|S1", nil
	}
	if err := old.addCodecs(n); err != nil {
		return nil, err
	}
	n.takeNames(len(*old.Shape))
	n.keepNCZarr(old)
	return n, nil
}

// chunkShape is the shape of chunks; an empty array may have chunks of length 0.
func (w *wireArray2) chunkShape() ([]any, error) {
	if w.Chunks == nil {
		return nil, malformed("chunks", "a list", "absent")
	}
	chunks := slices.Clone(*w.Chunks)
	for i, n := range chunks {
		if n == json.Number("0") && i < len(*w.Shape) && (*w.Shape)[i] == json.Number("0") {
			chunks[i] = json.Number("1")
		}
	}
	return chunks, nil
}

// takeNames makes names of dimensions of the attribute of xarray.
func (n *wireNode) takeNames(rank int) {
	list, ok := n.Attributes[dimensionsAttribute].([]any)
	if !ok || len(list) != rank {
		return
	}
	names := make([]*string, rank)
	for i, v := range list {
		name, ok := v.(string)
		if !ok {
			return
		}
		names[i] = &name
	}
	n.Names = names
	delete(n.Attributes, dimensionsAttribute)
}

// keepNCZarr makes attributes of the members that earlier versions of the netCDF library wrote into the
// document itself.
func (n *wireNode) keepNCZarr(old wireArray2) {
	for _, member := range []json.RawMessage{old.NCZarr, old.OldNCZarr} {
		var v map[string]any
		if len(member) == 0 || decodeJSON(member, &v) != nil || n.Attributes["_nczarr_array"] != nil {
			continue
		}
		if n.Attributes == nil {
			n.Attributes = make(map[string]any)
		}
		n.Attributes["_nczarr_array"] = v
	}
}

// addCodecs gives n the data type and the codecs: the order, the byte order or a filter that makes bytes of
// objects, the other filters, and the compressor.
func (w *wireArray2) addCodecs(n *wireNode) error {
	filters := w.Filters
	if w.Compressor != nil {
		filters = append(slices.Clone(filters), w.Compressor)
	}
	var codecs []wireExtension
	for _, f := range filters {
		id, ok := f["id"].(string)
		if !ok {
			return malformed("filters and compressor", "objects with an id", "%.80s", fmt.Sprint(f))
		}
		configuration := make(map[string]any)
		for key, v := range f {
			if key != "id" {
				configuration[key] = v
			}
		}
		codecs = append(codecs, wireExtension{Name: numcodecs + id, Configuration: configuration})
	}
	t, big, err := w.dataType(codecs)
	if err != nil {
		return err
	}
	if n.DataType, err = json.Marshal(t); err != nil {
		return err
	}
	if len(codecs) == 0 || !makesBytes(codecs[0].Name) {
		endian := "little"
		if big {
			endian = "big"
		}
		codecs = slices.Insert(codecs, 0, wireExtension{Name: "bytes", Configuration: map[string]any{"endian": endian}})
	}
	switch w.Order {
	case "C", "":
	case "F":
		if rank := len(*w.Shape); rank > 1 {
			codecs = slices.Insert(codecs, 0, wireExtension{Name: "transpose", Configuration: map[string]any{"order": "F"}})
		}
	default:
		return malformed("order", "C or F", "%.80q", w.Order)
	}
	n.Codecs = codecs
	return nil
}

// objectTypes are the data types of the objects that filters make bytes of.
var objectTypes = map[string]any{
	"numcodecs.vlen-utf8": stringType, "numcodecs.json2": stringType, "numcodecs.categorize": stringType,
	"numcodecs.vlen-bytes": "variable_length_bytes",
}

// makesBytes reports whether a filter takes an array, not bytes.
func makesBytes(name string) bool { return objectTypes[name] != nil || name == "numcodecs.vlen-array" }

// dataType is the data type as format 3 writes it.
func (w *wireArray2) dataType(codecs []wireExtension) (t any, big bool, err error) {
	if list, ok := w.Type.([]any); ok {
		t, err = structType(list, 0)
		return t, false, err
	}
	name, ok := w.Type.(string)
	if !ok {
		return nil, false, malformed("dtype", "a NumPy type", "%.80s", fmt.Sprint(w.Type))
	}
	numpyType, err := numpy.Parse(name)
	if err != nil {
		return nil, false, &UnsupportedError{What: fmt.Sprintf("data type %.80q", name)}
	}
	if numpyType.Kind != numpy.Object {
		return dataTypeOf(numpyType), numpyType.Big, nil
	}
	if len(codecs) == 0 {
		return nil, false, malformed("filters", "one that makes bytes of objects, such as vlen-utf8, for dtype "+name, "none")
	}
	first := codecs[0]
	if first.Name == "numcodecs.vlen-array" {
		of, _ := first.Configuration["dtype"].(string)
		item, err := numpy.Parse(of)
		if err != nil || item.DataType() == "" || item.Big && item.Size > 1 {
			return nil, false, &UnsupportedError{What: fmt.Sprintf("lists of the data type %.80q", of)}
		}
		return map[string]any{"name": listType, "configuration": map[string]any{"data_type": item.DataType()}}, false, nil
	}
	if t := objectTypes[first.Name]; t != nil {
		return t, false, nil
	}
	if known := codecTypeOf(first.Name); known != nil {
		if _, _, err := known.open(Codec{first.Name, first.Configuration}, spec{element: number(Uint8)}); err != nil {
			return nil, false, err // says why, if it is a refused array of objects
		}
	}
	return nil, false, &UnsupportedError{What: fmt.Sprintf("objects as codec %.80q writes them", strings.TrimPrefix(first.Name, numcodecs))}
}

// dataTypeOf is a NumPy type as format 3 writes it.
func dataTypeOf(t numpy.Type) any {
	configured := func(name string, configuration map[string]any) any {
		return map[string]any{"name": name, "configuration": configuration}
	}
	switch t.Kind {
	case numpy.Bytes:
		return configured("null_terminated_bytes", map[string]any{"length_bytes": t.Size})
	case numpy.Unicode:
		return configured("fixed_length_utf32", map[string]any{"length_bytes": t.Size})
	case numpy.Void:
		return configured("raw_bytes", map[string]any{"length_bytes": t.Size})
	case numpy.DateTime:
		return configured("numpy.datetime64", map[string]any{"unit": t.Unit, "scale_factor": t.Scale})
	case numpy.TimeDelta:
		return configured("numpy.timedelta64", map[string]any{"unit": t.Unit, "scale_factor": t.Scale})
	}
	return t.DataType()
}

// structType is a structured NumPy type as format 3 writes it: a list of names and types, and of shapes
// of members that are arrays. Each member has its byte order.
func structType(list []any, depth int) (any, error) {
	if depth > maxNesting {
		return nil, &UnsupportedError{What: fmt.Sprintf("a structured type in more than %d others", maxNesting)}
	}
	var fields []any
	for i, v := range list {
		field, ok := v.([]any)
		if !ok || len(field) < 2 || len(field) > 3 {
			return nil, malformed(fmt.Sprintf("dtype[%d]", i), "a name and a type", "%.80s", fmt.Sprint(v))
		}
		name := field[0]
		if pair, ok := name.([]any); ok && len(pair) == 2 { // a title and a name
			name = pair[1]
		}
		member := map[string]any{"name": name}
		switch t := field[1].(type) {
		case []any:
			inner, err := structType(t, depth+1)
			if err != nil {
				return nil, err
			}
			member["data_type"] = inner
		case string:
			numpyType, err := numpy.Parse(t)
			if err != nil || numpyType.Kind == numpy.Object {
				return nil, &UnsupportedError{What: fmt.Sprintf("data type %.80q in a structured type", t)}
			}
			member["data_type"] = dataTypeOf(numpyType)
			if numpyType.Big {
				member["endian"] = "big"
			}
		default:
			return nil, malformed(fmt.Sprintf("dtype[%d]", i), "a name and a type", "%.80s", fmt.Sprint(v))
		}
		if len(field) == 3 {
			shape := field[2]
			if _, isList := shape.([]any); !isList {
				shape = []any{shape}
			}
			member["shape"] = shape
		}
		fields = append(fields, member)
	}
	return map[string]any{"name": "struct", "configuration": map[string]any{"fields": fields}}, nil
}
