package netcdf

import (
	"fmt"
	"strings"
)

// String returns the variable as its declaration in CDL: "float t2m(time, lat, lon)".
func (v *Var) String() string {
	text := fmt.Sprintf("%v %s", v.Type, v.Name)
	if len(v.Dims) == 0 {
		return text
	}
	names := make([]string, len(v.Dims))
	for i, d := range v.Dims {
		names[i] = d.Name
	}
	return text + "(" + strings.Join(names, ", ") + ")"
}

// String returns the dimension as its declaration in CDL: "time = UNLIMITED (3 currently)".
func (d *Dim) String() string {
	if d.Unlimited {
		return fmt.Sprintf("%s = UNLIMITED (%d currently)", d.Name, d.Len)
	}
	return fmt.Sprintf("%s = %d", d.Name, d.Len)
}

// String returns the name of the type, and its class where it has none.
func (t *Type) String() string {
	if t.Name == "" {
		return t.Class.String()
	}
	return t.Name
}

// String returns the attribute with its value: units = "K".
func (a Attr) String() string {
	switch value := a.Value.(type) {
	case string:
		return fmt.Sprintf("%s = %q", a.Name, value)
	case nil:
		return fmt.Sprintf("%s: %v", a.Name, a.Err)
	}
	return fmt.Sprintf("%s = %v", a.Name, a.Value)
}

// String returns the path of the group and the number of its members.
func (g *Group) String() string {
	return fmt.Sprintf("group %s: %d dimensions, %d variables, %d attributes, %d groups", g.Path, len(g.Dims), len(g.Vars), len(g.Attrs), len(g.Groups))
}
