package hdf5

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// maxSoftLinks bounds the soft links on the way to one object, as the HDF5 library does.
const maxSoftLinks = 16

// Follow returns the object that a link of group o points to. The object of an external link has
// another [Object.File]. Links of kinds that a program defined for itself are an
// [UnsupportedError].
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
		if *left--; *left < 0 {
			return nil, wire.Errorf("path", -1, "more than %d soft links on the way", maxSoftLinks)
		}
		return o.external(l, left)
	}
	return nil, wire.Unsupported("link "+l.Name, -1, "link of user-defined kind %d", l.Kind)
}

func (o *Object) external(l Link, left *int) (*Object, error) {
	f, err := o.f.other(l.File)
	if err != nil {
		return nil, fmt.Errorf("external link to %s: %w", l.Target, err)
	}
	root, err := f.Root()
	if err != nil {
		return nil, err
	}
	next, err := root.lookup(l.Target, left)
	if err != nil {
		return nil, fmt.Errorf("external link to %s in file %s: %w", l.Target, l.File, err)
	}
	return next, nil
}

// Lookup returns the object at a path from the root group.
func (f *File) Lookup(path string) (*Object, error) {
	root, err := f.Root()
	if err != nil {
		return nil, err
	}
	left := maxSoftLinks
	return root.lookup(path, &left)
}

// errNoObject is why a path leads nowhere.
var errNoObject = errors.New("no such object")

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
		return nil, wire.Errorf(objectName(o.Addr), -1, "%w: nothing named %s", errNoObject, name)
	}
	if l.Kind == HardLink {
		if next := o.f.names.group(l.Addr); next != nil {
			return next, nil
		}
	}
	return o.follow(l, left)
}
