package netcdf

// DimNames returns the names of the dimensions of each variable in its group. A name is short
// where a look-up in that group and then in the groups around it finds the dimension, else it
// is a path, such as "/a/x", or "/x" in the root.
func (f *File) DimNames() map[*Var][]string {
	paths := make(map[*Dim]string)
	var collect func(g *Group)
	collect = func(g *Group) {
		for _, d := range g.Dims {
			paths[d] = join(g.Path, d.Name)
		}
		for _, c := range g.Groups {
			collect(c)
		}
	}
	collect(f.Root())
	names := make(map[*Var][]string)
	var walk func(g *Group, around []*Group)
	walk = func(g *Group, around []*Group) {
		around = append(around[:len(around):len(around)], g)
		for _, v := range g.Vars {
			list := make([]string, len(v.Dims))
			for i, d := range v.Dims {
				if list[i] = d.Name; lookUp(around, d.Name) != d {
					list[i] = paths[d]
				}
			}
			names[v] = list
		}
		for _, c := range g.Groups {
			walk(c, around)
		}
	}
	walk(f.Root(), nil)
	return names
}

// lookUp finds a dimension in the last of the groups that has a dimension of that name.
func lookUp(around []*Group, name string) *Dim {
	for i := len(around) - 1; i >= 0; i-- {
		for _, d := range around[i].Dims {
			if d.Name == name {
				return d
			}
		}
	}
	return nil
}
