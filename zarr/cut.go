package zarr

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/hyperslab"
	"github.com/tgmconv/tgmconv/internal/narrow"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// DatasetOptions configure a [DatasetView]. The zero value has the defaults.
type DatasetOptions struct {
	// Chunks cuts the chunks of fields: the number of elements along a dimension of that name.
	Chunks map[string]uint64
	// Single shows fields of float64 as float32.
	Single bool
	// Codec compresses chunks that are decoded.
	Codec WireCodec
	// NoNumcodecs decodes chunks that would have a codec of numcodecs, shuffle or zlib: these are not
	// in the specification, and tensorstore and GDAL do not have them.
	NoNumcodecs bool
	// SkipHashes turns off the checks of hashes. Without it each object is compared with its hash
	// when it is first read.
	SkipHashes bool
	// JoinSmall decodes fields whose chunks are small in the file, see [importers.Layout], and
	// shows them in larger ones.
	JoinSmall bool
}

// ParseChunks reads lengths for [DatasetOptions].Chunks: latitude=180,longitude=360. An empty text
// has none.
func ParseChunks(text string) (map[string]uint64, error) {
	if text == "" {
		return nil, nil
	}
	chunks := make(map[string]uint64)
	for part := range strings.SplitSeq(text, ",") {
		dim, number, ok := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.ParseUint(number, 10, 32)
		if !ok || dim == "" || err != nil || n == 0 {
			return nil, fmt.Errorf("%q, expected DIMENSION=NUMBER, such as latitude=180,longitude=360", text)
		}
		chunks[dim] = n
	}
	return chunks, nil
}

// keptFields bounds the decoded fields that are kept while their chunks are cut.
const keptFields = 256 << 20

// shownType is the type that the elements of a variable are shown with.
func (v *DatasetView) shownType(variable *dataset.Variable) tgm.DType {
	t := variable.Type()
	if v.opts.Single && t == tgm.Float64 && !variable.Coordinate {
		return tgm.Float32
	}
	return t
}

// Uncut lists the variables whose chunks are longer than [DatasetOptions].Chunks asks for, because
// an object has several positions along the dimension, but no fitting part of them: "x: 31 along
// time".
func (v *DatasetView) Uncut(ctx context.Context) (variables []string) {
	if len(v.opts.Chunks) == 0 {
		return nil
	}
	longer := func(variable *dataset.Variable, shape []uint64) (axis int) {
		return slices.IndexFunc(variable.Dims, func(dim string) bool {
			asked := v.opts.Chunks[dim]
			return asked > 0 && shape[slices.Index(variable.Dims, dim)] > asked
		})
	}
	for _, path := range slices.Sorted(maps.Keys(v.nodes)) {
		n := v.nodes[path]
		if n.variable == nil || n.variable.Computed() || n.variable.Coordinate || n.variable.Text != dataset.NotText || longer(n.variable, v.askedShape(n.variable)) < 0 {
			continue
		}
		v.align(ctx, n.parent) // it may lie in smaller chunks than objects
		shape := v.chunkShape(n)
		if axis := longer(n.variable, shape); axis >= 0 {
			variables = append(variables, fmt.Sprintf("%s: %d along %s", path, shape[axis], n.variable.Dims[axis]))
		}
	}
	return variables
}

// blocksShape is the shape of the chunks that a variable is shown in whose fields are read in
// blocks: those that are asked for, else the blocks.
func (v *DatasetView) blocksShape(variable *dataset.Variable, blocks []uint64) []uint64 {
	shape := v.askedShape(variable)
	for i, size := range blocks {
		if shape[i] == variable.Chunk[i] { // no other was asked for
			shape[i] = size
		}
	}
	return shape
}

// askedShape is the shape of chunks of wholes, and of the parts that [DatasetOptions.Chunks] asks
// for. Where a dimension has several objects, these are divided into equal parts.
func (v *DatasetView) askedShape(variable *dataset.Variable) []uint64 {
	shape := dataset.WholeChunk(variable.Chunk)
	if variable.Text != dataset.NotText || variable.Coordinate || variable.DType == tgm.BFloat16 || variable.DType == tgm.Bitmask {
		return shape
	}
	for i := range shape {
		switch n := v.opts.Chunks[variable.Dims[i]]; {
		case n == 0 || n >= shape[i]:
		case shape[i] >= variable.Shape[i]:
			shape[i] = n
		default:
			shape[i] = divisor(shape[i], n)
		}
	}
	return shape
}

// reshapes reports whether a variable is shown in other chunks, or as another type, than its fields
// have.
func (v *DatasetView) reshapes(variable *dataset.Variable) bool {
	return variable.Unpack != nil || v.shownType(variable) != variable.DType || !slices.Equal(v.askedShape(variable), dataset.WholeChunk(variable.Chunk))
}

// shown makes the chunk at a position of what a field holds: a part of it, or other types.
func (v *DatasetView) shown(n *datasetNode, index []uint64) (Chunk, error) {
	variable, shape := n.variable, v.chunkShape(n)
	field := slices.Clone(index)
	origin := make([]uint64, len(index))
	for i := range index {
		if whole := max(1, variable.Chunk[i]); shape[i] != whole { // cut
			if index[i] >= (variable.Shape[i]+shape[i]-1)/shape[i] {
				return Chunk{}, nodeNotFound(variable.Name)
			}
			field[i], origin[i] = index[i]*shape[i]/whole, index[i]*shape[i]%whole
		}
	}
	ref, ok := variable.Ref(field)
	if !ok {
		return Chunk{}, nodeNotFound(variable.Name)
	}
	whole, isObject, err := v.objectField(variable, ref)
	if err == nil && !isObject {
		whole, err = v.sourceField(variable, ref)
	}
	short := false
	if err == nil && variable.Short() {
		whole, short, err = padded(variable, whole)
	}
	if err != nil {
		return Chunk{}, err
	}
	target := v.shownType(variable)
	singles, _ := v.fields.(dataset.SingleSource)
	if isObject || variable.Unpack != nil || variable.Short() || variable.DType != tgm.Float64 || target != tgm.Float32 {
		singles = nil
	}
	size, ok := product(shape, target.Size())
	if !ok {
		return Chunk{}, fmt.Errorf("zarr: %s: the size of chunk %v does not fit 63 bits", variable.Name, shape)
	}
	isWhole := n.blocks == nil && slices.Equal(shape, variable.Chunk)
	own := !isWhole || whole.Own || whole.Stored != nil
	c := Chunk{Size: size, Own: own, Decode: func(buffer []byte) ([]byte, error) {
		var data []byte
		var err error
		switch {
		case n.blocks != nil:
			data, err = v.blockField(n, ref, shape, origin, buffer)
		case isWhole && singles != nil:
			return singleData(singles, variable, ref, buffer)
		case isWhole:
			data, err = fieldData(variable, whole, buffer) // no other chunk has elements of it
		default:
			data, err = v.cutField(variable, ref, whole, short, shape, origin)
		}
		if err == nil {
			data = shownAs(variable, target, data, own)
		}
		return data, err
	}}
	if whole.ETag != "" {
		c.ETag = whole.ETag[:len(whole.ETag)-1] + "-" + strconv.Itoa(target.Size()) + fmt.Sprint(origin, shape) + `"`
	}
	return c, nil
}

// ShownElements converts the elements of a variable, data, to the data type in which its array
// shows them: the same type, or float32. It reports false for other types. The result may use the
// memory of data.
func ShownElements(variable *dataset.Variable, dtype DataType, data []byte) ([]byte, bool) {
	switch t := variable.Type(); {
	case dtype == DataType(t.String()):
		return shownAs(variable, t, data, true), true
	case dtype == Float32 && t == tgm.Float64:
		return shownAs(variable, tgm.Float32, data, true), true
	}
	return nil, false
}

// shownAs are elements of a variable as values of its type, or as float32 where that is float64: in
// their own memory if nobody else has it.
func shownAs(variable *dataset.Variable, t tgm.DType, data []byte, own bool) []byte {
	shrink, of := t != variable.Type(), variable.Unpack
	if !own && (shrink || of != nil) {
		data = bytes.Clone(data)
	}
	switch {
	case of == nil:
	case of.Float(variable.DType):
		of.UnpackFloats(data)
	default:
		data = singleValues(data, variable.DType, of)
	}
	if shrink {
		narrow.Bytes(data, data)
		data = data[:len(data)/8*4]
	}
	return data
}

// wholeField decodes a field, or takes it from those that were decoded for other chunks.
func (v *DatasetView) wholeField(variable *dataset.Variable, ref int, c Chunk) ([]byte, error) {
	return v.whole.Get(context.Background(), strconv.Itoa(ref), func() ([]byte, error) {
		return fieldData(variable, c, nil)
	})
}

// fieldData decodes a field, in the memory of buffer if it has room.
func fieldData(variable *dataset.Variable, c Chunk, buffer []byte) ([]byte, error) {
	data, err := allOf(c, buffer)
	if want, _ := product(variable.Chunk, variable.DType.Size()); err == nil && int64(len(data)) != want {
		return nil, fmt.Errorf("zarr: %s: a field of %d bytes, expected %d", variable.Name, len(data), want)
	}
	return data, err
}

// singleData decodes a field of float64 to float32, in the memory of buffer if it has room.
func singleData(source dataset.SingleSource, variable *dataset.Variable, ref int, buffer []byte) ([]byte, error) {
	a, err := source.ReadSingle(context.Background(), ref, buffer) // for all who wait for the chunk
	if err != nil {
		return nil, err
	}
	if want, _ := product(variable.Chunk, a.DType.Size()); int64(len(a.Data)) != want {
		return nil, fmt.Errorf("zarr: %s: a field of %d bytes, expected %d", variable.Name, len(a.Data), want)
	}
	if a.DType == tgm.Float64 {
		return shownAs(variable, tgm.Float32, a.Data, true), nil
	}
	return a.Data, nil
}

// isKept reports whether a whole field is in memory.
func (v *DatasetView) isKept(ref int) bool {
	_, ok := v.whole.Lookup(strconv.Itoa(ref))
	return ok
}

// cut takes the chunk at origin out of a field, of which a block has at least its elements. What
// lies beyond the edge is 0.
func cut(field hyperslab.Block, variable *dataset.Variable, shape, origin []uint64) []byte {
	size := variable.DType.Size()
	total, _ := product(shape, size)
	out := hyperslab.At(make([]byte, total), shape, make([]uint64, len(shape)))
	n := make([]uint64, len(shape))
	for i := range n {
		n[i] = min(shape[i], max(1, variable.Chunk[i])-origin[i])
	}
	hyperslab.Copy(out, field, n, size)
	return out.Data
}

// singleValues are the float32 values of packed integers; missing points are NaN.
func singleValues(data []byte, dtype tgm.DType, s *mapping.Scaling) []byte {
	u := dataset.Unpacking{Scaling: *s, To: tgm.Float32}
	a, err := u.Values(&tgm.Array{DType: dtype, Data: data})
	if err != nil {
		panic(err) // integers are numbers
	}
	return a.Data
}
