package mapping

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// An Attribute is one key of a source.
type Attribute struct {
	Key   string
	Value any
	// Type is the source's own name of the value's type if the value alone does not tell it,
	// else empty. For example netCDF's "short" arrives as int64.
	Type string
}

// A group holds the ordered keys that came from one place.
type group struct {
	name   string
	attrs  []Attribute
	index  map[string]int // position in attrs; made when the group grows beyond a linear search
	shared bool           // with other Attributes, so that it must not be changed
}

// firstAttributes is how many keys a group has room for at first: most namespaces of GRIB have fewer.
const firstAttributes = 16

// sparedAttributes is how many keys are likely to be set in a group that was shared.
const sparedAttributes = 8

// indexFrom is the number of keys from which a group is searched through a map.
const indexFrom = 64

// Attributes are the ordered, typed keys of one object of a source, grouped by where they came
// from. The zero value is empty and ready to use. Reading is safe from several goroutines, writing
// is not.
type Attributes struct {
	groups []*group
}

// Set sets key in the named group to value, replacing an earlier value in place. It returns an
// error for a value of a type that metadata cannot hold.
func (a *Attributes) Set(group, key string, value any) error {
	return a.SetTyped(group, key, value, "")
}

// SetTyped is like [Attributes.Set] for a value with the name of its type in the source.
func (a *Attributes) SetTyped(group, key string, value any, sourceType string) error {
	v, err := widen(value)
	if err != nil {
		return fmt.Errorf("mapping: key %s of %s: %w", key, group, err)
	}
	a.group(group).set(Attribute{Key: key, Value: v, Type: sourceType})
	return nil
}

// Share gives a the groups of another, which must not change any more, in place of its own groups of these names. They
// take no memory of their own until a key is set in them.
func (a *Attributes) Share(other *Attributes) {
	for _, g := range other.groups {
		shared := &group{name: g.name, attrs: g.attrs, index: g.index, shared: true}
		if i := slices.IndexFunc(a.groups, func(own *group) bool { return own.name == g.name }); i >= 0 {
			a.groups[i] = shared
		} else {
			a.groups = append(a.groups, shared)
		}
	}
}

// Get returns the value of key in the named group.
func (a *Attributes) Get(group, key string) (any, bool) {
	at, ok := a.Lookup(group, key)
	return at.Value, ok
}

// Lookup returns the attribute key of the named group, with its source type.
func (a *Attributes) Lookup(group, key string) (Attribute, bool) {
	g := a.find(group)
	if g == nil {
		return Attribute{}, false
	}
	i := g.position(key)
	if i < 0 {
		return Attribute{}, false
	}
	return g.attrs[i], true
}

// Groups returns the names of the groups in the order of their first keys.
func (a *Attributes) Groups() []string {
	names := make([]string, len(a.groups))
	for i, g := range a.groups {
		names[i] = g.name
	}
	return names
}

// All yields the attributes of the named group in the order of the source.
func (a *Attributes) All(group string) iter.Seq[Attribute] {
	return func(yield func(Attribute) bool) {
		g := a.find(group)
		if g == nil {
			return
		}
		for _, at := range g.attrs {
			if !yield(at) {
				return
			}
		}
	}
}

// Len returns the number of attributes in the named group.
func (a *Attributes) Len(group string) int {
	if g := a.find(group); g != nil {
		return len(g.attrs)
	}
	return 0
}

func (a *Attributes) find(name string) *group {
	for _, g := range a.groups {
		if g.name == name {
			return g
		}
	}
	return nil
}

func (a *Attributes) group(name string) *group {
	if g := a.find(name); g != nil {
		g.own()
		return g
	}
	g := &group{name: name, attrs: make([]Attribute, 0, firstAttributes)}
	a.groups = append(a.groups, g)
	return g
}

// own gives the group keys of its own.
func (g *group) own() {
	if g.shared {
		g.attrs = append(make([]Attribute, 0, len(g.attrs)+sparedAttributes), g.attrs...)
		g.index, g.shared = maps.Clone(g.index), false
	}
}

func (g *group) position(key string) int {
	if g.index != nil {
		if i, ok := g.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(g.attrs, func(a Attribute) bool { return a.Key == key })
}

func (g *group) set(at Attribute) {
	if i := g.position(at.Key); i >= 0 {
		g.attrs[i] = at
		return
	}
	g.attrs = append(g.attrs, at)
	switch {
	case g.index != nil:
		g.index[at.Key] = len(g.attrs) - 1
	case len(g.attrs) == indexFrom:
		g.index = make(map[string]int, 2*indexFrom)
		for i, a := range g.attrs {
			g.index[a.Key] = i
		}
	}
}
