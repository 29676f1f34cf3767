package netcdf

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Member returns a member of a compound variable as a variable of its own. It has the same
// dimensions, and its elements are the fields that the path of names leads to. Arrays on the way
// stay arrays. It has no attributes; its path continues the path of the compound.
func (v *Var) Member(path ...string) (*Var, error) {
	if o, ok := v.data.(*otherVar); ok && len(path) > 0 {
		return v.otherMember(o, path)
	}
	d, ok := v.data.(*nc4Var)
	if !ok || len(path) == 0 {
		return nil, fmt.Errorf("variable %s: type %s has no member %q", v.Path, v.Type.Describe(), path)
	}
	ds, err := d.ds.Member(path...)
	if err != nil {
		return nil, v.wrap(err)
	}
	m, err := v.newMember(path)
	if err != nil {
		return nil, err
	}
	m.data = &nc4Var{m, ds}
	if ds.Space.Null {
		m.Err = errNull
	} else {
		m.Err = ds.Check()
	}
	return m, nil
}

// newMember returns a member without its reader.
func (v *Var) newMember(path []string) (*Var, error) {
	t, err := v.Type.member(path)
	if err != nil {
		return nil, v.wrap(err)
	}
	return &Var{Name: path[len(path)-1], Path: v.Path + "/" + strings.Join(path, "/"), Dims: v.Dims, Storage: v.Storage, Type: t}, nil
}

// otherMember is Member of a variable that is in no netCDF file.
func (v *Var) otherMember(o *otherVar, path []string) (*Var, error) {
	m, err := v.newMember(path)
	if err != nil {
		return nil, err
	}
	data, err := o.member(m, path)
	if err != nil {
		return nil, v.wrap(err)
	}
	m.data, m.Err = data, v.Err
	return m, nil
}

// member returns the type that a path within a compound leads to.
func (t *Type) member(path []string) (*Type, error) {
	if len(path) == 0 {
		return t, nil
	}
	if t.Class == Array {
		base, err := t.Base.member(path)
		if err != nil {
			return nil, err
		}
		return &Type{Class: Array, Name: t.Name, Size: base.Size * nd.Volume(t.Shape), Base: base, Shape: t.Shape}, nil
	}
	for _, f := range t.Fields {
		if f.Name == path[0] {
			return f.Type.member(path[1:])
		}
	}
	return nil, fmt.Errorf("type %s has no member %s", t.Describe(), path[0])
}

// MemberPaths returns the paths of the members of a compound that are not compounds themselves,
// for [Var.Member]. They are in the order of the file. It is empty for other types.
func (t *Type) MemberPaths() [][]string {
	return t.memberPaths(nil, nil)
}

func (t *Type) memberPaths(list [][]string, path []string) [][]string {
	for t.Class == Array {
		t = t.Base
	}
	if t.Class != Compound {
		if len(path) > 0 {
			list = append(list, path)
		}
		return list
	}
	for _, f := range t.Fields {
		list = f.Type.memberPaths(list, append(path[:len(path):len(path)], f.Name))
	}
	return list
}
