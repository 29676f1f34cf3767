package dataset

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// addNetCDF adds what were netCDF variables, under their own names, dimensions, groups and
// attributes. Records of one variable are joined again. Files that are no parts of one dataset are
// groups, named after them, also if one file of messages holds them, and so is one whose variables
// have names of fields.
func (d *Dataset) addNetCDF(objects []Object, read func(ref int) (*tgm.Array, error), report *Report) {
	sources := netcdfSources(objects)
	taken := newNameSet()
	for _, g := range d.Groups {
		taken.claim(g.Name)
	}
	collide := d.hasAny(objects)
	below := func(file string) string {
		if collide {
			return groupOfFile(file, taken)
		}
		return ""
	}
	switch times, ok := joinable(sources, read); {
	case len(sources) == 1:
		d.addNetCDFGroup(below(sources[0].name), objects, nil, report)
	case ok:
		d.addNetCDFGroup(below(sources[0].name), following(sources), times, report)
	default:
		for _, s := range sources {
			d.addNetCDFGroup(groupOfFile(s.name, taken), s.objects, nil, report)
		}
	}
	for _, g := range d.Groups {
		g.joinCharacters()
	}
}

// hasAny reports whether there are variables of the paths of objects already.
func (d *Dataset) hasAny(objects []Object) bool {
	return slices.ContainsFunc(objects, func(o Object) bool { return d.Variable(o.Base.Name(nil)) != nil })
}

// addNetCDFGroup adds the variables of a netCDF file, or of several that are one dataset, below a
// group. times are the values of those, by path, that are times since different dates.
func (d *Dataset) addNetCDFGroup(below string, objects []Object, times map[string][]byte, report *Report) {
	joined := make(map[string][]Object) // by path
	var order []string
	for _, o := range objects {
		path := o.Base.Name(nil)
		before := joined[path]
		_, ofRecord := o.recordIndex()
		if before != nil && ofRecord && !o.isRecord() {
			report.shown(o.Ref, path, 0) // it goes with every record as it is
			continue
		}
		if before == nil {
			order = append(order, path)
		} else if !ofRecord && (before[len(before)-1].part == o.part || !hasRecords(&o)) {
			hideSame(&o, &before[0], report)
			continue
		}
		joined[path] = append(before, o)
	}
	for _, path := range order {
		group, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			group, name = path[:i], path[i+1:]
		}
		full := path
		if below != "" {
			full = below + "/" + path
		}
		g := d.netcdfGroup(below, group, &joined[path][0])
		v := d.netcdfVariable(name, full, joined[path], report)
		if data, ok := times[path]; ok {
			v.compute(data)
		}
		g.separate(v)
		g.Variables = append(g.Variables, v)
	}
}

// compute makes data the values of a variable.
func (v *Variable) compute(data []byte) {
	v.refs, v.short, v.Chunk = nil, false, WholeChunk(v.Shape)
	v.data = func() ([]byte, error) { return data, nil }
}

// separate renames the dimensions of v that other variables of the group have with another length,
// such as the number of all values of ragged arrays: clients refuse a group with both.
func (g *Group) separate(v *Variable) {
	for i, dim := range v.Dims {
		for _, other := range g.Variables {
			if j := slices.Index(other.Dims, dim); j >= 0 && other.Shape[j] != v.Shape[i] {
				v.Dims = slices.Clone(v.Dims)
				v.Dims[i] = v.Name + "_" + dim
				break
			}
		}
	}
}

// netcdfGroup is the group of a netCDF file with that name in the file, below another group, made
// with the attributes that a variable in it knows.
func (d *Dataset) netcdfGroup(below, name string, o *Object) *Group {
	full := strings.Trim(below+"/"+name, "/")
	if g := d.Group(full); g != nil {
		return g
	}
	g := &Group{Name: full}
	if n, ok := o.Base.NetCDF(); ok && n.File != nil {
		if name == "" {
			g.Attrs = typedAttrs(n.File.Global, n.File.GlobalTypes)
		}
		for _, of := range n.File.Groups {
			if strings.Trim(of.Name, "/") == name {
				g.Attrs = typedAttrs(of.Attributes, of.Types)
			}
		}
	}
	if name != "" {
		parent := ""
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			parent = name[:i]
		}
		d.netcdfGroup(below, parent, o)
	}
	d.Groups = append(d.Groups, g)
	slices.SortStableFunc(d.Groups, func(a, b *Group) int { return cmp.Compare(len(a.Name), len(b.Name)) })
	return g
}

// netcdfVariable makes the array of a variable, or of its records.
func (d *Dataset) netcdfVariable(name, path string, objects []Object, report *Report) *Variable {
	first := &objects[0]
	v := &Variable{Name: name, Shape: first.Shape, DType: first.DType}
	n, _ := first.Base.NetCDF()
	v.Chunk = WholeChunk(first.Shape)
	v.Dims = n.Dims
	if first.isRecord() {
		slices.SortStableFunc(objects, func(a, b Object) int {
			i, _ := a.recordIndex()
			j, _ := b.recordIndex()
			return cmp.Compare(i, j)
		})
		last, _ := objects[len(objects)-1].recordIndex()
		v.refs = slices.Repeat([]int32{-1}, int(last)+1)
		v.Shape = append([]uint64{last + 1}, first.Shape...)
		v.Chunk = append([]uint64{1}, v.Chunk...)
		for _, o := range objects {
			i, _ := o.recordIndex()
			v.refs[i] = int32(o.Ref)
			report.shown(o.Ref, path, int(i))
		}
	} else if len(objects) > 1 {
		v.join(objects, d, path)
	} else {
		v.refs = []int32{int32(first.Ref)}
		report.shown(first.Ref, path, 0)
	}
	v.setText(n)
	if len(v.Dims) != len(v.Shape) {
		v.Dims = nil
		for i := range v.Shape {
			v.Dims = append(v.Dims, name+"_dim_"+numberText(float64(i)))
		}
	}
	v.setScaling(first, d.unpack)
	v.Attrs = v.netcdfAttrs(n, first)
	v.Coordinate = len(v.Dims) == 1 && v.Dims[0] == name
	return v
}

// applied reports whether what an attribute says has been applied to the values.
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

// typedAttrs are the entries of a map that a netCDF attribute can hold. What the types of the file
// say is uint64 are numbers, also those above the largest int64, which are texts in a description.
func typedAttrs(m, types map[string]any) []Attribute {
	attrs := sortedAttrs(m)
	for i, a := range attrs {
		if types[a.Key] == "uint64" {
			attrs[i].Value = unsignedValue(a.Value)
		}
	}
	return attrs
}

// unsignedValue is a text, or a list of them, as unsigned integers, if it is that.
func unsignedValue(v any) any {
	if text, ok := v.(string); ok {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return n
		}
		return v
	}
	texts := mapping.Texts(v)
	if texts == nil {
		return v
	}
	numbers := make([]uint64, len(texts))
	for i, text := range texts {
		var err error
		if numbers[i], err = strconv.ParseUint(text, 10, 64); err != nil {
			return v
		}
	}
	return numbers
}

// sortedAttrs are the entries of a map that a netCDF attribute can hold.
func sortedAttrs(m map[string]any) []Attribute {
	var attrs []Attribute
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if plainValue(m[key]) {
			attrs = append(attrs, Attribute{key, m[key]})
		}
	}
	return attrs
}
