package serve

import (
	"context"
	"github.com/tgmconv/tgmconv/zarr"
	"iter"
	"strings"
)

// Mount returns a store that serves root and, below each of the folders, another store. A key that
// begins with the name of a folder and a slash belongs to the store there, even if root has it as
// well. Listings of root do not show the folders.
func Mount(root zarr.Store, folders map[string]zarr.Store) zarr.Store { return &mounts{root, folders} }

// Empty is a store of nothing.
var Empty zarr.Store = empty{}

type empty struct{}

// Open implements Store.
func (empty) Open(_ context.Context, key string) (zarr.Value, error) {
	return nil, zarr.KeyNotFound(key)
}

// List implements Store.
func (empty) List(_ context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", zarr.KeyNotFound(prefix)) }
}

type mounts struct {
	root    zarr.Store
	folders map[string]zarr.Store
}

// find is the store that has a key, with the folder and the rest of the key.
func (m *mounts) find(key string) (s zarr.Store, folder, rest string) {
	for at, c := range key + "/" {
		if c != '/' {
			continue
		}
		if s, ok := m.folders[key[:at]]; ok {
			return s, key[:at], strings.TrimPrefix(key[at:], "/")
		}
	}
	return m.root, "", key
}

// Open implements Store.
func (m *mounts) Open(ctx context.Context, key string) (zarr.Value, error) {
	s, folder, rest := m.find(key)
	if folder != "" && rest == "" {
		return nil, zarr.KeyNotFound(key)
	}
	return s.Open(ctx, rest)
}

// List implements Store.
func (m *mounts) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s, folder, rest := m.find(strings.TrimSuffix(prefix, "/"))
		for key, err := range s.List(ctx, rest) {
			if err == nil {
				key = zarr.JoinKey(folder, key)
			}
			if !yield(key, err) {
				return
			}
		}
	}
}
