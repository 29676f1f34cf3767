package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/internal/reuse"
	"github.com/tgmconv/tgmconv/zarr"
)

// StoreOptions configure [NewStore]. The zero value has the defaults.
type StoreOptions struct {
	// CacheBytes bounds the decoded chunks that are kept: 0 means 256 MiB, negative nothing. A
	// chunk is kept when it is asked for a second time.
	CacheBytes int64
	// DocumentBytes bounds the metadata documents that are kept: 0 means 64 MiB, negative nothing.
	DocumentBytes int64
	// Decoders is the number of chunks decoded at the same time: 0 means GOMAXPROCS.
	Decoders int
}

// documentBytes is StoreOptions.DocumentBytes unless another is given.
const documentBytes = 64 << 20

// NewStore returns the store of a view: its metadata documents and its chunks. Documents of groups carry all
// documents below them ("consolidated metadata"), so that a client needs one request to know all arrays. The
// documents are the same bytes every time.
func NewStore(v View, opts StoreOptions) zarr.Store {
	if opts.CacheBytes == 0 {
		opts.CacheBytes = 256 << 20
	}
	if opts.DocumentBytes == 0 {
		opts.DocumentBytes = documentBytes
	}
	if opts.Decoders <= 0 {
		opts.Decoders = runtime.GOMAXPROCS(0)
	}
	// The limits of decoders and of makers of documents are apart: making a document never waits
	// for chunks.
	return &viewStore{
		view:      v,
		documents: lru.New(lru.Options[*document]{Limit: opts.DocumentBytes, Cost: documentCost}),
		chunks:    lru.New(lru.Options[[]byte]{Limit: opts.CacheBytes, Cost: bytesCost, SecondUse: true}),
		decoding:  semaphore.NewWeighted(int64(opts.Decoders)),
		making:    semaphore.NewWeighted(1),
	}
}

type viewStore struct {
	view      View
	documents *lru.Cache[*document]
	chunks    *lru.Cache[[]byte]
	decoding  *semaphore.Weighted // of chunks
	making    *semaphore.Weighted // of documents
	buffers   reuse.Buffers       // of chunks that are not kept
}

// entryOverhead is roughly the memory of a cache's entry beside its data and its key.
const entryOverhead = 200

func bytesCost(key string, data []byte) int64 { return int64(len(key)+len(data)) + entryOverhead }

// Open implements Store.
func (s *viewStore) Open(ctx context.Context, key string) (zarr.Value, error) {
	if path, ok := documentPath(key); ok {
		return s.document(ctx, path)
	}
	path, index, err := s.position(key)
	if err != nil {
		return nil, err
	}
	chunk, err := s.view.Chunk(ctx, path, index)
	if errors.Is(err, zarr.ErrNotFound) && s.isOutside(ctx, path, index) {
		return nil, keyGone(key)
	}
	if err != nil {
		return nil, err
	}
	return &chunkValue{store: s, key: key, chunk: chunk}, nil
}

func keyGone(key string) error { return fault.Errorf("serve", "%q: %w", key, zarr.ErrGone) }

// A keyedView is a [View] whose arrays may have other chunk keys than the default ones.
type keyedView interface {
	// chunkKeys returns the chunk keys and the number of dimensions of the array at path;
	// ErrNotFound if there is none.
	chunkKeys(path string) (keys zarr.ChunkKeys, dims int, err error)
	// use notes that a chunk was asked for by a key; the array at path may be gone.
	use(path, chunk string)
}

// position is the path of the array and the position of the chunk that a key leads to.
func (s *viewStore) position(key string) (path string, index []uint64, err error) {
	keyed, ok := s.view.(keyedView)
	if !ok {
		path, rest, ok := splitChunkKey(key)
		if ok {
			index, ok = zarr.DefaultKeys.Index(rest)
		}
		if !ok {
			return "", nil, zarr.KeyNotFound(key)
		}
		return path, index, nil
	}
	for path, rest := range splits(key) {
		keys, dims, err := keyed.chunkKeys(path)
		if errors.Is(err, zarr.ErrNotFound) {
			if isChunkKey(rest) {
				keyed.use(path, rest)
			}
			continue
		}
		if err != nil {
			return "", nil, err
		}
		if !isChunkKey(rest) {
			break // there is nothing else below an array
		}
		keyed.use(path, rest)
		if index, ok := parseKey(keys, rest, dims); ok {
			return path, index, nil
		}
		return "", nil, keyGone(key)
	}
	return "", nil, zarr.KeyNotFound(key)
}

// isOutside reports whether an array has no chunk at a position, because its grid has no such
// position.
func (s *viewStore) isOutside(ctx context.Context, path string, index []uint64) bool {
	node, err := s.view.Node(ctx, path)
	if err != nil || node.Array == nil {
		return false
	}
	grid := node.Array.Grid()
	if len(index) != len(grid) {
		return true
	}
	for i, n := range grid {
		if index[i] >= n {
			return true
		}
	}
	return false
}

// A chunkValue is a chunk that has been found and not yet decoded.
type chunkValue struct {
	store *viewStore
	key   string
	chunk Chunk
}

// Info implements Value.
func (v *chunkValue) Info() zarr.Info { return zarr.Info{Size: v.chunk.Size, ETag: v.chunk.ETag} }

// Close implements Value.
func (v *chunkValue) Close() error { return nil }

// Read implements Value.
func (v *chunkValue) Read(ctx context.Context, r zarr.Range) (io.ReadCloser, error) {
	// A range that selects nothing is refused before anything is decoded for it.
	offset, length, err := r.Resolve(v.chunk.Size)
	if err != nil {
		return nil, err
	}
	if v.chunk.Stored != nil {
		return &storedBody{v.chunk.Stored, offset, length}, nil
	}
	s := v.store
	data, own, err := s.chunks.Take(ctx, v.cacheKey(), func() ([]byte, error) {
		// All who wait for the chunk share this call, so that no single context may end it.
		if err := s.decoding.Acquire(context.Background(), 1); err != nil {
			return nil, err
		}
		defer s.decoding.Release(1)
		var buffer []byte
		if v.chunk.Own {
			buffer = s.buffers.Take(v.chunk.Size)
		}
		return decodeChunk(v.chunk, buffer)
	})
	if err != nil {
		return nil, fault.Errorf("serve", "%s: %w", v.key, err)
	}
	body, err := memorySection(data, r)
	if err != nil {
		return nil, err
	}
	if own && v.chunk.Own {
		body.done = func() { s.buffers.Put(data) }
	}
	return body, nil
}

// cacheKey tells the states of a chunk apart whose view follows a growing source.
func (v *chunkValue) cacheKey() string { return v.key + "\x00" + v.chunk.ETag }

func decodeChunk(chunk Chunk, buffer []byte) ([]byte, error) {
	data, err := chunk.Decode(buffer)
	if err == nil && int64(len(data)) != chunk.Size {
		err = fmt.Errorf("chunk decodes to %d bytes, expected %d", len(data), chunk.Size)
	}
	return data, err
}
