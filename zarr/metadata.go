package zarr

import (
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// GroupMetadata is the metadata document of a group ("Group metadata").
type GroupMetadata struct {
	Format     int // 2 or 3, of a document that was read
	Attributes map[string]any
}

// ArrayMetadata is the metadata document of an array ("Array metadata") with a regular chunk grid.
// Documents of format 2 are translated when they are read: the order F is the codec transpose, big-endian
// elements are the codec bytes, the compressor X is the codec numcodecs.X, and the attribute
// _ARRAY_DIMENSIONS is DimensionNames. Filters of format 2 work on bytes, so that they follow the codec
// bytes.
type ArrayMetadata struct {
	// Format is 2 or 3, of an array that was read. In format 2 the fill value marks missing elements; in format
	// 3 only absent chunks have it.
	Format         int
	Shape          []uint64
	DataType       DataType
	DataTypeConfig map[string]any // of data types that have one; nil for the others
	ChunkShape     []uint64       // an element per dimension, none of them 0
	ChunkKeys      ChunkKeys
	FillValue      any // as JSON has it; numbers are json.Number when read from a document; nil if format 2 has none
	Codecs         []Codec
	DimensionNames []string // an element per dimension, "" where the document says null; nil when it has none
	Attributes     map[string]any
}

// Codec names a step of a codec chain and its configuration.
type Codec struct {
	Name          string
	Configuration map[string]any
}

// PlainCodecs returns the chain of codecs of chunks that are the little-endian elements themselves.
func PlainCodecs(t DataType) []Codec { return []Codec{littleBytes(t.component())} }

// ShuffleCodec returns the byte shuffle of HDF5 for elements of size bytes, as numcodecs has it.
func ShuffleCodec(size int) Codec {
	return Codec{Name: ShuffleName, Configuration: map[string]any{"elementsize": int64(size)}}
}

// ChunkKeys is a chunk key encoding ("Chunk key encoding").
type ChunkKeys struct {
	Name      string // "default" ("c/0/1") or "v2" ("0.1")
	Separator string // "/" or "."
}

// DefaultKeys is the chunk key encoding of documents that are written.
var DefaultKeys = ChunkKeys{Name: "default", Separator: "/"}

// document is the JSON object of a group.
func (g *GroupMetadata) document() map[string]any {
	return map[string]any{
		"zarr_format": int64(3),
		"node_type":   "group",
		"attributes":  attributesOrEmpty(g.Attributes),
	}
}

// document is the JSON object of an array.
func (a *ArrayMetadata) document() map[string]any {
	doc := map[string]any{
		"zarr_format": int64(3),
		"node_type":   "array",
		"shape":       a.Shape,
		"data_type":   a.dataType(),
		"chunk_grid": map[string]any{
			"name":          "regular",
			"configuration": map[string]any{"chunk_shape": a.ChunkShape},
		},
		"chunk_key_encoding": map[string]any{
			"name":          a.ChunkKeys.Name,
			"configuration": map[string]any{"separator": a.ChunkKeys.Separator},
		},
		"fill_value": a.FillValue,
		"codecs":     codecDocuments(a.Codecs),
		"attributes": attributesOrEmpty(a.Attributes),
	}
	if a.DimensionNames != nil {
		names := make([]any, len(a.DimensionNames))
		for i, name := range a.DimensionNames {
			if name != "" {
				names[i] = name
			}
		}
		doc["dimension_names"] = names
	}
	return doc
}

// dataType is the data type as a document has it: a name, or an object with a configuration.
func (a *ArrayMetadata) dataType() any {
	if a.DataTypeConfig == nil {
		return string(a.DataType)
	}
	return map[string]any{"name": string(a.DataType), "configuration": a.DataTypeConfig}
}

func codecDocuments(codecs []Codec) []any {
	list := make([]any, len(codecs))
	for i, c := range codecs {
		codec := map[string]any{"name": c.Name}
		if c.Configuration != nil {
			codec["configuration"] = c.Configuration
		}
		list[i] = codec
	}
	return list
}

func attributesOrEmpty(attributes map[string]any) map[string]any {
	if attributes == nil {
		return map[string]any{}
	}
	return attributes
}

// MarshalJSON gives the document of g, without consolidated metadata; see [jsontext.Append].
func (g *GroupMetadata) MarshalJSON() ([]byte, error) { return jsontext.Append(nil, g.document()) }

// MarshalJSON gives the document of a; see [jsontext.Append].
func (a *ArrayMetadata) MarshalJSON() ([]byte, error) { return jsontext.Append(nil, a.document()) }

// Consolidated gives the document of g with the documents of the nodes below it. Their paths are relative
// to g; zarr-python 3 and xarray read this form.
func (g *GroupMetadata) Consolidated(nodes map[string]any) ([]byte, error) {
	doc := g.document()
	doc["consolidated_metadata"] = map[string]any{
		"kind":            "inline",
		"must_understand": false,
		"metadata":        nodes,
	}
	return jsontext.Append(nil, doc)
}

// elementSize is the number of bytes of an element in memory, 0 for a data type that is not known.
func (a *ArrayMetadata) elementSize() int {
	if n := a.DataType.Size(); n > 0 {
		return n
	}
	e, err := a.Element()
	if err != nil {
		return 0
	}
	return e.width()
}

// Bytes returns the size of the array's elements, uncompressed. Elements of any length count 8 bytes each.
func (a *ArrayMetadata) Bytes() (int64, error) {
	n, ok := nd.Bytes(a.Shape, a.elementSize())
	if !ok {
		return 0, fault.Errorf("zarr", "shape %v of %s: the size does not fit 63 bits", a.Shape, a.DataType)
	}
	return n, nil
}

// chunkBytes is the size of a chunk's elements, uncompressed.
func (a *ArrayMetadata) chunkBytes() (int64, error) {
	n, ok := nd.Bytes(a.ChunkShape, a.elementSize())
	if !ok {
		return 0, fault.Errorf("zarr", "chunk shape %v of %s: the size does not fit 63 bits", a.ChunkShape, a.DataType)
	}
	return n, nil
}

// Grid returns the number of chunks along each dimension.
func (a *ArrayMetadata) Grid() []uint64 { return nd.Grid(a.Shape, a.ChunkShape) }
