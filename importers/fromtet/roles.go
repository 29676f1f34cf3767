package fromtet

import (
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/tet"
)

// attrsOf looks up attributes for the vocabulary of CF.
func attrsOf(d *tet.Dataset) cf.Attributes {
	return func(name string) (string, bool) {
		text, ok := d.Metadata().Attrs[name]
		return text, ok
	}
}

// roles finds the datasets that others have as an axis, or name as their coordinates, bounds and so
// on.
func (f *file) roles() map[string]cf.Role {
	roles := make(map[string]cf.Role)
	t, err := f.parse()
	if err != nil {
		return roles
	}
	for _, d := range t.Datasets() {
		cf.References(attrsOf(d), func(name string, role cf.Role) { roles[name] = role })
	}
	for _, d := range t.Datasets() {
		for _, axis := range d.DimNames() {
			roles[axis] = cf.Coordinates
		}
	}
	return roles
}

// role is the role of a dataset.
func (f *file) role(d *tet.Dataset) cf.Role {
	if role := f.referenced()[d.Name]; role != cf.Data {
		return role
	}
	return cf.RoleOf(d.Name, d.DimNames(), attrsOf(d))
}
