package ncwrite

import (
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// dimWithoutVar begins the NAME of dimension scales that are not variables.
const dimWithoutVar = "This is a netCDF dimension but not a netCDF variable."

// nonCoordPrefix begins the name of a variable that has the name of a dimension and is not its
// coordinate variable.
const nonCoordPrefix = "_nc4_non_coord_"

// metadata makes the objects of a file ("NetCDF-4 Format Specification"):
//
//   - a dimension is a dataset that is a dimension scale: its coordinate variable, or a dataset without
//     elements; REFERENCE_LIST names the variables on it;
//   - DIMENSION_LIST of a variable refers to its dimensions, and _Netcdf4Coordinates has their IDs;
//   - phony dimensions are nothing but lengths of datasets: readers invent them again;
//   - a group has further links beside the links to its content.
type metadata struct {
	f      *nc4File
	heap   h5enc.GlobalHeap // of DIMENSION_LIST
	lists  []*h5enc.Collection
	scales map[*dim]*h5enc.Object
	vars   map[*variable]*h5enc.Object
	groups map[*group]*h5enc.Object
	types  map[*namedType]*typeObject
	users  map[*dim][]user
	blocks []*h5enc.Block
}

// typeObject is a committed datatype and how many objects use it.
type typeObject struct {
	*h5enc.Type
	object *h5enc.Object
	uses   int
}

// user is an axis that lies on a dimension.
type user struct {
	v    *variable
	axis int
}

func newMetadata(f *nc4File) *metadata {
	m := &metadata{f: f, scales: map[*dim]*h5enc.Object{}, vars: map[*variable]*h5enc.Object{},
		groups: map[*group]*h5enc.Object{}, types: map[*namedType]*typeObject{}, users: map[*dim][]user{}}
	m.addGroups(f.root, map[*group]int{})
	m.heap.New = func(c *h5enc.Collection) error {
		m.lists = append(m.lists, c)
		return nil
	}
	for _, v := range f.vars {
		m.vars[v] = h5enc.NewDataset()
		for i, d := range v.dims {
			if !v.scale() {
				m.users[d] = append(m.users[d], user{v, i})
			}
		}
	}
	for _, d := range f.dims {
		switch {
		case d.phony:
		case d.scale != nil:
			m.scales[d] = m.vars[d.scale]
		default:
			m.scales[d] = h5enc.NewDataset()
		}
	}
	return m
}

// addGroups begins the objects of a group and of the groups in it. The map more has how many further
// links lead to groups.
func (m *metadata) addGroups(g *group, more map[*group]int) {
	m.groups[g] = h5enc.NewGroup()
	for _, l := range g.links {
		if l.to != nil {
			more[l.to]++
		}
	}
	for _, c := range g.groups {
		m.addGroups(c, more)
	}
	if g.parent == nil {
		for to, n := range more {
			m.groups[to].Uses(n)
		}
	}
}

// encode returns the root group and all blocks of the file, the root first.
func (m *metadata) encode() (root *h5enc.Block, blocks []*h5enc.Block, err error) {
	object, err := m.group(m.f.root)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range m.types {
		t.object.Uses(t.uses)
	}
	if err := m.finishTypes(m.f.root); err != nil {
		return nil, nil, err
	}
	m.heap.Flush()
	for _, c := range m.lists {
		m.blocks = append(m.blocks, &c.Block)
	}
	i := slices.Index(m.blocks, object.Block)
	m.blocks[0], m.blocks[i] = m.blocks[i], m.blocks[0]
	return object.Block, m.blocks, nil
}

// finish completes an object.
func (m *metadata) finish(o *h5enc.Object, path string) error {
	blocks, err := o.Finish()
	if err != nil {
		return modelError(path, "%w", err)
	}
	m.blocks = append(m.blocks, blocks...)
	return nil
}

// group makes a group with all that is in it. Its links come in the order in which the library
// makes objects: types, dimensions and variables so that coordinate variables keep the order of
// dimensions, groups.
func (m *metadata) group(g *group) (*h5enc.Object, error) {
	o := m.groups[g]
	for _, t := range g.types {
		typ := fileType(t.typ, false)
		committed := &typeObject{Type: typ, object: h5enc.NewDatatype(typ)}
		typ.Committed = committed.object.Block
		m.types[t] = committed
		o.AddLink(t.typ.Name, committed.object.Block)
	}
	if err := m.datasets(g, o); err != nil {
		return nil, err
	}
	links := g.links
	for i, c := range g.groups {
		links = m.addLinks(o, links, i)
		child, err := m.group(c)
		if err != nil {
			return nil, err
		}
		o.AddLink(c.model.Name, child.Block)
	}
	m.addLinks(o, links, math.MaxInt)
	if g.parent == nil {
		m.rootAttrs(o)
	}
	for i := range g.model.Attrs {
		if err := m.attr(o, &g.model.Attrs[i], g.path); err != nil {
			return nil, err
		}
	}
	return o, m.finish(o, g.path)
}

// addLinks adds the links that come before a group of a position, and returns the others.
func (m *metadata) addLinks(o *h5enc.Object, links []link, position int) []link {
	for len(links) > 0 && links[0].Before <= position {
		switch l := links[0]; {
		case l.to != nil:
			o.AddLink(l.Name, m.groups[l.to].Block)
		case l.File != "":
			o.AddExternalLink(l.Name, l.File, l.Target)
		default:
			o.AddSoftLink(l.Name, l.Target)
		}
		links = links[1:]
	}
	return links
}

// finishTypes completes the named types of a group and of the groups in it.
func (m *metadata) finishTypes(g *group) error {
	for _, t := range g.types {
		if err := m.finish(m.types[t].object, t.path); err != nil {
			return err
		}
	}
	for _, c := range g.groups {
		if err := m.finishTypes(c); err != nil {
			return err
		}
	}
	return nil
}

// rootAttrs adds the attributes of the root.
func (m *metadata) rootAttrs(o *h5enc.Object) {
	if text := m.f.properties; text != "" {
		addText(o, "_NCProperties", text, false)
	}
	if m.f.strict() {
		addInts(o, "_nc3_strict", h5enc.Scalar(), 1)
	}
}

// datasets makes the dimensions and variables of a group.
func (m *metadata) datasets(g *group, o *h5enc.Object) error {
	vars := g.vars
	for _, d := range g.dims {
		if d.phony {
			continue
		}
		if d.scale == nil {
			o.AddLink(d.name, m.scales[d].Block)
			if err := m.dimension(d, join(g.path, d.name)); err != nil {
				return err
			}
			continue
		}
		for len(vars) > 0 && m.linked(d.scale, vars) {
			if err := m.variable(vars[0], o); err != nil {
				return err
			}
			vars = vars[1:]
		}
	}
	for _, v := range vars {
		if err := m.variable(v, o); err != nil {
			return err
		}
	}
	return nil
}

// linked reports whether a coordinate variable is among the variables that are still to come.
func (m *metadata) linked(scale *variable, left []*variable) bool {
	return slices.Contains(left, scale)
}

// dimension makes the dataset of a dimension without coordinate variable.
func (m *metadata) dimension(d *dim, path string) error {
	o := m.scales[d]
	shape, limit := []uint64{d.length}, []uint64{d.length}
	layout := h5enc.Contiguous(h5enc.Undefined, 4*d.length)
	noted := d.length
	if d.unlimited {
		noted = 0 // the value that the library writes before it writes elements, and leaves so
		limit[0] = h5enc.Unlimited
		layout = h5enc.Chunked(nil, []uint64{1}, 4)
	}
	o.Add(h5enc.MsgDataspace, 0, h5enc.Simple(shape, limit))
	o.AddType(h5enc.Float(4, true))
	o.Add(h5enc.MsgFill, h5enc.FlagConstant, h5enc.Fill(d.unlimited, h5enc.FillIfSet, nil))
	o.Add(h5enc.MsgLayout, 0, layout)
	m.scaleAttrs(o, d, fmt.Sprintf("%s%10d", dimWithoutVar, noted))
	m.addReferences(o, d)
	return m.finish(o, path)
}

// scaleAttrs adds the attributes that make a dataset a dimension scale.
func (m *metadata) scaleAttrs(o *h5enc.Object, d *dim, name string) {
	addText(o, "CLASS", "DIMENSION_SCALE", true)
	addText(o, "NAME", name, true)
	addInts(o, "_Netcdf4Dimid", h5enc.Scalar(), d.id)
}

// variable makes the dataset of a variable and its link, or a further link to another variable's
// dataset.
func (m *metadata) variable(v *variable, parent *h5enc.Object) error {
	name := v.Name
	if d := v.group.dim(name); !v.scale() && d != nil && !d.phony {
		name = nonCoordPrefix + name
	}
	if v.Same != nil {
		if v.Target != "" {
			parent.AddSoftLink(name, v.Target)
		} else {
			parent.AddLink(name, m.vars[m.f.byVar[v.Same]].Block)
		}
		return nil
	}
	o := m.vars[v]
	o.Uses(v.links)
	parent.AddLink(name, o.Block)
	if err := m.storage(o, v); err != nil {
		return err
	}
	if v.scale() {
		m.scaleAttrs(o, v.dims[0], v.Name)
	} else if err := m.dimensionList(o, v); err != nil {
		return err
	}
	if phony := func(d *dim) bool { return d.phony }; len(v.dims) > 0 && !slices.ContainsFunc(v.dims, phony) {
		ids := make([]int, len(v.dims))
		for i, d := range v.dims {
			ids[i] = d.id
		}
		addInts(o, "_Netcdf4Coordinates", h5enc.Simple([]uint64{uint64(len(ids))}, nil), ids...)
	}
	for i := range v.Attrs {
		if err := m.attr(o, &v.Attrs[i], v.path); err != nil {
			return err
		}
	}
	if v.scale() {
		m.addReferences(o, v.dims[0])
	}
	return m.finish(o, v.path)
}

// storage adds the messages about the elements of a variable.
func (m *metadata) storage(o *h5enc.Object, v *variable) error {
	shape := m.f.shape(v)
	space := h5enc.Scalar()
	if len(shape) > 0 {
		limit := slices.Clone(shape)
		for i := range limit {
			if reference(v.Type) {
				break // references are in one piece
			}
			limit[i] = v.limit(i, shape[i])
			shape[i] = min(shape[i], limit[i])
		}
		space = h5enc.Simple(shape, limit)
	}
	o.Add(h5enc.MsgDataspace, 0, space)
	o.AddType(m.typeOf(v.Type, v.BigEndian && v.Type.Numeric()))
	fill, err := m.fill(v)
	if err != nil {
		return err
	}
	o.Add(h5enc.MsgFill, h5enc.FlagConstant, fill)
	if reference(v.Type) {
		data, err := m.refer(v.References, v.path)
		if err != nil {
			return err
		}
		m.blocks = append(m.blocks, data)
		o.Add(h5enc.MsgLayout, 0, h5enc.ContiguousIn(data))
		return nil
	}
	c := v.chunks()
	if c == nil {
		d := v.store.(*contiguous)
		addr := h5enc.Undefined
		if d.placed {
			addr = uint64(d.begin)
		}
		o.Add(h5enc.MsgLayout, 0, h5enc.Contiguous(addr, uint64(d.piece)))
		return nil
	}
	return m.chunked(o, v, c)
}

func (m *metadata) chunked(o *h5enc.Object, v *variable, c *chunked) error {
	if len(c.filters) > 0 {
		list := make([]h5enc.Filter, len(c.filters))
		for i, f := range c.filters {
			list[i] = f.file
		}
		o.Add(h5enc.MsgFilters, h5enc.FlagConstant, h5enc.Filters(list))
	}
	index, err := c.index()
	if err != nil {
		return v.wrap(err)
	}
	var root *h5enc.Block
	if len(index) > 0 {
		root = index[0]
		m.blocks = append(m.blocks, index...)
	}
	o.Add(h5enc.MsgLayout, 0, h5enc.Chunked(root, c.shape, v.size))
	return nil
}

// fill returns the fill value message of a variable.
func (m *metadata) fill(v *variable) (*h5enc.Block, error) {
	chunked := v.chunks() != nil
	if v.NoFill {
		return h5enc.Fill(chunked, h5enc.FillNever, nil), nil
	}
	value := slices.Clone(v.fill)
	if v.Type.Class == netcdf.String && v.Type.TextBytes == 0 {
		var text any = ""
		if a := find(v.Attrs, "_FillValue"); a != nil && sameType(a.Type, v.Type) {
			text = a.Value
		}
		e := encoder{put: m.f.put}
		var err error
		if value, err = e.list(nil, v.Type, text); err != nil || len(value) != v.size {
			return nil, modelError(v.path+":_FillValue", "value %q is not one string: %w", text, err)
		}
	}
	if value == nil {
		return h5enc.Fill(chunked, h5enc.FillIfSet, nil), nil
	}
	wire.Swap(value, max(1, v.swap()))
	return h5enc.Fill(chunked, h5enc.FillIfSet, &h5enc.Block{Data: value}), nil
}

// typeOf returns the datatype of a variable or attribute: the committed type, if the file has it.
func (m *metadata) typeOf(t *netcdf.Type, bigEndian bool) *h5enc.Type {
	if named := m.f.named(t); named != nil {
		committed := m.types[named]
		committed.uses++
		return committed.Type
	}
	return fileType(t, bigEndian)
}
