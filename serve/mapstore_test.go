package serve

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/zarr"
)

// mapStore is a Store in memory.
type mapStore map[string][]byte

func (m mapStore) Open(_ context.Context, key string) (zarr.Value, error) {
	data, ok := m[key]
	if !ok {
		return nil, zarr.KeyNotFound(key)
	}
	return &bytesValue{data, zarr.Info{Size: int64(len(data))}}, nil
}

func (m mapStore) List(_ context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		below := map[string]bool{}
		for key := range m {
			rest, ok := strings.CutPrefix(key, prefix)
			if rest = strings.TrimPrefix(rest, "/"); !ok {
				continue
			}
			first, _, isFolder := strings.Cut(rest, "/")
			if isFolder {
				first += "/"
			}
			below[zarr.JoinKey(prefix, first)] = true
		}
		for _, key := range slices.Sorted(maps.Keys(below)) {
			if !yield(key, nil) {
				return
			}
		}
	}
}
