package zarr

import (
	"context"
	"errors"
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// maxDocument bounds metadata documents: 100 000 consolidated arrays take about 60 MB.
const maxDocument = 1 << 30

// An Array reads the elements of a Zarr v3 array with a regular grid and the codecs bytes,
// sharding_indexed, zstd, gzip, blosc, crc32c, numcodecs.shuffle and numcodecs.zlib. Its methods
// may be called from several goroutines.
type Array struct {
	store Store
	path  string
	meta  *ArrayMetadata
	chain *chain
	fill  []byte // one element
}

// OpenArray opens the array at path ("" is the root) of a store. The document is checked here: the
// error is a [*FormatError] for one that is not valid, and an [*UnsupportedError] for an extension
// that this package does not know.
func OpenArray(ctx context.Context, s Store, path string) (*Array, error) {
	key := JoinKey(path, "zarr.json")
	data, err := ReadAll(ctx, s, key, maxDocument)
	if err != nil {
		return nil, err
	}
	node, err := parseNode(data)
	if err != nil {
		return nil, inDocument(key, err)
	}
	return newArray(s, path, node)
}

func newArray(s Store, path string, node *wireNode) (*Array, error) {
	meta, err := node.array()
	if opaque, ok := err.(*OpaqueError); ok {
		opaque.Path = path
	}
	if err != nil {
		return nil, inDocument(JoinKey(path, "zarr.json"), err)
	}
	fill, err := meta.DataType.FillBytes(meta.FillValue)
	if err != nil {
		return nil, err
	}
	chain, err := newChain(meta.Codecs, meta.DataType, meta.ChunkShape, fill)
	if err != nil {
		if !errors.As(err, new(*UnsupportedError)) {
			err = &FormatError{Field: "codecs", Err: err}
		}
		return nil, inDocument(JoinKey(path, "zarr.json"), err)
	}
	return &Array{store: s, path: path, meta: meta, chain: chain, fill: fill}, nil
}

// Path returns the path of the array in its store.
func (a *Array) Path() string { return a.path }

// Metadata returns the array's document. It must not be changed.
func (a *Array) Metadata() *ArrayMetadata { return a.meta }

// Read reads the whole array into dst: little-endian elements in C order, exactly
// Metadata().Bytes() of them.
func (a *Array) Read(ctx context.Context, dst []byte) error {
	return a.ReadRegion(ctx, dst, make([]uint64, len(a.meta.Shape)), a.meta.Shape)
}

// ReadRegion reads count elements from start on along each dimension into dst: little-endian, in C
// order, exactly the product of count elements. Chunks that are not stored have the fill value.
// Chunks are fetched and decoded on GOMAXPROCS goroutines.
func (a *Array) ReadRegion(ctx context.Context, dst []byte, start, count []uint64) error {
	if err := a.checkRegion(dst, start, count); err != nil {
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for index := range a.chunksOf(start, count) {
		group.Go(func() error { return a.readChunk(ctx, dst, index, start, count) })
	}
	return group.Wait()
}

func (a *Array) checkRegion(dst []byte, start, count []uint64) error {
	shape := a.meta.Shape
	if len(start) != len(shape) || len(count) != len(shape) {
		return fault.Errorf("zarr", "%s: a region of %d and %d dimensions, expected %d", a.path, len(start), len(count), len(shape))
	}
	for i, n := range shape {
		if start[i] > n || count[i] > n-start[i] {
			return fault.Errorf("zarr", "%s: elements %d+%d of dimension %d, which has %d", a.path, start[i], count[i], i, n)
		}
	}
	size, ok := nd.Bytes(count, a.meta.DataType.Size())
	if !ok || size != int64(len(dst)) {
		return fault.Errorf("zarr", "%s: %d bytes for a region of %v %s", a.path, len(dst), count, a.meta.DataType)
	}
	return nil
}

// chunksOf yields the grid positions of the chunks that a region touches. Each is a slice of its
// own.
func (a *Array) chunksOf(start, count []uint64) iter.Seq[[]uint64] {
	first, last := make([]uint64, len(start)), make([]uint64, len(start))
	for i, n := range a.meta.ChunkShape {
		first[i] = start[i] / n
		last[i] = (start[i] + count[i] - 1) / n
	}
	return nd.Between(first, last)
}

// readChunk decodes one chunk and copies what a region has of it.
func (a *Array) readChunk(ctx context.Context, dst []byte, index, start, count []uint64) error {
	dims := len(index)
	from, into, n := make([]uint64, dims), make([]uint64, dims), make([]uint64, dims)
	for i := range dims {
		origin := index[i] * a.meta.ChunkShape[i] // cannot overflow: the chunk touches the array
		lo := max(origin, start[i])
		hi := start[i] + count[i]
		if end := origin + a.meta.ChunkShape[i]; end > origin {
			hi = min(hi, end)
		}
		from[i], into[i], n[i] = lo-origin, lo-start[i], hi-lo
	}
	target := nd.At(dst, count, into)
	data, err := a.Chunk(ctx, index)
	if errors.Is(err, ErrNotFound) {
		nd.Fill(target, n, a.fill)
		return nil
	}
	if err != nil {
		return err
	}
	nd.Copy(target, nd.At(data, a.meta.ChunkShape, from), n, len(a.fill))
	return nil
}

// Chunk returns the decoded chunk at a position of the grid: little-endian elements in C order, the
// whole chunk shape, also where the chunk extends beyond the edge of the array. The error for a
// chunk that is not stored is [ErrNotFound]: all its elements have the fill value.
func (a *Array) Chunk(ctx context.Context, index []uint64) ([]byte, error) {
	size, err := a.meta.chunkBytes()
	if err != nil {
		return nil, err
	}
	key := JoinKey(a.path, a.meta.ChunkKeys.Key(index))
	stored, err := ReadAll(ctx, a.store, key, a.storedLimit(size))
	if err != nil {
		return nil, err
	}
	data, err := a.chain.decode(stored, size)
	if err != nil {
		return nil, fault.Errorf("zarr", "%s: %w", key, err)
	}
	return data, nil
}

// storedLimit bounds the stored size of a chunk of size bytes: no codec here makes data much
// larger.
func (a *Array) storedLimit(size int64) int64 {
	size = a.chain.unframed(size)
	for range a.chain.bytesToBytes {
		size += size/16 + stageSlack
	}
	return size
}
