package fromnetcdf

import (
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
)

// textAttrs looks up attributes for the vocabulary of CF.
func textAttrs(list []netcdf.Attr) cf.Attributes {
	return func(name string) (string, bool) {
		a := findAttr(list, name)
		if a == nil {
			return "", false
		}
		switch s := a.Value.(type) {
		case string:
			return text(s), true
		case []string:
			return text(strings.Join(s, " ")), true
		}
		return "", true
	}
}

// roles finds the variables that variables or group attributes name as coordinates, bounds and so on, by
// path.
func (f *file) roles() map[string]cf.Role {
	roles := make(map[string]cf.Role)
	add := func(v *netcdf.Var, role cf.Role) {
		if v != nil && roles[v.Path] == cf.Data {
			roles[v.Path] = role
		}
	}
	c := newChoice(f)
	var walk func(g *netcdf.Group)
	walk = func(g *netcdf.Group) {
		cf.References(textAttrs(g.Attrs), func(name string, role cf.Role) { add(g.Var(name), role) })
		for _, v := range g.Vars {
			cf.References(textAttrs(v.Attrs), func(name string, role cf.Role) { add(c.find(v, name), role) })
		}
		for _, sub := range g.Groups {
			walk(sub)
		}
	}
	walk(f.nc.Root())
	return roles
}

// role is the role of the variable, or of the compound that it is a member of.
func (f *file) role(v *variable) cf.Role {
	for p := v.v.Path; p != ""; p = p[:max(0, strings.LastIndexByte(p, '/'))] {
		if role := f.referenced[p]; role != cf.Data {
			return role
		}
		if !v.member {
			break
		}
	}
	return cf.RoleOf(text(v.v.Name), dimNames(v.v.Dims), textAttrs(v.attrs))
}
