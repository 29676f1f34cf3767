package tozarr

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/exporters/tozarr/internal/spill"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A plan describes a store to write.
type plan struct {
	arrays    []*arrayPlan
	groups    int
	documents []document // in the order of writing: the root last
	notes     []string
}

// A document is the text of a metadata document.
type document struct {
	key  string
	data []byte
}

// An arrayPlan describes an array to write, and its source.
type arrayPlan struct {
	view     serve.View
	path     string
	in, out  *zarr.ArrayMetadata
	source   *zarr.Coder // of chunks of the view
	coder    *zarr.Coder // of chunks of the store
	convert  converter
	fill     []byte
	opaque   bool     // elements have no fixed size: texts
	verbatim bool     // chunks are copied as the view stores them
	slab     []uint64 // shape of slabs
	reads    uint64   // number of times a chunk of the view is decoded, if it does not fit the memory
	// Appending: the first element of the view in the array, and the array as it was.
	offset  []uint64
	old     *zarr.Array
	growth  *textGrowth // of texts
	spill   *spill.File // for parts of chunks of the view; nil for none
	spilled sync.Map    // arrays whose parts are in spill, by the position of the chunk
	skip    bool        // the store has it already
	exact   bool        // has another type than Options.DType, being no data
}

// newPlan walks the view.
func newPlan(ctx context.Context, view serve.View, target Target, opts *Options) (*plan, error) {
	var err error
	if len(opts.Variables) > 0 {
		if view, err = newSubset(ctx, view, opts.Variables); err != nil {
			return nil, err
		}
	}
	p := new(plan)
	nodes := make(map[string]serve.Node)
	if err := collect(ctx, view, "", nodes); err != nil {
		return nil, err
	}
	labels := coordinates(nodes)
	lengths := make(groupLengths)
	for _, path := range fieldsFirst(nodes, labels) {
		node := nodes[path]
		if node.Array == nil {
			p.groups++
			continue
		}
		a, err := newArrayPlan(view, path, node.Array, labels[path], lengths.of(path), opts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p.arrays = append(p.arrays, a)
	}
	used := p.dimensions()
	for _, lengths := range []Lengths{opts.Chunks, opts.Shards} {
		for _, dim := range slices.Sorted(maps.Keys(lengths)) {
			if !used[dim] {
				return nil, unknownDimension(dim, used)
			}
		}
	}
	if err := p.extend(ctx, target, nodes, opts); err != nil {
		return nil, err
	}
	for _, a := range p.arrays {
		if err := a.finish(opts); err != nil {
			return nil, fmt.Errorf("%s: %w", a.path, err)
		}
		if a.reads > 1 {
			p.notes = append(p.notes, fmt.Sprintf("%s: the memory is too small for the parts of all fields; they are kept in a temporary file", a.path))
		}
	}
	return p, p.makeDocuments(ctx, nodes)
}

// dimensions are the names of the dimensions of the arrays.
func (p *plan) dimensions() map[string]bool {
	used := make(map[string]bool)
	for _, a := range p.arrays {
		for _, dim := range a.in.DimensionNames {
			used[dim] = true
		}
	}
	return used
}

func unknownDimension(dim string, used map[string]bool) error {
	if len(used) == 0 {
		return fmt.Errorf("no array has the dimension %s: all are scalars", dim)
	}
	return fmt.Errorf("no array has the dimension %s; there are %s", dim, strings.Join(slices.Sorted(maps.Keys(used)), ", "))
}

// collect gathers the nodes at a path and below it.
func collect(ctx context.Context, view serve.View, path string, nodes map[string]serve.Node) error {
	node, err := view.Node(ctx, path)
	if err != nil {
		return err
	}
	nodes[path] = node
	if node.Array != nil {
		return nil
	}
	children, err := view.Children(ctx, path)
	for _, name := range children {
		if err == nil {
			err = collect(ctx, view, join(path, name), nodes)
		}
	}
	return err
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// newArrayPlan chooses the chunks and codecs of an array. The chunks of labels follow lengths; the chunks of
// fields are added to lengths.
func newArrayPlan(view serve.View, path string, in *zarr.ArrayMetadata, label bool, lengths serve.ChunkLengths, opts *Options) (*arrayPlan, error) {
	out := *in
	a := &arrayPlan{view: view, path: path, in: in, out: &out, convert: same, offset: make([]uint64, len(in.Shape))}
	if a.opaque = in.DataType.Size() == 0; a.opaque {
		return a, nil
	}
	var err error
	if a.source, err = zarr.NewCoder(in); err != nil {
		return nil, err
	}
	switch {
	case opts.DType == "" || !isFloat(in.DataType):
	case label || roleOf(path, in) != cf.Data:
		a.exact = in.DataType != opts.DType
	default:
		if a.convert, err = conversion(in.DataType, opts.DType); err != nil {
			return nil, err
		}
		out.DataType, out.FillValue = opts.DType, opts.DType.DefaultFill()
	}
	chunk := slices.Clone(in.ChunkShape)
	var shard []uint64
	if label {
		chunk = lengths.Label(path[strings.LastIndexByte(path, '/')+1:], in.DimensionNames, in.Shape)
		if size := uint64(in.DataType.Size()); nd.Volume(chunk)*size > largestChunk && nd.Volume(in.ChunkShape) < nd.Volume(chunk) {
			chunk = slices.Clone(in.ChunkShape) // as many labels as a field has points
		}
		shard = labelShard(in, chunk, opts.Shards)
	} else {
		chunk = opts.Chunks.shape(in, capped(chunk, out.DataType.Size(), opts.Chunks, in.DimensionNames))
		lengths.Add(in.DimensionNames, chunk)
		shard, err = opts.Shards.shard(in, chunk)
	}
	if err != nil {
		return nil, err
	}
	out.ChunkShape = chunk
	if opts.Codec.Name == CodecSource && !a.source.Plain() && out.DataType == in.DataType && slices.Equal(chunk, in.ChunkShape) {
		out.Codecs = in.Codecs
	} else if out.Codecs, err = opts.Codec.chain(out.DataType); err != nil {
		return nil, err
	}
	if shard != nil {
		out.Codecs = []zarr.Codec{zarr.Sharding(chunk, out.Codecs)}
		out.ChunkShape = shard
	}
	return a, nil
}

// roleOf is the role that an array has by itself.
func roleOf(path string, a *zarr.ArrayMetadata) cf.Role {
	return cf.RoleOf(path[strings.LastIndexByte(path, '/')+1:], a.DimensionNames, func(name string) (string, bool) {
		v, ok := a.Attributes[name]
		text, _ := v.(string)
		return text, ok
	})
}

func isFloat(t zarr.DataType) bool {
	return t == zarr.Float64 || t == zarr.Float32 || t == zarr.Float16
}

// finish sets the fields that follow from the document of the array.
func (a *arrayPlan) finish(opts *Options) (err error) {
	if a.opaque {
		a.chooseTextSlab()
		a.verbatim = a.growth == nil
		return nil
	}
	if a.fill, err = a.out.DataType.FillBytes(a.out.FillValue); err != nil {
		return err
	}
	if a.coder, err = zarr.NewCoder(a.out); err != nil {
		return err
	}
	a.verbatim = a.old == nil && a.in.DataType == a.out.DataType && slices.Equal(a.in.ChunkShape, a.out.ChunkShape) &&
		reflect.DeepEqual(a.in.Codecs, a.out.Codecs) && !a.shifted()
	if n, limit := a.coder.Size(), opts.MaxMemory/2; n > limit {
		return fmt.Errorf("a chunk or shard of %v elements takes %d bytes; the memory allowed must be at least twice that, and is %d",
			a.out.ChunkShape, n, opts.MaxMemory)
	}
	a.chooseSlab(opts.MaxMemory / 3)
	return nil
}

func (a *arrayPlan) shifted() bool {
	return slices.ContainsFunc(a.offset, func(n uint64) bool { return n != 0 })
}

// chooseSlab makes slabs large enough to decode each chunk of the view once, as far as they fit
// limit bytes.
func (a *arrayPlan) chooseSlab(limit int64) {
	size := int64(a.out.DataType.Size())
	a.slab, a.reads = slices.Clone(a.out.ChunkShape), 1
	for i, chunk := range slices.Backward(a.out.ChunkShape) {
		end := roundUp(a.out.Shape[i], chunk)
		want := min(lcm(chunk, a.in.ChunkShape[i]), max(end, chunk))
		rest := int64(nd.Volume(a.slab)) / int64(a.slab[i]) * size // bytes of one element along i
		fits := max(uint64(limit/rest)/chunk*chunk, chunk)
		a.slab[i] = min(want, fits)
		if pieces := min(want, roundUp(a.in.ChunkShape[i], chunk)); a.slab[i] < pieces {
			a.reads *= (pieces + a.slab[i] - 1) / a.slab[i]
		}
	}
}

func lcm(a, b uint64) uint64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if n := a / x; b < 1<<40 && n < 1<<20 {
		return n * b
	}
	return max(a, b)
}

// weight is the memory that writing a slab takes: its elements, and the chunks they are decoded from or
// encoded to.
func (a *arrayPlan) weight(s *slab) int64 {
	if a.growth != nil {
		return max(textWeight, 2*int64(nd.Volume(s.shape))*int64(16+a.growth.before.width))
	}
	if a.opaque {
		return textWeight
	}
	return 2 * max(s.bytes(), a.source.Size())
}

// textWeight is assumed of a chunk of texts.
const textWeight = 1 << 20

// bytes is the size of the elements of all slabs.
func (a *arrayPlan) bytes() int64 {
	n := int64(0)
	for s := range a.slabs() {
		n += s.bytes()
	}
	return n
}

// key is the key of a chunk.
func (a *arrayPlan) key(index []uint64) string { return join(a.path, a.out.ChunkKeys.Key(index)) }

// makeDocuments makes the documents of the plan.
func (p *plan) makeDocuments(ctx context.Context, nodes map[string]serve.Node) (err error) {
	for _, a := range p.arrays {
		nodes[a.path] = serve.Node{Array: a.out}
	}
	p.documents, err = documentsOf(ctx, nodes)
	return err
}

// documentsOf makes the documents of nodes by their paths: of arrays, then of groups, from the
// deepest up.
func documentsOf(ctx context.Context, nodes map[string]serve.Node) (documents []document, err error) {
	store := serve.NewStore(planned{nodes}, serve.StoreOptions{CacheBytes: -1})
	paths := slices.SortedFunc(maps.Keys(nodes), func(a, b string) int {
		if d := depth(b) - depth(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, group := range []bool{false, true} {
		for _, path := range paths {
			if (nodes[path].Group != nil) != group {
				continue
			}
			key := join(path, "zarr.json")
			data, err := zarr.ReadAll(ctx, store, key, 1<<30)
			if err != nil {
				return nil, err
			}
			documents = append(documents, document{key, data})
		}
	}
	return documents, nil
}

// depth is the number of names in a path.
func depth(path string) int {
	if path == "" {
		return 0
	}
	return 1 + strings.Count(path, "/")
}

// fingerprint tells plans apart: by their documents, their source, and where appended elements begin.
func (p *plan) fingerprint(opts *Options) string {
	h := xxh3.New()
	for _, d := range p.documents {
		h.WriteString(d.key)
		h.Write(d.data)
	}
	for _, a := range p.arrays {
		text, _ := json.Marshal([]any{a.path, a.offset, a.in.ChunkShape, a.in.Shape})
		h.Write(text)
	}
	h.WriteString(opts.Source)
	return fmt.Sprintf("%016x", h.Sum64())
}

// rootHash is the hash of the document of the root.
func (p *plan) rootHash() string {
	for _, d := range p.documents {
		if d.key == rootKey {
			return hashText(d.data)
		}
	}
	return ""
}

// planned is the view of the nodes of a plan, which has no chunks.
type planned struct{ nodes map[string]serve.Node }

// Node implements serve.View.
func (v planned) Node(_ context.Context, path string) (serve.Node, error) {
	n, ok := v.nodes[path]
	if !ok {
		return n, zarr.ErrNotFound
	}
	return n, nil
}

// Children implements serve.View.
func (v planned) Children(_ context.Context, path string) ([]string, error) {
	var names []string
	for p := range v.nodes {
		parent, name := "", p
		if i := strings.LastIndexByte(p, '/'); i >= 0 {
			parent, name = p[:i], p[i+1:]
		}
		if p != "" && parent == path {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Chunk implements serve.View.
func (v planned) Chunk(context.Context, string, []uint64) (serve.Chunk, error) {
	return serve.Chunk{}, zarr.ErrNotFound
}
