package netcdf

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// hdf5Start finds the HDF5 signature.
func hdf5Start(src wire.Source) (int64, error) { return hdf5.Find(src.R, src.Size) }

// readNetCDF4 reads groups, dimensions and variables of an HDF5 file as the netCDF library sees
// them ("NetCDF-4 Format Specification"):
//
//   - a dataset is a variable; a dimension scale also makes a
//     dimension, and when its NAME says so only a dimension;
//   - the dimensions of a variable are the scales that DIMENSION_LIST refers to, or the
//     dimension IDs in _Netcdf4Coordinates; without either they are invented: phony_dim_0, …;
//   - links come in creation order when the group tracks it, else by name;
//   - a group is listed once: other links that lead to it are its aliases.
func (f *File) readNetCDF4(src wire.Source, opts []hdf5.Option) error {
	h, err := hdf5.NewFile(src.R, src.Size, opts...)
	if err != nil {
		return err
	}
	f.closers = append(f.closers, h)
	obj, err := h.Root()
	if err != nil {
		return err
	}
	b := &builder{dims: map[int]*scale{}, scales: map[place]*scale{}, types: map[string]*Type{},
		groups: map[place]*Group{}, paths: map[place]string{}, soft: map[place]bool{},
		left: maxObjects, work: 64<<20 + 16*src.Size}
	root := &Group{Name: "/", Path: "/"}
	b.groups[placeOf(obj)] = root
	if err := b.group(root, nil, obj); err != nil {
		return err
	}
	b.resolveAliases()
	b.assign(b.root)
	b.measure(b.root)
	b.linkVars(b.root)
	if b.classic {
		f.Kind = NetCDF4Classic
	}
	f.root, f.Properties = root, b.properties
	groups, paths := b.groups, b.paths // not all that b holds
	f.pathOf = func(r Ref) string {
		if g := groups[place{h, r.Addr}]; g != nil {
			return g.Path
		}
		return paths[place{h, r.Addr}]
	}
	return nil
}

// maxObjects bounds the links of a file.
const maxObjects = 1 << 20

// maxGroupDepth bounds the nesting of groups.
const maxGroupDepth = 512

// builder collects the state shared by the whole file.
type builder struct {
	root      *groupBuilder
	dims      map[int]*scale   // by dimension ID
	scales    map[place]*scale // by place of the dataset
	groups    map[place]*Group // groups listed so far, or about to be
	paths     map[place]string // of datasets and named types
	soft      map[place]bool   // groups whose path is a soft link
	aliases   []pendingAlias
	nextID    int
	types     map[string]*Type // user-defined types by structure
	anonymous int              // types without a name so far
	classic   bool

	properties string
	left       int   // links that may still be followed
	work       int64 // bytes of metadata that may still be read
}

// place identifies an object: external links lead to other files, with addresses of their own.
type place struct {
	file *hdf5.File
	addr uint64
}

func placeOf(o *hdf5.Object) place { return place{o.File(), o.Addr} }

// pendingAlias is an alias whose path is known only after all groups are.
type pendingAlias struct {
	in *Group
	Alias
	to place
}

func (b *builder) resolveAliases() {
	for _, a := range b.aliases {
		if g := b.groups[a.to]; g != nil {
			a.Path = g.Path
			a.in.Aliases = append(a.in.Aliases, a.Alias)
		}
	}
}

// linkVars notes the variables that are further links to the dataset of another variable.
func (b *builder) linkVars(gb *groupBuilder) {
	for _, vb := range gb.vars {
		if path := b.paths[vb.place]; path != "" && path != join(gb.g.Path, vb.name) && !b.soft[vb.place] {
			vb.v.LinkTo, vb.v.LinkTarget = path, vb.target
		}
	}
	for _, c := range gb.children {
		b.linkVars(c)
	}
}

// charge accounts for reading an object's attributes. An object that many links lead to is read
// many times, which a small file could make into any amount of work.
func (b *builder) charge(of string, attrs []hdf5.Attribute) error {
	b.work -= 64
	for i := range attrs {
		b.work -= 64 + int64(attrs[i].Stored())
	}
	if b.work < 0 {
		return wire.Errorf(of, -1, "more metadata than the file is long: many links lead to the same objects")
	}
	return nil
}

// groupBuilder is a group under construction.
type groupBuilder struct {
	g        *Group
	parent   *groupBuilder
	depth    int
	scales   []*scale // in the order in which they were found
	vars     []*varBuilder
	children []*groupBuilder
}

// scale is a dimension with its ID.
type scale struct {
	dim   *Dim
	id    int
	place place
	size  uint64 // length when found, by which phony dimensions are matched
}

// varBuilder is a variable under construction.
type varBuilder struct {
	child
	place  place
	v      *Var
	data   *hdf5.Dataset
	shape  []uint64 // of the dataset
	axes   []*scale // dimensions found so far, nil where unknown
	coords bool     // the dimensions come from _Netcdf4Coordinates
	scale  *scale   // the dimension that this variable is the scale of
}

// group reads the objects of a group: datatypes first, since datasets refer to them, then datasets,
// then groups.
func (b *builder) group(g *Group, parent *groupBuilder, obj *hdf5.Object) error {
	gb := &groupBuilder{g: g, parent: parent}
	if parent == nil {
		b.root = gb
	} else {
		gb.depth = parent.depth + 1
		parent.children = append(parent.children, gb)
		parent.g.Groups = append(parent.g.Groups, g)
	}
	attrs, err := obj.Attributes()
	if err != nil {
		return fmt.Errorf("attributes of group %s: %w", g.Path, err)
	}
	if err := b.charge("group "+g.Path, attrs); err != nil {
		return err
	}
	links, err := obj.Links()
	if err != nil {
		return fmt.Errorf("links of group %s: %w", g.Path, err)
	}
	if b.left -= len(links); b.left < 0 {
		return wire.Errorf("group "+g.Path, -1, "more than %d objects in the file", maxObjects)
	}
	children, err := b.objects(gb, obj, links)
	if err != nil {
		return err
	}
	for i := range attrs {
		a := &attrs[i]
		b.classic = b.classic || parent == nil && a.Name == attrStrict
		if parent == nil && a.Name == attrProperties {
			made := b.attribute(a)
			b.properties, _ = made.Value.(string)
		}
	}
	g.Attrs = b.attributes(attrs)
	for _, c := range b.claim(g, children) {
		if gb.depth >= maxGroupDepth {
			return wire.Errorf("group "+g.Path, -1, "groups nested more than %d deep", maxGroupDepth)
		}
		if err := b.group(b.groups[placeOf(c.obj)], gb, c.obj); err != nil {
			return err
		}
	}
	return nil
}

// claim returns the groups that are listed in g, and notes the other links as aliases. Aliases
// are links to a group that has its place already, and soft links, since a hard link leads to the
// same group of this file.
func (b *builder) claim(g *Group, children []child) []child {
	var own []child
	for _, c := range children {
		at := placeOf(c.obj)
		if b.groups[at] != nil || c.target != "" {
			b.aliases = append(b.aliases, pendingAlias{g, Alias{Name: c.name, Target: c.target, Before: len(own)}, at})
			continue
		}
		b.groups[at] = &Group{Name: c.name, Path: join(g.Path, c.name)}
		own = append(own, c)
	}
	return own
}

// child is an object of a group.
type child struct {
	name   string
	target string // of a soft link to an object of the same file
	obj    *hdf5.Object
}

// objects reads datatypes and datasets, and returns the groups.
func (b *builder) objects(gb *groupBuilder, obj *hdf5.Object, links []hdf5.Link) ([]child, error) {
	var datasets, groups []child
	skip := func(name string, err error) { gb.g.Skipped = append(gb.g.Skipped, Skipped{Name: name, Err: err}) }
	for _, l := range links {
		o, err := obj.Follow(l)
		if err != nil {
			gb.g.Skipped = append(gb.g.Skipped, Skipped{l.Name, err, l.Target, l.File})
			continue
		}
		c := child{name: l.Name, obj: o}
		if l.Kind == hdf5.SoftLink && o.File() == obj.File() {
			c.target = l.Target
		}
		if at := placeOf(o); o.Kind != hdf5.GroupObject && (b.paths[at] == "" || b.soft[at] && c.target == "") {
			b.paths[at], b.soft[at] = join(gb.g.Path, l.Name), c.target != ""
		}
		switch o.Kind {
		case hdf5.GroupObject:
			groups = append(groups, c)
		case hdf5.DatasetObject:
			datasets = append(datasets, c)
		default:
			if err := b.namedType(gb, c); err != nil {
				skip(l.Name, err)
			}
		}
	}
	for _, c := range datasets {
		if err := b.dataset(gb, c); err != nil {
			skip(c.name, err)
		}
		if b.work < 0 {
			return nil, b.charge("group "+gb.g.Path, nil)
		}
	}
	return groups, nil
}

func join(path, name string) string { return strings.TrimSuffix(path, "/") + "/" + name }
