package serve

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/zarr"
)

// documentPath is the path of the node whose metadata document key is.
func documentPath(key string) (path string, ok bool) {
	if key == "zarr.json" {
		return "", true
	}
	path, ok = strings.CutSuffix(key, "/zarr.json")
	return path, ok && path != ""
}

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
	text := node.MarshalJSON
	if node.Group != nil {
		nodes := make(map[string]any)
		if err := s.collect(ctx, path, "", nodes); err != nil {
			return nil, err
		}
		text = func() ([]byte, error) { return node.Group.Consolidated(nodes) }
	}
	data, err := text()
	if err != nil {
		return nil, fault.Errorf("serve", "%s: %w", zarr.JoinKey(path, "zarr.json"), err)
	}
	return newDocument(data), nil
}

// collect adds the documents of all nodes below the group at path to nodes. Their paths are
// relative to the group that collecting began at.
func (s *viewStore) collect(ctx context.Context, path, relative string, nodes map[string]any) error {
	children, err := s.view.Children(ctx, path)
	if err != nil {
		return err
	}
	for _, name := range children {
		childPath, childRelative := zarr.JoinKey(path, name), zarr.JoinKey(relative, name)
		node, err := s.view.Node(ctx, childPath)
		if err != nil {
			return err
		}
		// As text, because a file may have 100 000 arrays and a tree of maps is ten times as large.
		text, err := node.MarshalJSON()
		if err != nil {
			return fault.Errorf("serve", "%s: %w", zarr.JoinKey(childPath, "zarr.json"), err)
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
