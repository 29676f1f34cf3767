package zarr

import (
	"context"
	"iter"
	"strings"
)

// Mount returns a store that serves root and, below each of the folders, another store. A key that
// begins with the name of a folder and a slash belongs to the store there, even if root has it as
// well. Listings of root do not show the folders.
func Mount(root Store, folders map[string]Store) Store { return &mounts{root, folders} }

// Empty is a store of nothing.
var Empty Store = empty{}

type empty struct{}

// Open implements Store.
func (empty) Open(_ context.Context, key string) (Value, error) { return nil, keyNotFound(key) }

// List implements Store.
func (empty) List(_ context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", keyNotFound(prefix)) }
}

type mounts struct {
	root    Store
	folders map[string]Store
}

// find is the store that has a key, with the folder and the rest of the key.
func (m *mounts) find(key string) (s Store, folder, rest string) {
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
func (m *mounts) Open(ctx context.Context, key string) (Value, error) {
	s, folder, rest := m.find(key)
	if folder != "" && rest == "" {
		return nil, keyNotFound(key)
	}
	return s.Open(ctx, rest)
}

// List implements Store.
func (m *mounts) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s, folder, rest := m.find(strings.TrimSuffix(prefix, "/"))
		for key, err := range s.List(ctx, rest) {
			if err == nil {
				key = joinKey(folder, key)
			}
			if !yield(key, err) {
				return
			}
		}
	}
}
