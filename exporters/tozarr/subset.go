package tozarr

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// attrText returns the text of an attribute of an array, "" if it has none.
func attrText(a *zarr.ArrayMetadata) func(key string) string {
	return func(key string) string {
		text, _ := a.Attributes[key].(string)
		return text
	}
}

// named are the arrays that an array needs: its dimensions' coordinates, and arrays in its attributes.
func named(a *zarr.ArrayMetadata) []string {
	return append(slices.Clone(a.DimensionNames), cf.Needs(attrText(a))...)
}

func parentOf(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return ""
}

// coordinates are the arrays that others name: labels, not data.
func coordinates(nodes map[string]serve.Node) map[string]bool {
	labels := make(map[string]bool)
	for path, node := range nodes {
		if node.Array == nil {
			continue
		}
		for _, name := range named(node.Array) {
			if other, ok := nodes[join(parentOf(path), name)]; ok && other.Array != nil {
				labels[join(parentOf(path), name)] = true
			}
		}
	}
	return labels
}

// A subset is a view of some arrays of another, in the groups they lie in.
type subset struct {
	serve.View
	kept map[string]bool // paths of arrays and groups
}

func newSubset(ctx context.Context, view serve.View, variables []string) (*subset, error) {
	nodes := make(map[string]serve.Node)
	if err := collect(ctx, view, "", nodes); err != nil {
		return nil, err
	}
	s := &subset{View: view, kept: map[string]bool{"": true}}
	for _, path := range variables {
		path = strings.Trim(path, "/")
		if nodes[path].Array == nil {
			return nil, fmt.Errorf("there is no variable %s; there are %s", path, arrayNames(nodes))
		}
		s.keep(nodes, path)
	}
	return s, nil
}

// namedArrays is how many arrays an error names.
const namedArrays = 20

// arrayNames lists arrays, labels last.
func arrayNames(nodes map[string]serve.Node) string {
	var names []string
	for _, path := range fieldsFirst(nodes, coordinates(nodes)) {
		if nodes[path].Array != nil {
			names = append(names, path)
		}
	}
	if n := len(names) - namedArrays; n > 0 {
		names = append(names[:namedArrays], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

// keep keeps an array with the groups around it and the arrays that it names.
func (s *subset) keep(nodes map[string]serve.Node, path string) {
	if s.kept[path] || nodes[path].Array == nil {
		return
	}
	s.kept[path] = true
	for parent := parentOf(path); parent != ""; parent = parentOf(parent) {
		s.kept[parent] = true
	}
	group, isArray := parentOf(path), func(path string) bool { return nodes[path].Array != nil }
	for _, name := range named(nodes[path].Array) {
		if found, ok := cf.Find(group, name, isArray); ok {
			s.keep(nodes, found)
		}
	}
	for _, dim := range nodes[path].Array.DimensionNames { // of ragged arrays: how many elements belong together
		for other, node := range nodes {
			if node.Array != nil && parentOf(other) == group && dim != "" && cf.Ragged(attrText(node.Array), dim) {
				s.keep(nodes, other)
			}
		}
	}
}

// Children implements serve.View.
func (s *subset) Children(ctx context.Context, path string) ([]string, error) {
	names, err := s.View.Children(ctx, path)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !s.kept[join(path, name)] }), err
}
