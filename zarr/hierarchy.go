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
	node, err := readNode(ctx, s, path)
	if err != nil {
		return nil, err
	}
	return node.group(path)
}

func (n *wireNode) group(path string) (*GroupMetadata, error) {
	if n.NodeType != "group" {
		return nil, inDocument(JoinKey(path, n.document), malformed("node_type", "group", "%q", n.NodeType))
	}
	return &GroupMetadata{Format: n.format, Attributes: n.Attributes}, nil
}

// A Node is a group or an array of a store.
type Node struct {
	Path  string
	Group *GroupMetadata // of a group
	Array *Array         // of an array
}

// Nodes yields the groups and arrays at and below path ("" is the root), each group before its
// members. They come from the consolidated metadata of a group if it has them, else by listing the
// store. A node that cannot be opened is yielded as an error, with nothing but its path; the others
// follow.
func Nodes(ctx context.Context, s Store, path string) iter.Seq2[*Node, error] {
	return func(yield func(*Node, error) bool) {
		walk(ctx, s, path, 0, yield)
	}
}

// Arrays yields the arrays at and below path ("" is the root), ordered by their paths: from the
// group's consolidated metadata if it has them, else by listing the store. An array that cannot be
// opened is yielded as an error; the others follow.
func Arrays(ctx context.Context, s Store, path string) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		for n, err := range Nodes(ctx, s, path) {
			if (err != nil || n.Array != nil) && !yield(n.Array, err) {
				return
			}
		}
	}
}

// maxDepth bounds groups in groups.
const maxDepth = 64

// yieldNode yields a node; it returns false when yield has had enough.
func yieldNode(s Store, path string, n *wireNode, yield func(*Node, error) bool) bool {
	node := &Node{Path: path}
	var err error
	switch n.NodeType {
	case "array":
		node.Array, err = newArray(s, path, n)
	case "group":
		node.Group, err = n.group(path)
	default:
		err = inDocument(JoinKey(path, n.document), malformed("node_type", "array or group", "%q", n.NodeType))
	}
	return yield(node, err)
}

// walk yields the nodes at and below path; it returns false when yield has had enough.
func walk(ctx context.Context, s Store, path string, depth int, yield func(*Node, error) bool) bool {
	node, err := readNode(ctx, s, path)
	if err == nil && depth > maxDepth {
		err = inDocument(JoinKey(path, node.document), &UnsupportedError{What: fmt.Sprintf("a group in more than %d others", maxDepth)})
	}
	if err != nil {
		return yield(&Node{Path: path}, err)
	}
	if !yieldNode(s, path, node, yield) {
		return false
	}
	switch {
	case node.NodeType != "group":
		return true
	case node.Consolidated != nil && node.Consolidated.Kind == "inline":
		return walkConsolidated(s, path, node.Consolidated, yield)
	case node.format == 2:
		c, err := readConsolidated2(ctx, s, path)
		if err == nil {
			return walkConsolidated2(s, path, c, yield)
		}
		if !errors.Is(err, ErrNotFound) && !yield(&Node{Path: path}, err) {
			return false
		}
	}
	return walkListed(ctx, s, path, depth, yield)
}

// validPath reports whether path can be the path of a node below another.
func validPath(path string) bool { return path != "" && ValidKey(path) }

func walkConsolidated(s Store, path string, c *wireConsolidate, yield func(*Node, error) bool) bool {
	for _, relative := range slices.Sorted(maps.Keys(c.Metadata)) {
		nodePath := JoinKey(path, relative)
		node, err := parseNode(c.Metadata[relative])
		if err == nil && !validPath(relative) {
			err = malformed("", "a path", "%.80q", relative)
		}
		if err != nil {
			err = inDocument(JoinKey(path, document3), &FormatError{Field: fmt.Sprintf("consolidated_metadata of %q", relative), Err: err})
			if !yield(&Node{Path: nodePath}, err) {
				return false
			}
		} else if !yieldNode(s, nodePath, node, yield) {
			return false
		}
	}
	return true
}

func walkConsolidated2(s Store, path string, c consolidated2, yield func(*Node, error) bool) bool {
	for _, relative := range slices.Sorted(slices.Values(c.paths())) {
		if relative == "" {
			continue
		}
		nodePath := JoinKey(path, relative)
		node, err := c.node(relative)
		if err == nil && !validPath(relative) {
			err = malformed("", "a path", "%.80q", relative)
		}
		if err != nil {
			if !errors.As(err, new(*UnsupportedError)) {
				err = inDocument(JoinKey(path, documentConsolidated), &FormatError{Field: fmt.Sprintf("metadata of %q", relative), Err: err})
			}
			if !yield(&Node{Path: nodePath}, err) {
				return false
			}
		} else if !yieldNode(s, nodePath, node, yield) {
			return false
		}
	}
	return true
}

func walkListed(ctx context.Context, s Store, path string, depth int, yield func(*Node, error) bool) bool {
	for entry, err := range s.List(ctx, path) {
		if err != nil {
			return yield(&Node{Path: path}, err)
		}
		child, isFolder := strings.CutSuffix(entry, "/")
		if !isFolder {
			continue
		}
		// A folder without a document is no node: nothing hides below it.
		if found, err := hasNode(ctx, s, child); err == nil && !found {
			continue
		}
		if !walk(ctx, s, child, depth+1, yield) {
			return false
		}
	}
	return true
}

// hasNode reports whether there is a document of a group or an array at path.
func hasNode(ctx context.Context, s Store, path string) (bool, error) {
	for _, name := range Documents() {
		if _, err := Stat(ctx, s, JoinKey(path, name)); err == nil || !errors.Is(err, ErrNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}
