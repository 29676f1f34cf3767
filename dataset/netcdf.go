package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
)

// addNetCDF adds objects of netCDF variables under their own names, dimensions, groups and attributes.
// Records of one variable are joined again. Files that do not form one dataset become groups named after
// them, also if one file of messages holds them. So does a file whose variables have names of fields.
func (d *Dataset) addNetCDF(objects []Object, opts *Options, report *Report) {
	sources := netcdfSources(objects, opts, report)
	taken := nameset.New()
	for _, g := range d.Groups {
		taken.Claim(g.Name)
	}
	collide := d.hasAny(objects)
	below := func(file string) string {
		if collide {
			return groupOfFile(file, taken)
		}
		return ""
	}
	plan := new(joinPlan)
	var apart error
	ordered := sources
	if len(sources) > 1 {
		fixed := setAlong(sources)
		list, known := inOrder(sources, opts.Read)
		if ordered = list; fixed && !known {
			apart = fmt.Errorf("%s has no unlimited dimension, and the times of the files do not follow one another", ordered[0].place)
		} else {
			plan, apart = joinable(ordered, opts)
		}
	}
	switch {
	case len(sources) == 1:
		d.addNetCDFGroup(below(sources[0].name), sources[0].objects, new(joinPlan), opts)
	case len(sources) > 1 && apart == nil:
		d.addNetCDFGroup(below(ordered[0].name), following(ordered), plan, opts)
	case len(sources) > 1:
		report.separate("%d netCDF files are groups: %v", len(sources), apart)
		for _, s := range sources {
			d.addNetCDFGroup(groupOfFile(s.name, taken), s.objects, new(joinPlan), opts)
		}
	}
	d.sortGroups()
	for _, g := range d.Groups {
		g.joinCharacters()
	}
	d.separateInvented()
	for _, g := range d.Groups {
		g.nameSamples()
	}
}

// hasAny reports whether there are variables of the paths of objects already.
func (d *Dataset) hasAny(objects []Object) bool {
	return slices.ContainsFunc(objects, func(o Object) bool { return d.Variable(o.Base.Name(nil)) != nil })
}

// addNetCDFGroup adds the variables of a netCDF file, or of several that are one dataset, below a
// group.
func (d *Dataset) addNetCDFGroup(below string, objects []Object, plan *joinPlan, opts *Options) {
	report := d.Report
	joined := make(map[string][]Object) // by path
	shared := make(map[string]bool)
	var order []string
	for _, o := range objects {
		path := o.Base.Name(nil)
		before := joined[path]
		_, ofRecord := o.recordIndex()
		if before != nil && plan.differ[path] && before[len(before)-1].part != o.part {
			joined[path] = append(before, o)
			continue
		}
		if before != nil && ofRecord && !o.isRecord() {
			report.shown(o.Ref, path, 0) // it goes unchanged with every record
			continue
		}
		if before == nil {
			order = append(order, path)
		} else if !ofRecord && (before[len(before)-1].part == o.part || !o.along) {
			shown := &before[len(before)-1]
			shared[path] = shared[path] || shown.part != o.part
			if opts.Gone(shown.Ref) && !opts.Gone(o.Ref) && slices.Equal(shown.Shape, o.Shape) && shown.DType == o.DType {
				shown.Ref = o.Ref
				continue
			}
			hideSame(&o, shown, before[0].part == o.part || !plan.unknown[path], report)
			continue
		}
		joined[path] = append(before, o)
	}
	groups := d.groupsOf(below, objects[0].Base)
	for _, path := range order {
		group, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			group, name = path[:i], path[i+1:]
		}
		full := path
		if below != "" {
			full = below + "/" + path
		}
		g := groups.group(group)
		v := d.netcdfVariable(name, full, joined[path], plan, report)
		v.shared = shared[path]
		if t := plan.times[path]; t != nil {
			v.setTimes(t)
		}
		g.separate(v)
		g.Variables = append(g.Variables, v)
	}
}

// nameSamples gives the lengths of sequences the attribute of CF's contiguous ragged arrays, which
// names the dimension of the values.
func (g *Group) nameSamples() {
	for _, v := range g.Variables {
		i := slices.IndexFunc(g.Variables, func(of *Variable) bool { return of.Name == v.countsOf && len(of.Dims) > 0 })
		if v.countsOf != "" && i >= 0 && !slices.ContainsFunc(v.Attrs, func(a Attribute) bool { return a.Key == cf.AttrSampleDimension }) {
			v.Attrs = append(v.Attrs, Attribute{cf.AttrSampleDimension, g.Variables[i].Dims[0]})
		}
	}
}

// netcdfGroups makes the groups of a netCDF file, below another group.
type netcdfGroups struct {
	d     *Dataset
	below string
	attrs map[string][]Attribute // by the name of the group in the file
	made  map[string]*Group      // groups of the dataset at below, by their names
}

// groupsOf are the groups of an entry's file. Groups with attributes and groups without variables are made at
// once.
func (d *Dataset) groupsOf(below string, e mapping.Entry) *netcdfGroups {
	groups := &netcdfGroups{d, below, make(map[string][]Attribute), make(map[string]*Group)}
	for _, g := range d.Groups {
		if strings.HasPrefix(g.Name, below) { // others are not asked for
			groups.made[g.Name] = g
		}
	}
	n, ok := e.NetCDF()
	if !ok || n.File == nil {
		return groups
	}
	groups.attrs[""] = sortedAttrs(n.File.Global, n.File.GlobalTypes)
	for _, of := range n.File.Groups {
		groups.attrs[strings.Trim(of.Name, "/")] = sortedAttrs(of.Attributes, of.Types)
	}
	for _, of := range n.File.Groups {
		groups.group(of.Name)
	}
	for _, name := range emptyGroups(e.NetCDFLayout()) {
		groups.group(name)
	}
	return groups
}

// emptyGroups are the groups of a file that have no variables, nor have the groups in them. Groups
// of which no variable was chosen are not among them.
func emptyGroups(layout *mapping.NetCDFLayout) (names []string) {
	if layout == nil {
		return nil
	}
	used := make(map[string]bool)
	for _, v := range layout.Variables {
		for i := strings.LastIndexByte(v.Name, '/'); i > 0 && !used[v.Name[:i]]; i = strings.LastIndexByte(v.Name[:i], '/') {
			used[v.Name[:i]] = true
		}
	}
	for _, g := range layout.Groups {
		if name := strings.Trim(g.Name, "/"); !used[name] {
			names = append(names, name)
		}
	}
	return names
}

// group is the group with that name in the file. It is made, as are the groups around it.
func (s *netcdfGroups) group(name string) *Group {
	name = strings.Trim(name, "/")
	full := strings.Trim(s.below+"/"+name, "/")
	if g := s.made[full]; g != nil {
		return g
	}
	g := &Group{Name: full, Attrs: s.attrs[name]}
	if name != "" {
		s.group(name[:max(0, strings.LastIndexByte(name, '/'))])
	}
	s.d.Groups = append(s.d.Groups, g)
	s.made[full] = g
	return g
}

// sortGroups puts groups after the groups around them.
func (d *Dataset) sortGroups() {
	slices.SortStableFunc(d.Groups, func(a, b *Group) int { return cmp.Compare(len(a.Name), len(b.Name)) })
}

// netcdfVariable makes the array of a variable, or of its records.
func (d *Dataset) netcdfVariable(name, path string, objects []Object, plan *joinPlan, report *Report) *Variable {
	first := &objects[0]
	v := &Variable{Name: name, Shape: slices.Clone(first.Shape), DType: first.DType}
	n, _ := first.Base.NetCDF()
	width := textWidth(objects)
	if width > 0 {
		v.Shape[len(v.Shape)-1] = width
	}
	v.Chunk = array.WholeBlock(v.Shape)
	v.Dims = n.Dims
	unpack := plan.unpack[first.Base.Name(nil)]
	if unpack {
		v.unpackEach(objects)
	}
	if first.isRecord() {
		slices.SortStableFunc(objects, func(a, b Object) int {
			i, _ := a.recordIndex()
			j, _ := b.recordIndex()
			return cmp.Compare(i, j)
		})
	}
	if first.isRecord() && n.Counts != "" {
		v.joinSequences(objects, d, path)
	} else if first.isRecord() {
		last, _ := objects[len(objects)-1].recordIndex()
		v.refs = slices.Repeat([]int32{-1}, int(last)+1)
		axis := first.recordAxis()
		v.Shape = slices.Insert(v.Shape, axis, last+1)
		v.Chunk = slices.Insert(v.Chunk, axis, 1)
		for _, o := range objects {
			i, _ := o.recordIndex()
			v.refs[i] = d.refOf(&o, width)
			report.shown(o.Ref, path, int(i))
		}
	} else if len(objects) > 1 && plan.differ[first.Base.Name(nil)] {
		v.repeat(objects, d, path, width, plan)
		v.Dims = append([]string{plan.dim}, v.Dims...)
	} else if len(objects) > 1 {
		v.join(objects, d, path, width)
	} else {
		v.refs = []int32{int32(first.Ref)}
		report.shown(first.Ref, path, 0)
	}
	v.setText(n)
	v.inventDims(n.Counts != "", len(v.Shape)-len(first.Shape))
	if !unpack {
		v.setScaling(first, d.unpack)
	}
	v.Attrs = v.netcdfAttrs(n, first, unpack)
	v.countsOf = n.CountsOf[strings.LastIndexByte(n.CountsOf, '/')+1:]
	v.Coordinate = len(v.Dims) == 1 && v.Dims[0] == name
	return v
}

// applied reports whether an attribute has been applied to the values.
func applied(key string, unpacked bool, v *Variable) bool {
	switch key {
	case cf.AttrScaleFactor, cf.AttrAddOffset, "_Unsigned":
		return unpacked
	case cf.AttrFillValue, cf.AttrMissingValue:
		return unpacked || v.DType.IsFloat() || v.Text != NotText
	case "_Encoding":
		return v.Text == TextUTF8
	}
	return false
}

// sortedAttrs are the entries of a map that a netCDF attribute can hold.
func sortedAttrs(m, types map[string]any) []Attribute {
	var attrs []Attribute
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if plainValue(m[key]) {
			attrs = append(attrs, Attribute{key, mapping.AttributeValue(m[key], types[key])})
		}
	}
	return attrs
}
