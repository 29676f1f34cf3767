package zarr

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reuse"
)

// maxDocument bounds metadata documents: 100 000 consolidated arrays take about 60 MB.
const maxDocument = 1 << 30

// An Array reads the elements of an array of either format with a regular grid. Its methods may be
// called from several goroutines.
type Array struct {
	store   Store
	path    string
	meta    *ArrayMetadata
	element *Element
	chain   *chain
	rows    rowsDecoder // nil if rows of a chunk cannot be read alone
	fill    []byte      // one element
	shards  shardIndexes
}

// OpenArray opens the array at path ("" is the root) of a store. The document is checked here: the error is a
// [*FormatError] for an invalid document, and an [*UnsupportedError] for an extension that this package does
// not know.
func OpenArray(ctx context.Context, s Store, path string) (*Array, error) {
	node, err := readNode(ctx, s, path)
	if err != nil {
		return nil, err
	}
	return newArray(s, path, node)
}

func newArray(s Store, path string, node *wireNode) (*Array, error) {
	a := &Array{store: s, path: path}
	key := JoinKey(path, node.document)
	var err error
	a.meta, err = node.array()
	if opaque, ok := err.(*OpaqueError); ok {
		opaque.Path = path
	}
	if err != nil {
		return nil, inDocument(key, err)
	}
	if a.element, err = a.meta.Element(); err == nil {
		a.chain, err = a.meta.chain(a.element, decodersOf(s))
	}
	if err != nil {
		if !errors.As(err, new(*UnsupportedError)) {
			err = &FormatError{Field: "codecs", Err: err}
		}
		return nil, inDocument(key, err)
	}
	a.rows = a.chain.rowsDecoder()
	a.fill = a.chain.specs[0].fill
	return a, nil
}

// Path returns the path of the array in its store.
func (a *Array) Path() string { return a.path }

// Metadata returns the array's document. It must not be changed.
func (a *Array) Metadata() *ArrayMetadata { return a.meta }

// Element describes the elements. It must not be changed.
func (a *Array) Element() *Element { return a.element }

// Read reads the whole array into dst: little-endian elements in C order, exactly
// Metadata().Bytes() of them.
func (a *Array) Read(ctx context.Context, dst []byte) error {
	return a.ReadRegion(ctx, dst, make([]uint64, len(a.meta.Shape)), a.meta.Shape)
}

// ReadRegion reads count elements from start on along each dimension into dst: little-endian, in C
// order, exactly the product of count elements. Chunks that are not stored have the fill value.
// Chunks are fetched and decoded on GOMAXPROCS goroutines, small ones on four at least. Elements of any length are read with
// ReadStrings and ReadBlobs instead.
func (a *Array) ReadRegion(ctx context.Context, dst []byte, start, count []uint64) error {
	if a.element.anyLength() {
		return &UnsupportedError{What: fmt.Sprintf("%s: reading elements of the data type %s into memory of a fixed size", a.path, a.meta.DataType)}
	}
	if err := a.checkRegion(start, count); err != nil {
		return err
	}
	size, ok := nd.Bytes(count, a.element.Size)
	if !ok || size != int64(len(dst)) {
		return fault.Errorf("zarr", "%s: %d bytes for a region of %v %s", a.path, len(dst), count, a.meta.DataType)
	}
	if len(dst) == 0 {
		return nil
	}
	var rooms reuse.Buffers
	return a.eachChunk(ctx, start, count, func(ctx context.Context, p part) error {
		return a.readPart(ctx, nd.At(dst, count, p.into), p, &rooms)
	})
}

// readPart reads a region's part of one chunk. It decodes into the region if the whole chunk lies in it in
// one piece.
func (a *Array) readPart(ctx context.Context, target nd.Block, p part, rooms *reuse.Buffers) error {
	if s := a.chain.onlyShards(); s != nil {
		return a.readShard(ctx, s, target, p, rooms)
	}
	if a.InRows() && !slices.Equal(p.count, a.meta.ChunkShape) {
		return a.readRows(ctx, target, p, rooms)
	}
	size := a.chain.specs[0].size
	var room []byte
	if slices.Equal(p.count, a.meta.ChunkShape) {
		room = contiguous(target, p.count, a.element.Size)
	}
	direct := room != nil
	if !direct {
		room = rooms.Take(size)
	}
	data, _, err := a.chunk(ctx, room, p.index, rooms)
	switch {
	case errors.Is(err, ErrNotFound):
		nd.Fill(target, p.count, a.fill)
		return nil
	case err != nil:
		return err
	case direct && reuse.Shares(room, data):
		return nil
	}
	nd.Copy(target, nd.At(data, a.meta.ChunkShape, p.from), p.count, len(a.fill))
	if !direct {
		rooms.Put(data)
	}
	return nil
}

// contiguous is the memory of a box of an array if it is in one piece, else nil.
func contiguous(b nd.Block, count []uint64, size int) []byte {
	strides := nd.Strides(b.Shape, int64(size))
	if !nd.IsRun(count, strides, int64(size)) {
		return nil
	}
	at := int64(0)
	if b.Origin != nil {
		at = nd.Offset(b.Origin, strides)
	}
	end := at + int64(size)*int64(nd.Volume(count))
	return b.Data[at:end:end]
}

func (a *Array) checkRegion(start, count []uint64) error {
	shape := a.meta.Shape
	if len(start) != len(shape) || len(count) != len(shape) {
		return fault.Errorf("zarr", "%s: a region of %d and %d dimensions, expected %d", a.path, len(start), len(count), len(shape))
	}
	for i, n := range shape {
		if start[i] > n || count[i] > n-start[i] {
			return fault.Errorf("zarr", "%s: elements %d+%d of dimension %d, which has %d", a.path, start[i], count[i], i, n)
		}
	}
	return nil
}

// A part is the overlap of a region and one chunk.
type part struct {
	index []uint64 // of the chunk in the grid
	from  []uint64 // the first element in the chunk
	into  []uint64 // the same element in the region
	count []uint64
}

// inFlight is the least number of chunks that are fetched at a time, unless they are large: chunks of a server
// wait for its answers more than for processors. Of shards several parts are fetched at a time already.
const inFlight = 4

// eachChunk calls do for a region's part of each chunk, on several goroutines. The region is not empty.
func (a *Array) eachChunk(ctx context.Context, start, count []uint64, do func(context.Context, part) error) error {
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	if a.chain.specs[0].size < largeChunk && a.chain.onlyShards() == nil {
		workers = max(workers, inFlight)
	}
	group.SetLimit(workers)
	first, last := make([]uint64, len(start)), make([]uint64, len(start))
	for i, n := range a.meta.ChunkShape {
		first[i] = start[i] / n
		last[i] = (start[i] + count[i] - 1) / n
	}
	for index := range nd.Between(first, last) {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return do(ctx, a.part(index, start, count)) })
	}
	return group.Wait()
}

func (a *Array) part(index, start, count []uint64) part {
	dims := len(index)
	p := part{index, make([]uint64, dims), make([]uint64, dims), make([]uint64, dims)}
	for i := range dims {
		origin := index[i] * a.meta.ChunkShape[i] // cannot overflow: the chunk touches the array
		lo := max(origin, start[i])
		hi := start[i] + count[i]
		if end := origin + a.meta.ChunkShape[i]; end > origin {
			hi = min(hi, end)
		}
		p.from[i], p.into[i], p.count[i] = lo-origin, lo-start[i], hi-lo
	}
	return p
}

// Chunk returns the decoded chunk at a position of the grid: little-endian elements in C order, the
// whole chunk shape, also where the chunk extends beyond the edge of the array. The error for a
// chunk that is not stored is [ErrNotFound]: all its elements have the fill value.
func (a *Array) Chunk(ctx context.Context, index []uint64) ([]byte, error) {
	data, _, err := a.chunk(ctx, nil, index, new(reuse.Buffers))
	return data, err
}

// chunk decodes a chunk, perhaps in the memory of dst.
func (a *Array) chunk(ctx context.Context, dst []byte, index []uint64, rooms *reuse.Buffers) (data, texts []byte, err error) {
	key := JoinKey(a.path, a.meta.ChunkKeys.Key(index))
	stored, err := readAll(ctx, a.store, key, a.chain.stored(), rooms)
	if err != nil {
		return nil, nil, err
	}
	data, texts, err = a.chain.decode(dst, stored, a.chain.specs[0].size)
	if err != nil {
		return nil, nil, fault.Errorf("zarr", "%s: %w", key, err)
	}
	if a.chain.copies() && texts == nil {
		rooms.Put(stored)
	}
	return data, texts, nil
}
