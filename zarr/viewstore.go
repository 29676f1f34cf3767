package zarr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/internal/hyperslab"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/internal/reuse"
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

// NewStore returns the store of a view: its metadata documents and its chunks. Documents of groups
// carry those of everything below them ("consolidated metadata"), so that a client needs one
// request to know all arrays. The documents are the same bytes every time.
func NewStore(v View, opts StoreOptions) Store {
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

// entryOverhead is roughly what a cache takes for an entry beside its data and its key.
const entryOverhead = 200

func bytesCost(key string, data []byte) int64 { return int64(len(key)+len(data)) + entryOverhead }

// Open implements Store.
func (s *viewStore) Open(ctx context.Context, key string) (Value, error) {
	if path, ok := documentPath(key); ok {
		return s.document(ctx, path)
	}
	path, index, err := s.position(key)
	if err != nil {
		return nil, err
	}
	chunk, err := s.view.Chunk(ctx, path, index)
	if errors.Is(err, ErrNotFound) && s.isOutside(ctx, path, index) {
		return nil, keyGone(key)
	}
	if err != nil {
		return nil, err
	}
	return &chunkValue{store: s, key: key, chunk: chunk}, nil
}

// A keyedView is a [View] whose arrays may have other chunk keys than the default ones.
type keyedView interface {
	// chunkKeys returns the chunk keys and the number of dimensions of the array at path; false if
	// there is none.
	chunkKeys(path string) (keys ChunkKeys, dims int, ok bool)
	// refused notes that a chunk was asked for by a key that the array does not have now.
	refused(path, chunk string)
}

// position is the path of the array and the position of the chunk that a key leads to.
func (s *viewStore) position(key string) (path string, index []uint64, err error) {
	keyed, ok := s.view.(keyedView)
	if !ok {
		path, rest, ok := splitChunkKey(key)
		if ok {
			index, ok = defaultKeys.numbers(rest)
		}
		if !ok {
			return "", nil, keyNotFound(key)
		}
		return path, index, nil
	}
	for path, rest := range splits(key) {
		keys, dims, ok := keyed.chunkKeys(path)
		if !ok {
			continue
		}
		if index, ok := keys.parse(rest, dims); ok {
			return path, index, nil
		}
		if isChunkKey(rest) {
			keyed.refused(path, rest)
			return "", nil, keyGone(key)
		}
		break // there is nothing else below an array
	}
	return "", nil, keyNotFound(key)
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
func (v *chunkValue) Info() Info { return Info{v.chunk.Size, v.chunk.ETag} }

// Close implements Value.
func (v *chunkValue) Close() error { return nil }

// Read implements Value.
func (v *chunkValue) Read(ctx context.Context, r Range) (io.ReadCloser, error) {
	// A range that selects nothing is refused before anything is decoded for it.
	if _, _, err := r.Resolve(v.chunk.Size); err != nil {
		return nil, err
	}
	if v.chunk.Stored != nil {
		return section(v.chunk.Stored, v.chunk.Size, r)
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
		return nil, fmt.Errorf("zarr: %s: %w", v.key, err)
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

// section opens the part of a value that r selects.
func section(source io.ReaderAt, size int64, r Range) (io.ReadCloser, error) {
	offset, length, err := r.Resolve(size)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(io.NewSectionReader(source, offset, length)), nil
}

// memoryValue is memorySection as a reader.
func memoryValue(data []byte, r Range) (io.ReadCloser, error) {
	body, err := memorySection(data, r)
	if err != nil {
		return nil, err
	}
	return body, nil
}

// memorySection opens the part of a value in memory that r selects.
func memorySection(data []byte, r Range) (*memoryBody, error) {
	offset, length, err := r.Resolve(int64(len(data)))
	if err != nil {
		return nil, err
	}
	return &memoryBody{rest: data[offset : offset+length]}, nil
}

// A memoryBody reads bytes in memory, which can be taken without a copy.
type memoryBody struct {
	rest []byte
	done func() // uses the memory for something else; nil if others have it
}

// Read implements io.Reader.
func (b *memoryBody) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *memoryBody) Close() error {
	if b.done != nil {
		b.done()
		b.keep()
	}
	b.rest = nil
	return nil
}

// keep leaves the memory to the collector when the body is closed.
func (b *memoryBody) keep() { b.done = nil }

// take returns the next n bytes, or those that are left.
func (b *memoryBody) take(n int64) []byte {
	n = min(n, int64(len(b.rest)))
	data := b.rest[:n]
	b.rest = b.rest[n:]
	return data
}

// documentPath is the path of the node whose metadata document key is.
func documentPath(key string) (path string, ok bool) {
	if key == "zarr.json" {
		return "", true
	}
	path, ok = strings.CutSuffix(key, "/zarr.json")
	return path, ok && path != ""
}

func keyNotFound(key string) error { return fmt.Errorf("zarr: %q: %w", key, ErrNotFound) }

func keyGone(key string) error { return fmt.Errorf("zarr: %q: %w", key, ErrGone) }

// document is the metadata document of the node at path.
func (s *viewStore) document(ctx context.Context, path string) (*document, error) {
	if doc, ok := s.documents.Lookup(path); ok {
		return doc, nil
	}
	// Looked up first, so that paths that do not exist never reach the cache.
	node, err := s.view.Node(ctx, path)
	if err != nil {
		return nil, err
	}
	return s.documents.Get(ctx, path, func() (*document, error) {
		if err := s.making.Acquire(context.Background(), 1); err != nil {
			return nil, err
		}
		defer s.making.Release(1)
		// Not ctx: the document is made for everyone who waits for it.
		return s.makeDocument(context.WithoutCancel(ctx), path, node)
	})
}

func (s *viewStore) makeDocument(ctx context.Context, path string, node Node) (*document, error) {
	doc := node.document()
	if node.Group != nil {
		nodes := make(map[string]any)
		if err := s.collect(ctx, path, "", nodes); err != nil {
			return nil, err
		}
		consolidated(doc, nodes)
	}
	data, err := AppendJSON(nil, doc)
	if err != nil {
		return nil, fmt.Errorf("zarr: %s: %w", joinKey(path, "zarr.json"), err)
	}
	return newDocument(data), nil
}

// collect adds the documents of all nodes below the group at path to nodes, by their paths relative
// to the group that collecting began at.
func (s *viewStore) collect(ctx context.Context, path, relative string, nodes map[string]any) error {
	children, err := s.view.Children(ctx, path)
	if err != nil {
		return err
	}
	for _, name := range children {
		childPath, childRelative := joinKey(path, name), joinKey(relative, name)
		node, err := s.view.Node(ctx, childPath)
		if err != nil {
			return err
		}
		// As text, because a file may have 100 000 arrays and a tree of maps is ten times as large.
		text, err := AppendJSON(nil, node.document())
		if err != nil {
			return fmt.Errorf("zarr: %s: %w", joinKey(childPath, "zarr.json"), err)
		}
		nodes[childRelative] = json.RawMessage(text)
		if node.Group != nil {
			if err := s.collect(ctx, childPath, childRelative, nodes); err != nil {
				return err
			}
		}
	}
	return nil
}

// List implements Store.
func (s *viewStore) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		prefix = strings.TrimSuffix(prefix, "/")
		entries, err := s.entries(ctx, prefix)
		if err != nil {
			yield("", err)
			return
		}
		for entry := range entries {
			if !yield(joinKey(prefix, entry), nil) {
				return
			}
		}
	}
}

// entries are the names of what lies directly below a folder.
func (s *viewStore) entries(ctx context.Context, folder string) (iter.Seq[string], error) {
	node, err := s.view.Node(ctx, folder)
	if err != nil {
		return s.chunkFolder(ctx, folder)
	}
	if node.Array != nil {
		return arrayEntries(node.Array), nil
	}
	children, err := s.view.Children(ctx, folder)
	return func(yield func(string) bool) {
		if !yield("zarr.json") {
			return
		}
		for _, name := range children {
			if !yield(name + "/") {
				return
			}
		}
	}, err
}

// arrayEntries are the document of an array, and its chunks or the folders of them.
func arrayEntries(a *ArrayMetadata) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield("zarr.json") {
			return
		}
		switch {
		case len(a.Shape) == 0:
			yield(a.ChunkKeys.Key(nil))
		case a.ChunkKeys == defaultKeys:
			yield("c/")
		case a.ChunkKeys.Separator == "/":
			gridEntries(a.Grid(), 0)(yield)
		default:
			for index := range hyperslab.Positions(a.Grid()) {
				if !yield(a.ChunkKeys.Key(index)) {
					return
				}
			}
		}
	}
}

// gridEntries are the positions along a dimension of a grid, which are folders of those along the
// next one.
func gridEntries(grid []uint64, dim int) iter.Seq[string] {
	format := "%d/"
	if dim == len(grid)-1 {
		format = "%d"
	}
	return func(yield func(string) bool) {
		for n := range grid[dim] {
			if !yield(fmt.Sprintf(format, n)) {
				return
			}
		}
	}
}

// chunkFolder lists a folder below an array's path: the positions along one dimension of its grid.
func (s *viewStore) chunkFolder(ctx context.Context, folder string) (iter.Seq[string], error) {
	for path, rest := range splits(folder) {
		node, err := s.view.Node(ctx, path)
		if errors.Is(err, ErrNotFound) || err == nil && node.Array == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		index, ok := node.Array.ChunkKeys.numbers(rest)
		grid := node.Array.Grid()
		if !ok || node.Array.ChunkKeys.Separator != "/" || len(index) >= len(grid) {
			break
		}
		for i, n := range index {
			if n >= grid[i] {
				return nil, keyNotFound(folder)
			}
		}
		return gridEntries(grid, len(index)), nil
	}
	return nil, keyNotFound(folder)
}
