package zarr

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"

	"github.com/zeebo/xxh3"
)

// StoreOptions configure [NewStore]. The zero value is good.
type StoreOptions struct {
	// CacheBytes bounds the documents and decoded chunks that are kept: 0 means 256 MiB, negative
	// nothing.
	CacheBytes int64
	// Decoders is the number of chunks decoded at the same time: 0 means GOMAXPROCS.
	Decoders int
}

// NewStore makes the store of a view: its metadata documents and its chunks. Documents of groups
// carry those of everything below them ("consolidated metadata"), so that a client needs one
// request to know all arrays. The documents are the same bytes every time.
func NewStore(v View, opts StoreOptions) Store {
	if opts.CacheBytes == 0 {
		opts.CacheBytes = 256 << 20
	}
	if opts.Decoders <= 0 {
		opts.Decoders = runtime.GOMAXPROCS(0)
	}
	// Documents are made under their own limit of makers: making one never waits for chunks.
	return &viewStore{
		view:      v,
		documents: newCache(opts.CacheBytes/2, 1),
		chunks:    newCache(opts.CacheBytes-opts.CacheBytes/2, opts.Decoders),
	}
}

type viewStore struct {
	view      View
	documents *cache
	chunks    *cache
}

// Stat implements Store.
func (s *viewStore) Stat(ctx context.Context, key string) (Info, error) {
	if path, ok := documentPath(key); ok {
		data, err := s.document(ctx, path)
		return documentInfo(data), err
	}
	chunk, err := s.chunk(ctx, key)
	return Info{chunk.Size, chunk.ETag}, err
}

// Get implements Store.
func (s *viewStore) Get(ctx context.Context, key string, r Range) (io.ReadCloser, Info, error) {
	if path, ok := documentPath(key); ok {
		data, err := s.document(ctx, path)
		if err != nil {
			return nil, Info{}, err
		}
		info := documentInfo(data)
		body, err := section(bytes.NewReader(data), info.Size, r)
		return body, info, err
	}
	chunk, err := s.chunk(ctx, key)
	if err != nil {
		return nil, Info{}, err
	}
	info := Info{chunk.Size, chunk.ETag}
	// A range nobody can have is refused before anything is decoded for it.
	if _, _, err := r.Resolve(chunk.Size); err != nil {
		return nil, info, err
	}
	source := chunk.Stored
	if source == nil {
		data, err := s.chunks.get(ctx, key, func() ([]byte, error) { return decodeChunk(chunk) })
		if err != nil {
			return nil, info, fmt.Errorf("zarr: %s: %w", key, err)
		}
		source = bytes.NewReader(data)
	}
	body, err := section(source, chunk.Size, r)
	return body, info, err
}

func decodeChunk(chunk Chunk) ([]byte, error) {
	data, err := chunk.Decode()
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

// documentPath is the path of the node whose metadata document key is.
func documentPath(key string) (path string, ok bool) {
	if key == "zarr.json" {
		return "", true
	}
	path, ok = strings.CutSuffix(key, "/zarr.json")
	return path, ok && path != ""
}

func documentInfo(data []byte) Info {
	return Info{Size: int64(len(data)), ETag: fmt.Sprintf(`"%016x"`, xxh3.Hash(data))}
}

func (s *viewStore) chunk(ctx context.Context, key string) (Chunk, error) {
	path, rest, ok := splitChunkKey(key)
	if !ok {
		return Chunk{}, keyNotFound(key)
	}
	index, ok := parseChunkKey(rest)
	if !ok {
		return Chunk{}, keyNotFound(key)
	}
	return s.view.Chunk(ctx, path, index)
}

func keyNotFound(key string) error { return fmt.Errorf("zarr: %q: %w", key, ErrNotFound) }

// document is the text of the metadata document of the node at path.
func (s *viewStore) document(ctx context.Context, path string) ([]byte, error) {
	if data, ok := s.documents.lookup(path); ok {
		return data, nil
	}
	// Asked before, so that paths nobody has do not pass through the cache.
	node, err := s.view.Node(ctx, path)
	if err != nil {
		return nil, err
	}
	return s.documents.get(ctx, path, func() ([]byte, error) {
		doc := node.document()
		if node.Group != nil {
			nodes := make(map[string]any)
			// Not ctx: the document is made for everyone who waits for it.
			if err := s.collect(context.WithoutCancel(ctx), path, "", nodes); err != nil {
				return nil, err
			}
			consolidated(doc, nodes)
		}
		data, err := AppendJSON(nil, doc)
		if err != nil {
			return nil, fmt.Errorf("zarr: %s: %w", joinKey(path, "zarr.json"), err)
		}
		return data, nil
	})
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

// arrayEntries are the document of an array and its chunks' folder, or its only chunk if it has no
// dimensions.
func arrayEntries(a *ArrayMetadata) iter.Seq[string] {
	return func(yield func(string) bool) {
		chunks := "c/"
		if len(a.Shape) == 0 {
			chunks = "c"
		}
		_ = yield("zarr.json") && yield(chunks)
	}
}

// chunkFolder lists a folder below an array's path: the positions along one dimension of its grid.
func (s *viewStore) chunkFolder(ctx context.Context, folder string) (iter.Seq[string], error) {
	path, rest, ok := splitChunkKey(folder)
	if !ok {
		return nil, keyNotFound(folder)
	}
	node, err := s.view.Node(ctx, path)
	if err != nil {
		return nil, err
	}
	index, ok := parseChunkKey(rest)
	if !ok || node.Array == nil || len(index) >= len(node.Array.Shape) {
		return nil, keyNotFound(folder)
	}
	grid := node.Array.grid()
	for i, n := range index {
		if n >= grid[i] {
			return nil, keyNotFound(folder)
		}
	}
	format := "%d/"
	if len(index) == len(grid)-1 {
		format = "%d"
	}
	return func(yield func(string) bool) {
		for n := range grid[len(index)] {
			if !yield(fmt.Sprintf(format, n)) {
				return
			}
		}
	}, nil
}
