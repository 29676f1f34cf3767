package dataset

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Change says which part of a labelled dataset is shown, and under which names. The zero value
// changes nothing.
type Change struct {
	// Select chooses positions along axes by their labels.
	Select []Selector
	// Variables, if not empty, names the variables that are shown, with the variables that they need: by
	// path, by name, or by the short name of the parameter.
	Variables []string
	// Drop names variables that are left out.
	Drop []string
	// Rename gives variables and dimensions other names: pairs of the old and the new one.
	Rename [][2]string
	// Single shows variables of float64 as float32, each value rounded to the nearest. Coordinates stay as they are.
	Single bool
}

// IsZero reports whether nothing is changed.
func (c *Change) IsZero() bool {
	return len(c.Select) == 0 && len(c.Variables) == 0 && len(c.Drop) == 0 && len(c.Rename) == 0 && !c.Single
}

// change makes the changes, in the order of the fields. Values of coordinates are read where labels
// are compared with them.
func (d *Dataset) change(c *Change, read func(ref int) (*tgm.Array, error)) error {
	if c.IsZero() || !slices.ContainsFunc(d.Groups, func(g *Group) bool { return len(g.Variables) > 0 }) {
		return nil
	}
	if err := d.choose(c.old(), d.Arrays(readArrays(read))); err != nil {
		return err
	}
	if err := d.keepOnly(c.Variables, c.Drop); err != nil {
		return err
	}
	if err := d.rename(c.Rename); err != nil {
		return err
	}
	if c.Single {
		d.narrow()
	}
	d.Report.changed(d)
	return nil
}

// narrow shows variables of float64 as float32.
func (d *Dataset) narrow() {
	for _, g := range d.Groups {
		for i, v := range g.Variables {
			if v.Coordinate || v.Computed() || v.Text != NotText || v.Type() != tgm.Float64 {
				continue
			}
			c := *v
			c.single = true
			g.Variables[i] = &c
		}
	}
}

// old are the selectors with keys that are there before variables are renamed.
func (c *Change) old() []Selector {
	list := slices.Clone(c.Select)
	for i := range list {
		for _, names := range c.Rename {
			if list[i].Key == names[1] {
				list[i].Key = names[0]
			}
		}
	}
	return list
}

// readArrays are the arrays of objects that a function reads.
type readArrays func(ref int) (*tgm.Array, error)

// Array implements [Arrays].
func (read readArrays) Array(_ context.Context, ref int) (array.Array, error) {
	if read == nil {
		return nil, fmt.Errorf("dataset: there is nothing to read the labels of coordinates with")
	}
	a, err := read(ref)
	if err != nil {
		return nil, err
	}
	return array.Memory(a.Shape, a.DType, a.Data), nil
}

// isNamed reports whether a variable has a name, as users give it.
func (v *Variable) isNamed(name, group string) bool {
	short, _ := v.Attr(attrShortName).(string)
	return name == v.Name || name == v.path(group) || name == short && !v.Coordinate
}

// keepOnly leaves out variables by their names. Without names in only, all others stay.
func (d *Dataset) keepOnly(only, drop []string) error {
	for _, name := range slices.Concat(only, drop) {
		if !slices.ContainsFunc(d.Groups, func(g *Group) bool {
			return slices.ContainsFunc(g.Variables, func(v *Variable) bool { return v.isNamed(name, g.Name) })
		}) {
			return fmt.Errorf("there is no variable %s; there are %s", name, d.names())
		}
	}
	for _, g := range d.Groups {
		dropped := func(v *Variable) bool {
			return slices.ContainsFunc(drop, func(name string) bool { return v.isNamed(name, g.Name) })
		}
		g.Variables = slices.DeleteFunc(slices.Clone(g.Variables), dropped)
		for _, v := range g.Variables {
			v.forget(drop)
		}
	}
	if len(only) == 0 && len(drop) == 0 {
		return nil
	}
	d.prune(func(v *Variable, group string) bool {
		return len(only) == 0 && !v.Coordinate || slices.ContainsFunc(only, func(name string) bool { return v.isNamed(name, group) })
	})
	return nil
}

// forget takes names out of the attribute that names coordinates.
func (v *Variable) forget(names []string) {
	text, ok := v.Attr(cf.AttrCoordinates).(string)
	if !ok || len(names) == 0 {
		return
	}
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool { return slices.Contains(names, word) })
	v.Attrs = slices.Clone(v.Attrs)
	i := slices.IndexFunc(v.Attrs, func(a Attribute) bool { return a.Key == cf.AttrCoordinates })
	if v.Attrs[i].Value = strings.Join(words, " "); len(words) == 0 {
		v.Attrs = slices.Delete(v.Attrs, i, i+1)
	}
}

// prune leaves the variables that are wanted, and the variables that they need: coordinates, bounds, grid
// mappings, also of the groups around them. If none is wanted, it leaves out none.
func (d *Dataset) prune(wanted func(v *Variable, group string) bool) {
	kept := make(map[*Variable]bool)
	var keep func(v *Variable, g *Group)
	keep = func(v *Variable, g *Group) {
		if kept[v] {
			return
		}
		kept[v] = true
		text := func(key string) string { s, _ := v.Attr(key).(string); return s }
		for _, name := range slices.Concat(v.Dims, cf.Needs(text)) {
			if other, of := d.inScope(g, strings.TrimSuffix(name, ":")); other != nil {
				keep(other, of)
			}
		}
		for _, other := range g.Variables { // latitudes and longitudes that no attribute names, counts of ragged arrays
			ragged := slices.ContainsFunc(v.Dims, func(dim string) bool {
				return cf.Ragged(func(key string) string { s, _ := other.Attr(key).(string); return s }, dim)
			})
			if ragged || (other.meaning() == meansLatitude || other.meaning() == meansLongitude) && len(other.Dims) > 0 && isSubset(other.Dims, v.Dims) {
				keep(other, g)
			}
		}
	}
	for _, g := range d.Groups {
		for _, v := range g.Variables {
			if wanted(v, g.Name) {
				keep(v, g)
			}
		}
	}
	if len(kept) == 0 {
		return
	}
	for i, g := range d.Groups {
		g.Variables = slices.DeleteFunc(g.Variables, func(v *Variable) bool { return !kept[v] })
		if len(g.Variables) == 0 && i > 0 {
			d.Groups[i] = nil
		}
	}
	d.Groups = slices.DeleteFunc(d.Groups, func(g *Group) bool { return g == nil })
}

// inScope finds a variable of a group, or of the groups around it.
func (d *Dataset) inScope(g *Group, name string) (*Variable, *Group) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	for path := g.Name; ; path = path[:max(0, strings.LastIndexByte(path, '/'))] {
		if of := d.Group(path); of != nil {
			if v := of.Variable(name); v != nil {
				return v, of
			}
		}
		if path == "" {
			return nil, nil
		}
	}
}

func isSubset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(of, s) })
}

// names lists the variables, data first, for errors.
func (d *Dataset) names() string {
	var data, labels []string
	for _, g := range d.Groups {
		for _, v := range g.Variables {
			if v.Coordinate {
				labels = append(labels, v.path(g.Name))
			} else {
				data = append(data, v.path(g.Name))
			}
		}
	}
	return someOf(append(data, labels...))
}

// namedInErrors is how many names or labels an error lists.
const namedInErrors = 20

// someOf lists names, the first and the last if there are many.
func someOf(names []string) string {
	if n := len(names); n > namedInErrors {
		return strings.Join(names[:namedInErrors-1], ", ") + ", … " + names[n-1]
	}
	return strings.Join(names, ", ")
}

// rename gives variables and dimensions other names, also where attributes name them.
func (d *Dataset) rename(pairs [][2]string) error {
	for _, pair := range pairs {
		found := false
		for _, g := range d.Groups {
			changed, err := g.rename(pair[0], pair[1])
			if err != nil {
				return err
			}
			found = found || changed
		}
		if !found {
			return fmt.Errorf("there is no variable or dimension %s; there are %s", pair[0], d.names())
		}
	}
	return nil
}

func (g *Group) rename(old, new string) (found bool, err error) {
	group, name := "", old
	if i := strings.LastIndexByte(old, '/'); i >= 0 {
		group, name = old[:i], old[i+1:]
		if group != g.Name {
			return false, nil
		}
	}
	for _, v := range g.Variables {
		if v.Name == new || slices.Contains(v.Dims, new) {
			err = fmt.Errorf("%s cannot be called %s: there is one of that name", old, new)
		}
		found = found || v.Name == name || slices.Contains(v.Dims, name)
	}
	if !found || err != nil {
		return false, whenTrue(found, err)
	}
	for i, v := range g.Variables {
		c := *v
		if c.Name == name {
			c.Name = new
		}
		c.Dims = slices.Clone(c.Dims)
		for k := range c.Dims {
			if c.Dims[k] == name {
				c.Dims[k] = new
			}
		}
		c.Attrs = slices.Clone(c.Attrs)
		for k, a := range c.Attrs {
			if text, ok := a.Value.(string); ok && (cf.NamesVariables(a.Key) || a.Key == cf.AttrCellMethods) {
				c.Attrs[k].Value = renamed(text, name, new)
			}
		}
		g.Variables[i] = &c
	}
	return true, nil
}

// whenTrue is an error if a condition holds.
func whenTrue(ok bool, err error) error {
	if ok {
		return err
	}
	return nil
}

// renamed is the text of an attribute that names variables.
func renamed(text, old, new string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if plain := strings.TrimSuffix(word, ":"); plain == old {
			words[i] = new + word[len(plain):]
		}
	}
	return strings.Join(words, " ")
}

// changed notes where objects are shown now. The user left out the others.
func (r *Report) changed(d *Dataset) {
	shown := make(map[int]fate)
	for _, g := range d.Groups {
		for _, v := range g.Variables {
			path := r.paths.number(v.path(g.Name))
			for i, ref := range v.refs {
				for _, object := range d.objectsOf(int(ref)) {
					shown[object] = fate{path: path, index: int32(i)}
				}
			}
		}
	}
	for ref, before := range r.fates {
		if now, ok := shown[ref]; ok {
			r.fates[ref].path, r.fates[ref].index = now.path, now.index
		} else if before.path != 0 {
			r.hidden(ref, "not chosen by --sel, --variable or --drop")
		}
	}
}

// objectsOf are the objects that a ref stands for.
func (d *Dataset) objectsOf(ref int) (objects []int) {
	switch parts := d.Parts(ref); {
	case ref < 0:
	case parts == nil:
		objects = append(objects, ref)
	default:
		for _, p := range parts {
			objects = append(objects, d.objectsOf(p.Ref)...)
		}
	}
	return objects
}
