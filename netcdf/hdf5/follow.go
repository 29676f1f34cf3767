package hdf5

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// maxLinkDepth bounds soft links to soft links, as the HDF5 library does.
const maxLinkDepth = 16

// Follow returns the object that a link of group o points to. External links
// are an [UnsupportedError].
func (o *Object) Follow(l Link) (*Object, error) { return o.follow(l, maxLinkDepth) }

func (o *Object) follow(l Link, depth int) (*Object, error) {
	switch l.Kind {
	case HardLink:
		return o.f.Object(l.Addr)
	case SoftLink:
		if depth == 0 {
			return nil, wire.Errorf("link "+l.Name, -1, "more than %d soft links on the way", maxLinkDepth)
		}
		target, err := o.lookup(l.Target, depth-1)
		if err != nil {
			return nil, fmt.Errorf("link %s to %s: %w", l.Name, l.Target, err)
		}
		return target, nil
	}
	return nil, wire.Unsupported("link "+l.Name, -1, "external link to %s in %s", l.Target, l.File)
}

// lookup walks a path from o, or from the root when it begins with a slash.
func (o *Object) lookup(path string, depth int) (*Object, error) {
	at := o
	if strings.HasPrefix(path, "/") {
		var err error
		if at, err = o.f.Root(); err != nil {
			return nil, err
		}
	}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name == "." {
			continue
		}
		next, err := at.child(name, depth)
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func (o *Object) child(name string, depth int) (*Object, error) {
	if o.Kind != GroupObject {
		return nil, wire.Errorf(objectName(o.Addr), -1, "a %s, expected a group with %s", o.Kind, name)
	}
	links, err := o.Links()
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		if l.Name == name {
			return o.follow(l, depth)
		}
	}
	return nil, wire.Errorf(objectName(o.Addr), -1, "nothing named %s", name)
}
