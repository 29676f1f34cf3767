package torefs

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"math"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/zarr"
)

// setFill makes the fill value of a document the element of chunks that are not stored. xarray
// takes the fill value of Zarr v2 for missing points, so that integers without holes have none.
func setFill(a *zarr.ArrayMetadata, fill []byte, holes bool) error {
	isFloat := isFloat(a)
	said := a.Attributes[cf.AttrFillValue]
	if _, isText := said.(string); isText && !isFloat { // of characters
		said = nil
	}
	switch {
	case !holes && said != nil:
		a.FillValue = said
	case !holes && isFloat:
	case !holes:
		a.FillValue = nil
	case fill == nil: // of the dataset
	default:
		return setHole(a, said, fill, isFloat)
	}
	return nil
}

func isFloat(a *zarr.ArrayMetadata) bool {
	return a.DataType == zarr.Float32 || a.DataType == zarr.Float64 || a.DataType == zarr.Float16
}

// setHole makes fill the fill value of a document, where said, which may be nil, marks missing
// points.
func setHole(a *zarr.ArrayMetadata, said any, fill []byte, isFloat bool) error {
	value, err := elementValue(a.DataType, fill)
	if err != nil {
		return err
	}
	if said != nil {
		missing, err := a.DataType.FillBytes(said)
		if err != nil || !bytes.Equal(missing, fill) {
			return &importers.UnportableError{Why: fmt.Sprintf("chunks that are not stored have the value %v, and %v is missing", orZero(value), said)}
		}
		a.FillValue = orZero(value)
		return nil
	}
	if value != nil && !(isFloat && value == "NaN") {
		return &importers.UnportableError{Why: fmt.Sprintf("chunks that are not stored have the value %v", value)}
	}
	a.FillValue = value
	return nil
}

// orZero is an element as elementValue has it, or 0.
func orZero(value any) any {
	if value == nil {
		return int64(0)
	}
	return value
}

// elementValue is an element as documents have it; nil for 0, which readers take for no fill value.
func elementValue(t zarr.DataType, b []byte) (any, error) {
	switch t {
	case zarr.Float32:
		return floatValue(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))), nil
	case zarr.Float64:
		return floatValue(math.Float64frombits(binary.LittleEndian.Uint64(b))), nil
	case zarr.Int8, zarr.Int16, zarr.Int32, zarr.Int64, zarr.Uint8, zarr.Uint16, zarr.Uint32, zarr.Uint64:
		var whole [8]byte
		copy(whole[:], b)
		v := binary.LittleEndian.Uint64(whole[:])
		if v == 0 {
			return nil, nil
		}
		if shift := 64 - 8*len(b); t[0] == 'i' {
			return int64(v<<shift) >> shift, nil
		}
		return v, nil
	}
	return nil, &importers.UnportableError{Why: "chunks of type " + string(t) + " are left out in the file"}
}

func floatValue(f float64) any {
	switch {
	case f == 0:
		return nil
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return f
}

// dtypes are the types of Zarr v2, except for the byte order.
var dtypes = map[zarr.DataType]string{
	zarr.Bool: "b1", zarr.Int8: "i1", zarr.Int16: "i2", zarr.Int32: "i4", zarr.Int64: "i8", zarr.Uint8: "u1", zarr.Uint16: "u2",
	zarr.Uint32: "u4", zarr.Uint64: "u8", zarr.Float16: "f2", zarr.Float32: "f4", zarr.Float64: "f8", zarr.Complex64: "c8",
	zarr.Complex128: "c16",
}

// zarray is the document .zarray of Zarr v2.
func zarray(a *zarr.ArrayMetadata) (map[string]any, error) {
	name, ok := dtypes[a.DataType]
	if !ok {
		return nil, &zarr.UnsupportedError{What: "data type " + string(a.DataType) + " in Zarr v2"}
	}
	order := "<"
	switch {
	case a.DataType.Size() == 1:
		order = "|"
	case a.Codecs[0].Configuration["endian"] == "big":
		order = ">"
	}
	var steps []any
	for _, c := range a.Codecs[1:] {
		step, err := numcodec(c)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	doc := map[string]any{
		"zarr_format": int64(2), "shape": a.Shape, "chunks": a.ChunkShape, "dtype": order + name, "order": "C",
		"fill_value": a.FillValue, "compressor": nil, "filters": nil, "dimension_separator": ".",
	}
	if len(steps) > 0 { // kerchunk has all of them here, and VirtualiZarr reads no compressor
		doc["filters"] = steps
	}
	return doc, nil
}

const shuffleName = "numcodecs.shuffle"

// numcodec is a codec as numcodecs, and so Zarr v2, has it.
func numcodec(c zarr.Codec) (map[string]any, error) {
	step := map[string]any{}
	for key, value := range c.Configuration {
		step[key] = value
	}
	switch c.Name {
	case shuffleName:
		step["id"] = "shuffle"
	case "numcodecs.zlib":
		step["id"] = "zlib"
	case "zstd", "gzip", "crc32c":
		step["id"] = c.Name
	case "blosc":
		step["id"] = "blosc"
		step["shuffle"] = int64(1)
		delete(step, "typesize")
	default:
		return nil, &zarr.UnsupportedError{What: "codec " + c.Name + " in Zarr v2"}
	}
	return step, nil
}

// zattrs is the document .zattrs of Zarr v2.
func zattrs(a *zarr.ArrayMetadata) map[string]any {
	attrs := map[string]any{"_ARRAY_DIMENSIONS": a.DimensionNames}
	if a.DimensionNames == nil {
		attrs["_ARRAY_DIMENSIONS"] = []string{}
	}
	for key, value := range attributes(a) {
		attrs[key] = value
	}
	return attrs
}

// attributes are the attributes of a document. The fill value of Zarr v3 does not mark missing
// points; an attribute does. For floating-point numbers it is base64 of a float64, as in xarray.
// xarray prefers the fill value of Zarr v2 to it; VirtualiZarr makes v3 of v2.
func attributes(a *zarr.ArrayMetadata) map[string]any {
	said, ok := a.Attributes[cf.AttrFillValue]
	if !ok {
		return a.Attributes
	}
	attrs := maps.Clone(a.Attributes)
	delete(attrs, cf.AttrFillValue)
	if _, isText := said.(string); isText && !isFloat(a) || a.FillValue == nil {
		return attrs
	}
	b, err := a.DataType.FillBytes(a.FillValue)
	if err != nil {
		return attrs
	}
	var f float64
	switch a.DataType {
	case zarr.Float32:
		f = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case zarr.Float64:
		f = math.Float64frombits(binary.LittleEndian.Uint64(b))
	case zarr.Int8, zarr.Int16, zarr.Int32, zarr.Int64, zarr.Uint8, zarr.Uint16, zarr.Uint32, zarr.Uint64:
		attrs[cf.AttrFillValue] = a.FillValue
		return attrs
	default:
		return attrs
	}
	bits := math.Float64bits(f)
	if math.IsNaN(f) {
		bits = 0x7ff8 << 48 // Go's has another bit
	}
	attrs[cf.AttrFillValue] = base64.StdEncoding.EncodeToString(binary.LittleEndian.AppendUint64(nil, bits))
	return attrs
}

// documents yields the documents of Zarr v2 by their keys.
func (s *Set) documents(yield func(key string, doc map[string]any) error) error {
	for _, g := range s.Groups {
		if err := yield(below(g.Path, ".zgroup"), map[string]any{"zarr_format": int64(2)}); err != nil {
			return err
		}
		attrs := g.Attributes
		if attrs == nil {
			attrs = map[string]any{}
		}
		if err := yield(below(g.Path, ".zattrs"), attrs); err != nil {
			return err
		}
	}
	for _, a := range s.Arrays {
		doc, err := zarray(a.Document)
		if err == nil {
			err = yield(below(a.Path, ".zarray"), doc)
		}
		if err == nil {
			err = yield(below(a.Path, ".zattrs"), zattrs(a.Document))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.Path, err)
		}
	}
	return nil
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// keys are the chunk keys of Zarr v2.
var keys = zarr.ChunkKeys{Name: "v2", Separator: "."}

func base64Text(data []byte) string { return "base64:" + base64.StdEncoding.EncodeToString(data) }
