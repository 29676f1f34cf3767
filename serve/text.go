package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// The data types of texts (zarr-extensions, data-types). Texts whose encoding nothing states are
// bytes of a fixed length, as xarray sees the characters of a netCDF file.
const (
	textBytes zarr.DataType = "null_terminated_bytes"
	textUTF8  zarr.DataType = "string"
)

// textLength is the number of bytes of each text of a variable: one, which no chunk holds, if the
// dimension of the bytes has no elements. Data types of texts of no bytes do not exist.
func textLength(v *dataset.Variable) uint64 {
	if !hasByteDim(v) {
		return 1
	}
	return max(1, v.Shape[len(v.Shape)-1])
}

// hasByteDim reports whether the last dimension of a variable is the bytes of a text.
func hasByteDim(v *dataset.Variable) bool {
	return (v.Text == dataset.TextBytes || v.Text == dataset.TextUTF8) && len(v.Shape) > 0
}

// textDims returns a list of an element per dimension, without the dimension of the bytes of a text.
func textDims[T any](v *dataset.Variable, list []T) []T {
	if hasByteDim(v) {
		list = list[:len(list)-1]
	}
	return append([]T{}, list...)
}

// textMetadata is the document of a variable of texts.
func textMetadata(v *dataset.Variable) (*zarr.ArrayMetadata, error) {
	length := textLength(v)
	if length > math.MaxInt32 {
		return nil, fault.Errorf("serve", "%s: texts of %d bytes, expected at most %d", v.Name, length, math.MaxInt32)
	}
	chunk := textDims(v, v.Chunk)
	for i := range chunk {
		chunk[i] = max(1, chunk[i])
	}
	fill := v.FillText()
	if hasByteDim(v) && v.Shape[len(v.Shape)-1] == 0 {
		fill = "" // the value of texts of no bytes, which no chunk holds
	}
	a := &zarr.ArrayMetadata{
		Shape: textDims(v, v.Shape), ChunkShape: chunk, ChunkKeys: zarr.DefaultKeys, FillValue: fill,
		DimensionNames: textDims(v, v.Dims), Attributes: attributeMap(v.Attrs),
	}
	if v.Text != dataset.TextUTF8 {
		a.DataType, a.DataTypeConfig = textBytes, map[string]any{"length_bytes": length}
		a.FillValue = []byte(fill)
		a.Codecs = []zarr.Codec{{Name: "bytes"}}
	} else {
		a.DataType, a.Codecs = textUTF8, []zarr.Codec{{Name: "vlen-utf8", Configuration: map[string]any{}}}
	}
	return a, nil
}

// maxTextChunk bounds the chunks of texts whose size is known only after they were decoded.
const maxTextChunk = 64 << 20

// textChunk is a chunk in the codec vlen-utf8: the number of texts, and each with its length before
// it.
func (v *DatasetView) textChunk(ctx context.Context, variable *dataset.Variable, ref int) (Chunk, error) {
	texts, _ := nd.Bytes(textDims(variable, variable.Chunk), 1)
	if size, ok := nd.Bytes(variable.Chunk, 1); !ok || size > maxTextChunk {
		return Chunk{}, &zarr.UnsupportedError{What: fmt.Sprintf("a chunk of texts larger than %d bytes", maxTextChunk)}
	}
	key := fmt.Sprint(ref, v.fields.Version(ref))
	data, err := v.texts.Get(ctx, key, func() ([]byte, error) {
		a, err := dataset.Read(context.Background(), v.fields, ref, nil)
		if err != nil {
			return nil, err
		}
		return encodeTexts(a, textLength(variable), texts)
	})
	if err != nil {
		return Chunk{}, err
	}
	return Chunk{Size: int64(len(data)), Stored: bytes.NewReader(data)}, nil
}

// labelTexts is the single chunk of a computed coordinate of texts.
func labelTexts(variable *dataset.Variable, index []uint64) (Chunk, error) {
	for _, at := range index {
		if at > 0 {
			return Chunk{}, nodeNotFound(variable.Name)
		}
	}
	data, err := variable.Data()
	if err != nil {
		return Chunk{}, err
	}
	texts, _ := nd.Bytes(textDims(variable, variable.Shape), 1)
	encoded, err := encodeTexts(&tgm.Array{DType: variable.DType, Data: data}, textLength(variable), texts)
	return Chunk{Size: int64(len(encoded)), Stored: bytes.NewReader(encoded)}, err
}

// encodeTexts encodes texts of length bytes each, and as many empty ones after them as make count:
// the object of the last chunk may have fewer.
func encodeTexts(a *tgm.Array, length uint64, count int64) ([]byte, error) {
	n := int(length)
	if a.DType != tgm.Uint8 || len(a.Data)%n != 0 || int64(len(a.Data)/n) > count {
		return nil, errors.New("the object does not hold texts any more")
	}
	missing := int(count) - len(a.Data)/n
	out := binary.LittleEndian.AppendUint32(nil, uint32(count))
	for data := a.Data; len(data) > 0; data = data[n:] {
		text := bytes.ToValidUTF8(bytes.TrimRight(data[:n], "\x00"), []byte("\ufffd"))
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), text...)
	}
	return append(out, make([]byte, 4*missing)...), nil
}
