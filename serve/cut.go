package serve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
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
	// Growing gives labels along which files follow one another chunks with room for more. Arrays then grow
	// without other chunks.
	Growing bool
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

// Uncut lists the variables with longer chunks than [DatasetOptions].Chunks asks for: "x: 31 along time".
// Their objects have several positions along the dimension, but no fitting part.
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

// blocksShape is the shape of the chunks of a variable whose fields are read in blocks: the requested shape,
// else the blocks.
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
	shape := array.WholeBlock(variable.Chunk)
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
	return variable.Unpack != nil || v.shownType(variable) != variable.DType || !slices.Equal(v.askedShape(variable), array.WholeBlock(variable.Chunk))
}

// shown makes the chunk at a position from the elements of a field: a part of it, or other types.
func (v *DatasetView) shown(n *datasetNode, index []uint64) (Chunk, error) {
	variable, shape := n.variable, v.chunkShape(n)
	field := slices.Clone(index)
	part := array.Region{Start: make([]uint64, len(index)), Count: shape}
	for i := range index {
		if whole := max(1, variable.Chunk[i]); shape[i] != whole { // cut
			if index[i] >= (variable.Shape[i]+shape[i]-1)/shape[i] {
				return Chunk{}, nodeNotFound(variable.Name)
			}
			field[i], part.Start[i] = index[i]*shape[i]/whole, index[i]*shape[i]%whole
		}
	}
	ref, ok := variable.Ref(field)
	if !ok {
		return Chunk{}, nodeNotFound(variable.Name)
	}
	target := v.shownType(variable)
	size, ok := nd.Bytes(shape, target.Size())
	if !ok {
		return Chunk{}, fault.Errorf("serve", "%s: the size of chunk %v does not fit 63 bits", variable.Name, shape)
	}
	whole := slices.Equal(shape, variable.Chunk)
	tag, err := v.tag(ref)
	if tag != "" && (!whole || v.reshapes(variable)) {
		tag = tag[:len(tag)-1] + "-" + strconv.Itoa(target.Size()) + fmt.Sprint(part.Start, shape) + `"`
	}
	open := func(ctx context.Context, cached bool) (array.Array, error) {
		a, err := v.fields.Array(ctx, ref)
		if err == nil {
			a, err = asChunk(variable, a)
		}
		if err == nil && cached {
			a = v.cached(a, ref, n.blocks)
		}
		if err != nil {
			return nil, err
		}
		return v.shownArray(variable, a, part)
	}
	g := v.guard(ref, nil)
	return Chunk{Size: size, ETag: tag, Own: true, Wrap: g.wrap, Decode: g.decoder(func(buffer []byte) ([]byte, error) {
		ctx := context.Background() // for all who wait for the chunk
		a, err := open(ctx, !whole) // else no other chunk has elements of it
		if err != nil {
			return nil, err
		}
		return array.Read(ctx, a, part, buffer)
	}), Array: func(ctx context.Context) (array.Array, error) {
		a, err := open(ctx, false)
		if err != nil {
			return nil, err
		}
		return array.Cut(a, part), nil
	}}, err
}

// tag is the entity tag of a field, "" if that is not known.
func (v *DatasetView) tag(ref int) (string, error) {
	version := v.fields.Version(ref)
	object, err := v.fields.Object(ref)
	switch {
	case object != nil:
		return entityTag(object, version), nil
	case version == "" || err != nil:
		return "", err
	}
	return `"` + version + `"`, nil
}

// asChunk is the array of a field with the dimensions of the variable. It is as large as its chunks, or
// shorter.
func asChunk(variable *dataset.Variable, a array.Array) (array.Array, error) {
	shape := slices.Clone(variable.Chunk)
	if variable.Short() {
		shape[0] = a.Info().Whole().Elements() / max(1, nd.Volume(shape[1:]))
	}
	of, err := array.Reshape(a, shape)
	if err == nil && len(shape) > 0 && shape[0] > variable.Chunk[0] {
		err = fmt.Errorf("array: shape %v", shape)
	}
	if err != nil {
		return nil, fault.Errorf("serve", "%s: a field of shape %v, expected %v", variable.Name, a.Info().Shape, variable.Chunk)
	}
	return of, nil
}

// shownArray is the array of a field as it is shown: with fill values where it is shorter than a chunk
// of the variable, and with the values of the type that is shown. It has the elements of the part,
// which are 0 beyond the edge of the chunk.
func (v *DatasetView) shownArray(variable *dataset.Variable, a array.Array, part array.Region) (array.Array, error) {
	if !slices.Equal(a.Info().Shape, variable.Chunk) {
		a = array.Pad(a, variable.Chunk, fillBytes(variable))
	}
	over := slices.Clone(variable.Chunk)
	for i := range over {
		over[i] = max(over[i], part.Start[i]+part.Count[i])
	}
	if !slices.Equal(over, variable.Chunk) {
		a = array.Pad(a, over, make([]byte, variable.DType.Size()))
	}
	a, err := variable.Values(a)
	if err == nil && v.shownType(variable) == tgm.Float32 {
		a = array.Single(a)
	}
	return a, err
}

// fillBytes is the element of a variable that its array is filled with, 0 of texts.
func fillBytes(variable *dataset.Variable) []byte {
	t := zarr.DataType(variable.DType.String())
	if variable.Text == dataset.NotText {
		if fill, err := t.FillBytes(absentValue(t)); err == nil && len(fill) == variable.DType.Size() {
			return fill
		}
	}
	return make([]byte, max(1, variable.DType.Size()))
}
