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

// A Node is a group or an array of a hierarchy.
type Node struct {
	Path  string         // "" is the root of the store
	Group *GroupMetadata // nil for an array
	Array *Array         // nil for a group, and for an array that cannot be read
	// Err is why an array cannot be read, or a document not be understood. If only the data type is
	// not known, it is an [OpaqueError].
	Err error
}

// Nodes yields the groups and arrays at and below path ("" is the root), each group before what is in
// it: from the group's consolidated metadata if it has them, else by listing the store. The error is
// that of a store that cannot be read or listed; nothing follows it. What cannot be read of one node
// is the error of the node.
func Nodes(ctx context.Context, s Store, path string) iter.Seq2[*Node, error] {
	return func(yield func(*Node, error) bool) {
		n := nodes{ctx, s, yield}
		n.walk(path)
	}
}

type nodes struct {
	ctx   context.Context
	store Store
	yield func(*Node, error) bool
}

// walk yields the nodes at and below path; it returns false when yield has had enough.
func (n *nodes) walk(path string) bool {
	key := JoinKey(path, "zarr.json")
	data, err := ReadAll(n.ctx, n.store, key, maxDocument)
	if err != nil {
		return n.yield(nil, err) && false
	}
	node, err := parseNode(data)
	switch {
	case err != nil:
		return n.yield(&Node{Path: path, Err: inDocument(key, err)}, nil)
	case node.NodeType == "group" && node.Consolidated != nil && node.Consolidated.Kind == "inline":
		return n.one(path, node) && n.consolidated(path, node.Consolidated)
	case node.NodeType == "group":
		return n.one(path, node) && n.listed(path)
	}
	return n.one(path, node)
}

// one yields a node of which the document was read.
func (n *nodes) one(path string, node *wireNode) bool {
	out := &Node{Path: path}
	switch node.NodeType {
	case "group":
		out.Group = &GroupMetadata{Attributes: node.Attributes}
	case "array":
		out.Array, out.Err = newArray(n.store, path, node)
	default:
		out.Err = inDocument(JoinKey(path, "zarr.json"), malformed("node_type", "array or group", "%q", node.NodeType))
	}
	return n.yield(out, nil)
}

func (n *nodes) consolidated(path string, c *wireConsolidate) bool {
	for _, relative := range slices.Sorted(maps.Keys(c.Metadata)) {
		at := JoinKey(path, relative)
		node, err := parseNode(c.Metadata[relative])
		if err != nil {
			err = inDocument(JoinKey(path, "zarr.json"), &FormatError{Field: fmt.Sprintf("consolidated_metadata of %q", relative), Err: err})
			if !n.yield(&Node{Path: at, Err: err}, nil) {
				return false
			}
		} else if !n.one(at, node) {
			return false
		}
	}
	return true
}

func (n *nodes) listed(path string) bool {
	for entry, err := range n.store.List(n.ctx, path) {
		if err != nil {
			return n.yield(nil, err) && false
		}
		child, isFolder := strings.CutSuffix(entry, "/")
		if !isFolder {
			continue
		}
		// A folder without a document is no node: nothing hides below it.
		if _, err := Stat(n.ctx, n.store, JoinKey(child, "zarr.json")); errors.Is(err, ErrNotFound) {
			continue
		}
		if !n.walk(child) {
			return false
		}
	}
	return true
}
