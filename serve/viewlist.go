package serve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/zarr"
)

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
			if !yield(zarr.JoinKey(prefix, entry), nil) {
				return
			}
		}
	}
}

// entries returns the names of the nodes directly below a folder.
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
func arrayEntries(a *zarr.ArrayMetadata) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield("zarr.json") {
			return
		}
		switch {
		case len(a.Shape) == 0:
			yield(a.ChunkKeys.Key(nil))
		case a.ChunkKeys == zarr.DefaultKeys:
			yield("c/")
		case a.ChunkKeys.Separator == "/":
			gridEntries(a.Grid(), 0)(yield)
		default:
			for index := range nd.Positions(a.Grid()) {
				if !yield(a.ChunkKeys.Key(index)) {
					return
				}
			}
		}
	}
}

// gridEntries are the positions along a dimension of a grid. They are folders of the positions along the next
// one.
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
		if errors.Is(err, zarr.ErrNotFound) || err == nil && node.Array == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		index, ok := node.Array.ChunkKeys.Index(rest)
		grid := node.Array.Grid()
		if !ok || node.Array.ChunkKeys.Separator != "/" || len(index) >= len(grid) {
			break
		}
		for i, n := range index {
			if n >= grid[i] {
				return nil, zarr.KeyNotFound(folder)
			}
		}
		return gridEntries(grid, len(index)), nil
	}
	return nil, zarr.KeyNotFound(folder)
}
