package cf

import (
	"slices"
	"strings"
)

// needed are attributes, beside the attributes of [References], that name variables without which a
// variable is not understood.
var needed = []string{AttrAncillary, "geometry", "nodes", "node_count", "part_node_count", "interior_ring"}

const attrInstanceDimension = "instance_dimension"

// Needs returns the variables that a variable needs, by the names in its attributes. These are
// its coordinates, bounds, grid mapping, ancillary variables and the terms of its formula. The
// function attr returns the text of an attribute, "" if there is none. The names may be paths.
func Needs(attr func(name string) string) (names []string) {
	text := func(name string) (string, bool) { t := attr(name); return t, t != "" }
	References(text, func(name string, _ Role) { names = append(names, name) })
	for _, key := range needed {
		names = append(names, strings.Fields(attr(key))...)
	}
	return names
}

// NamesVariables reports whether [Needs] reads an attribute.
func NamesVariables(attr string) bool {
	for _, r := range references {
		if r.attr == attr {
			return true
		}
	}
	return slices.Contains(needed, attr)
}

// Ragged reports whether a variable describes the elements along a dimension. It then has their
// counts or indices in a ragged array. The function attr is as for [Needs].
func Ragged(attr func(name string) string, dim string) bool {
	return attr(AttrSampleDimension) == dim || attr(attrInstanceDimension) == dim
}

// Find returns the first existing path of the paths that a name may mean in a group. They are the
// name in the group, then in the nearest group around it. A name that begins with a slash is a path
// from the root.
func Find(group, name string, exists func(path string) bool) (path string, ok bool) {
	if strings.HasPrefix(name, "/") {
		group = ""
	}
	group, name = strings.Trim(group, "/"), strings.Trim(name, "/")
	for {
		path = strings.TrimPrefix(group+"/"+name, "/")
		if exists(path) || group == "" {
			return path, exists(path)
		}
		group = group[:max(0, strings.LastIndexByte(group, '/'))]
	}
}
