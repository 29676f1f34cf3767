package fromzarr

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// Model returns the groups and arrays of a store as a netCDF file. A store that is one array has a
// variable of that name.
func Model(ctx context.Context, s zarr.Store, name string) (*netcdf.File, error) {
	return model(ctx, s, nil, name)
}

// model is Model. Where chunks lie is known of a store that is a folder, which may be nil.
func model(ctx context.Context, s zarr.Store, folder *store, name string) (*netcdf.File, error) {
	m := &modelMaker{folder: folder, groups: map[string]*group{}}
	root := m.add("", &netcdf.Group{Name: "/", Path: "/"}, nil)
	for node, err := range zarr.Nodes(ctx, s, "") {
		if errors.Is(err, errors.ErrUnsupported) {
			return nil, fmt.Errorf("the store has no consolidated metadata, which would list its arrays, and %w", err)
		}
		if err != nil && node.Path == "" || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		m.node(node, err, name)
	}
	m.dims(root)
	return netcdf.New(netcdf.Zarr, root.g), nil
}

// A modelMaker makes a file of nodes.
type modelMaker struct {
	folder *store
	groups map[string]*group
	phony  int
}

// A group is a group of the file with the facts for finding the dimensions of its variables.
type group struct {
	g      *netcdf.Group
	outer  *group
	axes   map[*netcdf.Var][]axis
	groups []*group
}

// An axis is a dimension of an array.
type axis struct {
	name string // "" for none
	n    uint64
}

func (m *modelMaker) add(at string, g *netcdf.Group, outer *group) *group {
	out := &group{g: g, outer: outer, axes: map[*netcdf.Var][]axis{}}
	m.groups[at] = out
	if outer != nil {
		outer.g.Groups, outer.groups = append(outer.g.Groups, g), append(outer.groups, out)
	}
	return out
}

// group returns the group at a path, and makes the groups around it where they have no document.
func (m *modelMaker) group(at string) *group {
	if at == "." {
		at = ""
	}
	if g := m.groups[at]; g != nil {
		return g
	}
	outer := m.group(path.Dir(at))
	return m.add(at, &netcdf.Group{Name: path.Base(at), Path: "/" + at}, outer)
}

// node adds a group or an array.
func (m *modelMaker) node(n *zarr.Node, failed error, name string) {
	if failed == nil && n.Group != nil {
		g := m.group(n.Path).g
		g.Attrs = attributes(n.Group.Attributes, nil)
		return
	}
	at := n.Path
	if at == "" {
		at = name
	}
	in := m.group(path.Dir(at))
	var opaque *zarr.OpaqueError
	switch {
	case failed == nil:
		v, axes := newVariable(path.Base(at), "/"+at, n.Array, m.folder)
		in.g.Vars, in.axes[v] = append(in.g.Vars, v), axes
	case errors.As(failed, &opaque):
		v, axes := newUnread(path.Base(at), "/"+at, opaque.Metadata, failed)
		in.g.Vars, in.axes[v] = append(in.g.Vars, v), axes
	default:
		in.g.Skipped = append(in.g.Skipped, netcdf.Skipped{Name: path.Base(at), Err: failed})
	}
}

// dims gives the variables of a group, and of the groups below it, their dimensions: a dimension of
// the group or of a group around it with the same name and length, else a new one.
func (m *modelMaker) dims(in *group) {
	for _, v := range in.g.Vars {
		for i, a := range in.axes[v] {
			v.Dims = append(v.Dims, m.dim(in, a, v.Dims[:i]))
		}
	}
	for _, sub := range in.groups {
		m.dims(sub)
	}
}

// dim finds or makes a dimension. An array does not have the same one twice unless it names it twice.
func (m *modelMaker) dim(in *group, a axis, before []*netcdf.Dim) *netcdf.Dim {
	used := func(d *netcdf.Dim) bool {
		for _, other := range before {
			if other == d {
				return true
			}
		}
		return false
	}
	taken := map[string]bool{}
	for g := in; g != nil; g = g.outer {
		for _, d := range g.g.Dims {
			switch {
			case a.name == "" && d.Phony && d.Len == a.n && !used(d):
				return d
			case a.name != "" && d.Name == a.name && d.Len == a.n && !taken[a.name]:
				return d
			}
			taken[d.Name] = taken[d.Name] || g == in
		}
	}
	d := &netcdf.Dim{Name: a.name, Len: a.n}
	if a.name == "" {
		d.Name, d.Phony = fmt.Sprintf("phony_dim_%d", m.phony), true
		m.phony++
	} else if taken[a.name] {
		d.Name = fmt.Sprintf("%s_%d", a.name, a.n)
		for _, other := range in.g.Dims {
			if other.Name == d.Name && other.Len == a.n {
				return other
			}
		}
	}
	in.g.Dims = append(in.g.Dims, d)
	return d
}
