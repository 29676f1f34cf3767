package ncwrite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// plan is the model with its names resolved.
type plan struct {
	kind  netcdf.Kind
	root  *group
	dims  []*dim // of all groups: a group before the groups in it
	ids   int    // of dimensions so far
	vars  []*variable
	byVar map[*Var]*variable
	types map[*netcdf.Type]*namedType

	byName map[string][]*namedType // types

	mu sync.Mutex // guards the lengths of dimensions
}

// group is a group of the plan.
type group struct {
	model  *Group
	path   string
	parent *group
	dims   []*dim
	types  []*namedType
	vars   []*variable
	groups []*group
	links  []link
}

// link is a link of the plan.
type link struct {
	*Link
	to *group // of a hard link
}

// dim is a dimension of the plan.
type dim struct {
	name      string
	id        int // in the order of dims; phony ones have none
	unlimited bool
	phony     bool
	length    uint64    // so far
	scale     *variable // the coordinate variable, nil if there is none
}

// variable is a variable of the plan.
type variable struct {
	*Var
	path  string
	group *group
	dims  []*dim
	size  int    // bytes of an element in the file
	fill  []byte // the element that stands where nothing is written, little-endian; nil for zeros
	store store
	links int // further hard links to it
}

// store keeps the elements of a variable in the file.
type store interface {
	// write stores a box of elements in the form of the file, except for the byte order.
	write(ctx context.Context, start, count []uint64, data []byte) error
}

// scale reports whether v is the coordinate variable of a dimension.
func (v *variable) scale() bool { return len(v.dims) > 0 && v.dims[0].scale == v }

// newPlan resolves and checks the names of a model.
func newPlan(kind netcdf.Kind, root *Group) (*plan, error) {
	p := &plan{kind: kind, byVar: map[*Var]*variable{}, types: map[*netcdf.Type]*namedType{},
		byName: map[string][]*namedType{}}
	var err error
	if p.root, err = p.addGroup(root, nil, "/"); err != nil {
		return nil, err
	}
	if err := p.addVars(p.root); err != nil {
		return nil, err
	}
	if err := p.addLinks(p.root); err != nil {
		return nil, err
	}
	return p, nil
}

func classic(kind netcdf.Kind) bool {
	return kind == netcdf.CDF1 || kind == netcdf.CDF2 || kind == netcdf.CDF5
}

// maxGroupDepth bounds the nesting of groups.
const maxGroupDepth = 512

// addGroup adds a group with its dimensions and types, and the groups in it with theirs.
func (p *plan) addGroup(m *Group, parent *group, path string) (*group, error) {
	g := &group{model: m, path: path, parent: parent}
	if strings.Count(path, "/") > maxGroupDepth {
		return nil, modelError(path, "groups nested more than %d deep", maxGroupDepth)
	}
	if p.kind != netcdf.NetCDF4 && len(m.Groups)+len(m.Types)+len(m.Links) > 0 {
		return nil, modelError(path, "%s has no groups and no types of its own", p.kind)
	}
	if err := p.addDims(g); err != nil {
		return nil, err
	}
	if err := p.addTypes(g); err != nil {
		return nil, err
	}
	for _, child := range m.Groups {
		if err := checkName(join(path, child.Name), child.Name); err != nil {
			return nil, err
		}
		c, err := p.addGroup(child, g, join(path, child.Name))
		if err != nil {
			return nil, err
		}
		g.groups = append(g.groups, c)
	}
	return g, p.checkAttrs(m.Attrs, path)
}

func (p *plan) addDims(g *group) error {
	unlimited := ""
	for _, m := range g.model.Dims {
		path := join(g.path, m.Name)
		if err := checkName(path, m.Name); err != nil {
			return err
		}
		switch {
		case g.dim(m.Name) != nil:
			return modelError(path, "a second dimension of this name")
		case m.Len == 0 && !m.Unlimited && p.kind != netcdf.NetCDF4: // HDF5 files have them
			return modelError(path, "dimension of length 0, only an unlimited one can be empty in %s", p.kind)
		case m.Len > math.MaxInt64:
			return modelError(path, "dimension of length %d", m.Len)
		case m.Unlimited && p.kind != netcdf.NetCDF4 && unlimited != "":
			return modelError(path, "unlimited dimension after %s, %s has one only", unlimited, p.kind)
		}
		if m.Unlimited {
			unlimited = m.Name
		}
		d := &dim{name: m.Name, id: p.ids, unlimited: m.Unlimited, length: m.Len, phony: m.Phony && p.kind == netcdf.NetCDF4}
		if !d.phony {
			p.ids++
		}
		p.dims = append(p.dims, d)
		g.dims = append(g.dims, d)
	}
	return nil
}

// dim returns the dimension of the group with the name, or nil.
func (g *group) dim(name string) *dim {
	for _, d := range g.dims {
		if d.name == name {
			return d
		}
	}
	return nil
}

// addVars adds the variables of a group and of the groups in it.
func (p *plan) addVars(g *group) error {
	names := map[string]string{}
	claim := func(name, what string) error {
		if was := names[name]; was != "" {
			return modelError(join(g.path, name), "%s of the name of a %s", what, was)
		}
		names[name] = what
		return nil
	}
	for _, t := range g.types {
		if err := claim(t.typ.Name, "type"); err != nil {
			return err
		}
	}
	for _, c := range g.groups {
		if err := claim(c.model.Name, "group"); err != nil {
			return err
		}
	}
	for i := range g.model.Links {
		name := g.model.Links[i].Name
		if err := checkName(join(g.path, name), name); err != nil {
			return err
		}
		if err := claim(name, "link"); err != nil {
			return err
		}
	}
	for _, d := range g.dims {
		if was := names[d.name]; was != "" {
			return modelError(join(g.path, d.name), "dimension of the name of a %s", was)
		}
	}
	for _, m := range g.model.Vars {
		if err := claim(m.Name, "variable"); err != nil {
			return err
		}
		v, err := p.addVar(g, m)
		if err != nil {
			return err
		}
		g.vars = append(g.vars, v)
	}
	for _, c := range g.groups {
		if err := p.addVars(c); err != nil {
			return err
		}
	}
	return nil
}

// maxTarget bounds the paths of links.
const maxTarget = 1 << 14

// addLinks finds the groups and variables that the links of a group, and of the groups in it, lead
// to.
func (p *plan) addLinks(g *group) error {
	for _, v := range g.vars {
		if v.Same == nil {
			continue
		}
		to := p.byVar[v.Same]
		if to == nil || p.kind != netcdf.NetCDF4 || badTarget(v.Target) {
			return modelError(v.path, "link %q to a variable that the file does not have, or in %s", v.Target, p.kind)
		}
		if v.Target == "" {
			to.links++
		}
	}
	for i := range g.model.Links {
		l := link{Link: &g.model.Links[i]}
		path := join(g.path, l.Name)
		switch {
		case badTarget(l.Target + l.File):
			return modelError(path, "link to %q in file %q", l.Target, l.File)
		case l.Target == "":
			if l.to = p.findGroup(l.Group); l.to == nil {
				return modelError(path, "link to %q, which is no group of the file", l.Group)
			}
		}
		g.links = append(g.links, l)
	}
	for _, c := range g.groups {
		if err := p.addLinks(c); err != nil {
			return err
		}
	}
	return nil
}

// badTarget reports whether a link cannot have a path.
func badTarget(path string) bool { return len(path) > maxTarget || strings.Contains(path, "\x00") }

// findGroup returns the group of a path, nil if there is none.
func (p *plan) findGroup(path string) *group {
	g := p.root
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			break
		}
		if g = g.group(name); g == nil {
			break
		}
	}
	return g
}

func (p *plan) addVar(g *group, m *Var) (*variable, error) {
	v := &variable{Var: m, path: join(g.path, m.Name), group: g}
	if err := checkName(v.path, m.Name); err != nil {
		return nil, err
	}
	if p.byVar[m] != nil {
		return nil, modelError(v.path, "the variable is in the file twice")
	}
	if m.Same != nil {
		return v, nil
	}
	if err := p.checkType(m.Type, v.path); err != nil && (!reference(m.Type) || p.kind != netcdf.NetCDF4) {
		return nil, err
	}
	if err := p.checkAttrs(m.Attrs, v.path); err != nil {
		return nil, err
	}
	for _, name := range m.Dims {
		d := p.findDim(g, name)
		if d == nil {
			return nil, modelError(v.path, "there is no dimension %s in the group or the groups around it", name)
		}
		v.dims = append(v.dims, d)
	}
	if err := v.checkLimit(); err != nil {
		return nil, err
	}
	if n := volume(p.shape(v)); reference(m.Type) && n != uint64(len(m.References)) {
		return nil, modelError(v.path, "%d references for %d elements", len(m.References), n)
	}
	v.size = fileSize(m.Type)
	if err := v.checkSize(); err != nil {
		return nil, err
	}
	if len(v.dims) > 0 && v.dims[0] == g.dim(m.Name) && !v.dims[0].phony {
		v.dims[0].scale = v
	}
	p.byVar[m] = v
	p.vars = append(p.vars, v)
	return v, nil
}

// checkLimit reports limits that are less than the lengths.
func (v *variable) checkLimit() error {
	if v.Limit == nil {
		return nil
	}
	if len(v.Limit) != len(v.dims) {
		return modelError(v.path, "%d limits for %d dimensions", len(v.Limit), len(v.dims))
	}
	for i, d := range v.dims {
		if d.phony && v.Limit[i] < d.length {
			return modelError(v.path, "limit %d of dimension %s of length %d", v.Limit[i], d.name, d.length)
		}
	}
	return nil
}

// limit returns how long an axis can become that is length long.
func (v *variable) limit(axis int, length uint64) uint64 {
	d := v.dims[axis]
	switch {
	case v.Limit != nil && d.phony:
		return v.Limit[axis]
	case d.unlimited:
		return h5enc.Unlimited
	}
	return length
}

// checkSize reports a shape whose bytes an int64 does not count.
func (v *variable) checkSize() error {
	n := uint64(v.size)
	for i, d := range v.dims {
		var ok bool
		if d.unlimited && i == 0 {
			continue
		}
		if n, ok = wire.Mul(n, max(1, d.length)); !ok || n > math.MaxInt64/4 {
			return modelError(v.path, "more bytes than a file can hold")
		}
	}
	return nil
}

// findDim resolves the name of a dimension.
func (p *plan) findDim(g *group, name string) *dim {
	if !strings.HasPrefix(name, "/") {
		for ; g != nil; g = g.parent {
			if d := g.dim(name); d != nil {
				return d
			}
		}
		return nil
	}
	parts := strings.Split(name[1:], "/")
	at := p.root
	for _, part := range parts[:len(parts)-1] {
		if at = at.group(part); at == nil {
			return nil
		}
	}
	return at.dim(parts[len(parts)-1])
}

func (g *group) group(name string) *group {
	for _, c := range g.groups {
		if c.model.Name == name {
			return c
		}
	}
	return nil
}

// shape returns the present length of each axis.
func (p *plan) shape(v *variable) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	shape := make([]uint64, len(v.dims))
	for i, d := range v.dims {
		shape[i] = d.length
	}
	return shape
}

// grow makes the unlimited dimensions of v as long as a box demands.
func (p *plan) grow(v *variable, start, count []uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, d := range v.dims {
		if d.unlimited {
			d.length = max(d.length, start[i]+count[i])
		}
	}
}

// maxName is NC_MAX_NAME.
const maxName = 256

func checkName(path, name string) error {
	if err := CheckName(name); err != nil {
		return modelError(path, "%v", err)
	}
	return nil
}

// CheckName returns an error that says why a file cannot have a name, nil if it can. The
// name is of a group, dimension, variable, attribute or type.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("no name")
	case len(name) > maxName:
		return fmt.Errorf("name of %d bytes, expected at most %d", len(name), maxName)
	case strings.ContainsAny(name, "/\x00"):
		return fmt.Errorf("name %q with a slash or zero byte", name)
	}
	return nil
}

func join(path, name string) string { return strings.TrimSuffix(path, "/") + "/" + name }

// describe returns the name of a type for errors.
func describe(t *netcdf.Type) string {
	if t == nil {
		return "none"
	}
	return fmt.Sprintf("%q", t.Describe())
}
