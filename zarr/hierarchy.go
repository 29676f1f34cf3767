package zarr

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// OpenGroup reads the document of the group at path ("" is the root) of a store.
func OpenGroup(ctx context.Context, s Store, path string) (*GroupMetadata, error) {
	key := JoinKey(path, "zarr.json")
	data, err := ReadAll(ctx, s, key, maxDocument)
	if err != nil {
		return nil, err
	}
	node, err := parseNode(data)
	if err == nil && node.NodeType != "group" {
		err = malformed("node_type", "group", "%q", node.NodeType)
	}
	if err != nil {
		return nil, inDocument(key, err)
	}
	return &GroupMetadata{Attributes: node.Attributes}, nil
}

// Arrays yields the arrays at and below path ("" is the root), ordered by their paths: from the
// group's consolidated metadata if it has them, else by listing the store. An array that cannot be
// opened is yielded as an error; the others follow.
func Arrays(ctx context.Context, s Store, path string) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		walk(ctx, s, path, yield)
	}
}

// walk yields the arrays at and below path; it returns false when yield has had enough.
func walk(ctx context.Context, s Store, path string, yield func(*Array, error) bool) bool {
	key := JoinKey(path, "zarr.json")
	data, err := ReadAll(ctx, s, key, maxDocument)
	if err != nil {
		return yield(nil, err)
	}
	node, err := parseNode(data)
	if err != nil {
		return yield(nil, inDocument(key, err))
	}
	switch {
	case node.NodeType == "array":
		return yield(newArray(s, path, node))
	case node.NodeType != "group":
		return yield(nil, inDocument(key, malformed("node_type", "array or group", "%q", node.NodeType)))
	case node.Consolidated != nil && node.Consolidated.Kind == "inline":
		return walkConsolidated(s, path, node.Consolidated, yield)
	}
	return walkListed(ctx, s, path, yield)
}

func walkConsolidated(s Store, path string, c *wireConsolidate, yield func(*Array, error) bool) bool {
	for _, relative := range slices.Sorted(maps.Keys(c.Metadata)) {
		nodePath := JoinKey(path, relative)
		node, err := parseNode(c.Metadata[relative])
		switch {
		case err != nil:
			err = inDocument(JoinKey(path, "zarr.json"), &FormatError{Field: fmt.Sprintf("consolidated_metadata of %q", relative), Err: err})
			if !yield(nil, err) {
				return false
			}
		case node.NodeType == "array":
			if !yield(newArray(s, nodePath, node)) {
				return false
			}
		}
	}
	return true
}

func walkListed(ctx context.Context, s Store, path string, yield func(*Array, error) bool) bool {
	for entry, err := range s.List(ctx, path) {
		if err != nil {
			return yield(nil, err)
		}
		child, isFolder := strings.CutSuffix(entry, "/")
		if !isFolder {
			continue
		}
		// A folder without a document is no node: nothing hides below it.
		if _, err := Stat(ctx, s, child+"/zarr.json"); errors.Is(err, ErrNotFound) {
			continue
		}
		if !walk(ctx, s, child, yield) {
			return false
		}
	}
	return true
}
