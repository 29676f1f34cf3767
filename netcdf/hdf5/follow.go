package hdf5

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// maxSoftLinks bounds the soft links on the way to one object, as the HDF5 library does.
const maxSoftLinks = 16

// Follow returns the object that a link of group o points to. External links and those of kinds
// that a program defined for itself are an [UnsupportedError].
func (o *Object) Follow(l Link) (*Object, error) {
	left := maxSoftLinks
	next, err := o.follow(l, &left)
	if err != nil && l.Kind == SoftLink {
		return nil, fmt.Errorf("link %s to %s: %w", l.Name, l.Target, err)
	}
	return next, err
}

func (o *Object) follow(l Link, left *int) (*Object, error) {
	switch l.Kind {
	case HardLink:
		return o.f.Object(l.Addr)
	case SoftLink:
		if *left--; *left < 0 {
			return nil, wire.Errorf("path", -1, "more than %d soft links on the way", maxSoftLinks)
		}
		return o.lookup(l.Target, left)
	case ExternalLink:
	default:
		return nil, wire.Unsupported("link "+l.Name, -1, "link of user-defined kind %d", l.Kind)
	}
	return nil, wire.Unsupported("link "+l.Name, -1, "external link to %s in %s", l.Target, l.File)
}

// lookup walks a path from o, or from the root when it begins with a slash.
func (o *Object) lookup(path string, left *int) (*Object, error) {
	at := o
	if strings.HasPrefix(path, "/") {
		root, err := o.f.Root()
		if err != nil {
			return nil, err
		}
		at = root
	}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." {
			continue
		}
		next, err := at.child(name, left)
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func (o *Object) child(name string, left *int) (*Object, error) {
	if o.Kind != GroupObject {
		return nil, wire.Errorf(objectName(o.Addr), -1, "a %s, expected a group with %s", o.Kind, name)
	}
	links, err := o.f.names.of(o)
	if err != nil {
		return nil, err
	}
	l, ok := links[name]
	if !ok {
		return nil, wire.Errorf(objectName(o.Addr), -1, "nothing named %s", name)
	}
	if l.Kind == HardLink {
		if next := o.f.names.group(l.Addr); next != nil {
			return next, nil
		}
	}
	return o.follow(l, left)
}
