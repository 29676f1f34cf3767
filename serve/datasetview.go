package serve

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// DatasetView shows a labelled dataset: a group for each group, an array for each variable, a chunk
// for each object. Chunks that no object holds are absent and read as the fill value: NaN, or the
// least value of an integer type (the greatest of an unsigned one).
//
// Chunks that other programs can decode are served as they are stored in the files: zstd frames with
// or without shuffle of Tensogram files, chunks of netCDF files that are plain or have the filters
// deflate, shuffle, zstd and Blosc, and chunks of .tet files. An array has one chain of codecs, so
// all its objects must be stored in the same way; else they are decoded. So are chunks with codecs of
// numcodecs, if [DatasetOptions].NoNumcodecs is set.
type DatasetView struct {
	set    *dataset.Dataset
	fields dataset.Fields
	opts   DatasetOptions
	nodes  map[string]*datasetNode
	hashes verifier
	texts  *lru.Cache[[]byte] // chunks of texts, whose size is known only when they are decoded
	whole  *lru.Cache[[]byte] // of fields that are cut into chunks
	asked  asked
	wire   *wire

	follower
}

// A datasetNode is a group, or a variable in it.
type datasetNode struct {
	group    *dataset.Group
	variable *dataset.Variable
	keys     zarr.ChunkKeys // of a variable
	parent   *datasetNode   // of a variable
	children []string
	fields   []*datasetNode // children that are neither computed nor texts
	chunks   groupChunks    // of a group

	passage *passage // of a variable; nil when its chunks are decoded
	blocks  []uint64 // shape of the parts of a field that are read at once; nil when all of it is
	parts   []uint64 // shape of the parts that a large object is shown in; nil when it is not
	aligned []uint64 // shape of chunks aligned with other fields; nil when it keeps its own
}

// NewDatasetView returns the view of a dataset whose values fields reads.
func NewDatasetView(set *dataset.Dataset, fields dataset.Fields, opts DatasetOptions) *DatasetView {
	v := &DatasetView{set: set, fields: fields, opts: opts, nodes: make(map[string]*datasetNode)}
	v.hashes.skip = opts.SkipHashes
	v.texts = lru.New(lru.Options[[]byte]{Limit: maxTextChunk, Cost: bytesCost})
	v.whole = lru.New(lru.Options[[]byte]{Limit: keptFields, Cost: bytesCost})
	v.wire = newWire(opts.Codec)
	paths := NewDatasetPaths(set)
	for _, g := range set.Groups {
		v.addGroup(paths, g)
	}
	return v
}

func (v *DatasetView) addGroup(paths *DatasetPaths, g *dataset.Group) {
	path := paths.Group(g)
	n := v.folder(path)
	n.group = g
	for _, variable := range g.Variables {
		child := paths.Variable(g, variable)
		c := &datasetNode{variable: variable, keys: zarr.DefaultKeys, parent: n}
		v.nodes[child] = c
		n.children = append(n.children, child[strings.LastIndexByte(child, '/')+1:])
		if !variable.Computed() && variable.Text == dataset.NotText {
			n.fields = append(n.fields, c)
		}
	}
}

// folder is the node of a group, which is added to its parent when it is new.
func (v *DatasetView) folder(path string) *datasetNode {
	if n := v.nodes[path]; n != nil {
		return n
	}
	n := &datasetNode{group: new(dataset.Group)}
	v.nodes[path] = n
	if path != "" {
		parent, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			parent, name = path[:i], path[i+1:]
		}
		p := v.folder(parent)
		p.children = append(p.children, name)
	}
	return n
}

func (v *DatasetView) node(path string) (*datasetNode, error) {
	n := v.nodes[path]
	if n == nil {
		return nil, nodeNotFound(path)
	}
	return n, nil
}

// Node implements View.
func (v *DatasetView) Node(ctx context.Context, path string) (Node, error) {
	n, err := v.node(path)
	if err != nil {
		return Node{}, err
	}
	if n.group != nil {
		return Node{Group: &zarr.GroupMetadata{Attributes: groupAttributes(n.group)}}, nil
	}
	v.align(ctx, n.parent)
	array, err := v.variableMetadata(n.variable)
	switch {
	case err != nil:
	case n.variable.Computed():
		array.ChunkShape = textDims(n.variable, v.labelShape(ctx, n))
	case n.variable.Text == dataset.NotText:
		array.ChunkShape = v.chunkShape(n)
		if n.passage != nil {
			array.Codecs = n.passage.codecs
		}
	}
	if err != nil {
		return Node{}, err
	}
	array.ChunkKeys = n.keys
	return Node{Array: array}, nil
}

// chunkKeys implements keyedView.
func (v *DatasetView) chunkKeys(path string) (keys zarr.ChunkKeys, dims int, err error) {
	n := v.nodes[path]
	if n == nil || n.variable == nil {
		return zarr.ChunkKeys{}, 0, zarr.ErrNotFound
	}
	return n.keys, n.dims(), nil
}

// dims is the number of dimensions of the array of a variable.
func (n *datasetNode) dims() int {
	if hasByteDim(n.variable) {
		return len(n.variable.Shape) - 1
	}
	return len(n.variable.Shape)
}

// chunkShape is the shape of the chunks of a field that was looked at.
func (v *DatasetView) chunkShape(n *datasetNode) []uint64 {
	switch {
	case n.passage != nil:
		return n.passage.chunk
	case n.aligned != nil:
		return slices.Clone(n.aligned)
	case n.blocks != nil:
		return v.blocksShape(n.variable, n.blocks)
	case n.parts != nil:
		return v.blocksShape(n.variable, n.parts)
	}
	return v.askedShape(n.variable)
}

// look finds out how the chunks of a field are shown: as they lie in the files, or decoded, in
// blocks or as wholes.
func (v *DatasetView) look(ctx context.Context, n *datasetNode) {
	if n.passage = v.shownPassage(ctx, n.variable); n.passage != nil {
		return
	}
	if n.blocks = v.blockShape(ctx, n.variable); n.blocks == nil {
		n.parts = v.largeShape(n.variable)
	}
}

// shownPassage tells how the stored chunks of a variable are shown; it is nil if they are decoded.
func (v *DatasetView) shownPassage(ctx context.Context, variable *dataset.Variable) *passage {
	if v.reshapes(variable) {
		return nil
	}
	p, err := passageOf(ctx, v.fields, variable, false)
	if err != nil || v.opts.JoinSmall && p.layout.Small || len(p.layout.Transforms) == 0 && p.ofObject() {
		return nil // read through the object
	}
	if p.ofObject() && v.inflates(variable) {
		return nil // in parts, which clients do not decode as a whole
	}
	if v.opts.NoNumcodecs && slices.ContainsFunc(p.codecs, func(c zarr.Codec) bool { return c.Name == zarr.ShuffleName || c.Name == zarr.ZlibName }) {
		return nil
	}
	return p
}

// Children implements View.
func (v *DatasetView) Children(_ context.Context, path string) ([]string, error) {
	n, err := v.node(path)
	if err != nil {
		return nil, err
	}
	return n.children, nil
}

// groupAttributes are the attributes of a group. As xarray itself does, they name the coordinates
// that no variable names, such as bounds, which would be data variables otherwise.
func groupAttributes(g *dataset.Group) map[string]any {
	m := attributeMap(g.Attrs)
	named := make(map[string]bool)
	for _, v := range g.Variables {
		if text, ok := v.Attr(coordinatesKey).(string); ok {
			for _, name := range strings.Fields(text) {
				named[name] = true
			}
		}
	}
	var others []string
	for _, v := range g.Variables {
		if v.Coordinate && v.Computed() && !isIndex(v) && !named[v.Name] {
			others = append(others, v.Name)
		}
	}
	if m[coordinatesKey] == nil && len(others) > 0 {
		m[coordinatesKey] = strings.Join(others, " ")
	}
	return m
}

const coordinatesKey = cf.AttrCoordinates

func attributeMap(attrs []dataset.Attribute) map[string]any {
	m := make(map[string]any, len(attrs))
	for _, a := range attrs {
		m[a.Key] = a.Value
	}
	return m
}

// variableMetadata is the document of a variable.
func (view *DatasetView) variableMetadata(v *dataset.Variable) (*zarr.ArrayMetadata, error) {
	if v.Text != dataset.NotText {
		return textMetadata(v)
	}
	stored, err := elementsAs(view.shownType(v), v.Shape)
	if err != nil {
		return nil, fault.Errorf("serve", "%s: %w", v.Name, err)
	}
	codecs := stored.codecs
	if view.wire.compresses(v) {
		if codecs, err = view.wire.codec.chain(stored.dataType); err != nil {
			return nil, err
		}
	}
	return &zarr.ArrayMetadata{
		Shape: append([]uint64{}, v.Shape...), DataType: stored.dataType, ChunkShape: view.askedShape(v), ChunkKeys: zarr.DefaultKeys,
		FillValue: absentValue(stored.dataType), Codecs: codecs, DimensionNames: v.Dims, Attributes: attributeMap(v.Attrs),
	}, nil
}

// absentValue is the fill value of a dataset's arrays. GDAL takes it for the value of missing
// points, so that 0 would hide real zeros.
func absentValue(t zarr.DataType) any {
	switch t {
	case "int8":
		return int64(math.MinInt8)
	case "int16":
		return int64(math.MinInt16)
	case "int32":
		return int64(math.MinInt32)
	case "int64":
		return int64(math.MinInt64)
	case "uint8":
		return int64(math.MaxUint8)
	case "uint16":
		return int64(math.MaxUint16)
	case "uint32":
		return uint64(math.MaxUint32)
	case "uint64":
		return uint64(math.MaxUint64)
	}
	return t.DefaultFill()
}

// Chunk implements View.
func (v *DatasetView) Chunk(ctx context.Context, path string, index []uint64) (Chunk, error) {
	n, err := v.node(path)
	if err != nil {
		return Chunk{}, err
	}
	if n.variable != nil && hasByteDim(n.variable) {
		index = append(slices.Clone(index), 0) // the bytes of a text are not cut
	}
	if n.variable == nil || len(index) != len(n.variable.Shape) || slices.Contains(n.variable.Shape, 0) {
		return Chunk{}, nodeNotFound(path)
	}
	if n.variable.Computed() && n.variable.Text != dataset.NotText {
		return labelTexts(n.variable, index)
	}
	if n.variable.Computed() {
		return v.labelChunk(ctx, path, n, index)
	}
	v.align(ctx, n.parent)
	if err := v.absent(n, index); err != nil {
		return Chunk{}, err
	}
	if n.passage != nil {
		return v.storedChunk(ctx, n.passage, index)
	}
	c, err := v.elementsChunk(ctx, n, index)
	if err != nil || !v.wire.compresses(n.variable) {
		return c, err
	}
	meta, err := v.variableMetadata(n.variable)
	if err != nil {
		return Chunk{}, err
	}
	meta.ChunkShape = v.chunkShape(n)
	return v.wire.chunk(ctx, zarr.JoinKey(path, zarr.DefaultKeys.Key(index)), meta, c)
}

// elementsChunk is a chunk of elements that are decoded, or of texts.
func (v *DatasetView) elementsChunk(ctx context.Context, n *datasetNode, index []uint64) (Chunk, error) {
	variable := n.variable
	if n.blocks != nil || n.parts != nil || n.aligned != nil || v.reshapes(variable) || isShort(variable) {
		return v.shown(n, index)
	}
	ref, ok := variable.Ref(index)
	if !ok {
		return Chunk{}, nodeNotFound(variable.Name)
	}
	if variable.Text == dataset.TextUTF8 {
		return v.textChunk(ctx, variable, ref)
	}
	return v.fieldChunk(variable, ref)
}

// isShort reports whether fields may have fewer elements than a chunk of their variable.
func isShort(v *dataset.Variable) bool {
	return v.Short() && v.Text != dataset.TextUTF8 && v.DType != tgm.BFloat16 && v.DType != tgm.Bitmask
}

// fieldChunk is the chunk that a field is.
func (v *DatasetView) fieldChunk(variable *dataset.Variable, ref int) (Chunk, error) {
	c, isObject, err := v.objectField(variable, ref)
	if !isObject && err == nil {
		c, err = v.sourceField(variable, ref)
	}
	if err != nil || variable.DType == tgm.BFloat16 || variable.DType == tgm.Bitmask {
		return c, err
	}
	c.Array = func(ctx context.Context) (array.Array, error) {
		a, err := v.fields.Array(ctx, ref)
		if err != nil {
			return nil, err
		}
		return asChunk(variable, a)
	}
	return c, nil
}

// objectField is the chunk made of an object of a Tensogram file; false if the field is not such an
// object.
func (v *DatasetView) objectField(variable *dataset.Variable, ref int) (c Chunk, isObject bool, err error) {
	object, err := v.fields.Object(ref)
	if object == nil || err != nil {
		return Chunk{}, false, err
	}
	g := v.guard(ref, object)
	c, err = elementChunk(object, v.fields.Version(ref), g)
	return c, true, g.located(err)
}

// sourceField is the chunk that a field of a file that is not Tensogram is.
func (v *DatasetView) sourceField(variable *dataset.Variable, ref int) (Chunk, error) {
	want, ok := nd.Bytes(variable.Chunk, zarr.DataType(variable.DType.String()).Size())
	if !ok {
		return Chunk{}, fault.Errorf("serve", "%s: the size of chunk %v does not fit 63 bits", variable.Name, variable.Chunk)
	}
	tag := ""
	if version := v.fields.Version(ref); version != "" {
		tag = `"` + version + `"`
	}
	return Chunk{Size: want, ETag: tag, Own: true, Decode: func(buffer []byte) ([]byte, error) {
		// All who wait for the chunk share this call, so that no request's context may end it.
		a, err := dataset.Read(context.Background(), v.fields, ref, buffer)
		if err != nil {
			return nil, err
		}
		return a.Data, nil
	}}, nil
}
