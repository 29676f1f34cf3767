package cdl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
)

// special are the characters that CDL names have with a backslash before them.
const special = " !\"#$&'()*,:;<=>?[]\\^`{|}~"

// escapedName is a name as CDL has it.
func escapedName(name string) string {
	var b strings.Builder
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		b.WriteByte('\\')
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, "\\%%%02x", c)
		case strings.IndexByte(special, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isKeyword reports whether CDL has a meaning of its own for a name.
func isKeyword(name string) bool {
	switch name {
	case "byte", "char", "short", "ushort", "int", "uint", "long", "int64", "uint64", "float", "real", "double", "ubyte",
		"string", "opaque", "enum", "compound", "unlimited", "types", "dimensions", "variables", "data", "group", "netcdf":
		return true
	}
	return false
}

// typeName is the name of a type, with the group that defines it if that is not around the scope.
func (s *scope) typeName(t *netcdf.Type) string {
	if t.Class <= netcdf.String {
		return t.Class.String()
	}
	if t.Name == "" {
		return "anonymous_" + t.Class.String() // CDL has no form for it
	}
	root := s
	for ; ; root = root.outer {
		for _, other := range root.group.Types {
			if other.Name == t.Name {
				return escapedName(t.Name)
			}
		}
		if root.outer == nil {
			break
		}
	}
	if path, ok := definedIn(root.group, t); ok {
		return escapedName(path) + "/" + escapedName(t.Name)
	}
	return escapedName(t.Name)
}

// definedIn returns the path of the group that defines a type.
func definedIn(g *netcdf.Group, t *netcdf.Type) (path string, ok bool) {
	if slices.Contains(g.Types, t) {
		return g.Path, true
	}
	for _, c := range g.Groups {
		if path, ok = definedIn(c, t); ok {
			return path, true
		}
	}
	return "", false
}

// dimPrefix is the text before the name of a dimension when an inner group has one of that name too.
func (s *scope) dimPrefix(dim *netcdf.Dim) string {
	inner := true
	for at := s; at != nil; at = at.outer {
		for _, d := range at.group.Dims {
			if d.Name != dim.Name {
				continue
			}
			if d != dim {
				inner = false
				break
			}
			switch {
			case inner:
				return ""
			case at.outer == nil:
				return "/"
			}
			return escapedName(at.group.Path) + "/"
		}
	}
	return ""
}
