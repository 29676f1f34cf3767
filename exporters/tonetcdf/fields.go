package tonetcdf

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// fieldFiles plans the files of fields that were not netCDF: one with a group for each grid, or one
// for each group.
func (b *planner) fieldFiles(ctx context.Context) ([]*File, []string, error) {
	objects := func(yield func(dataset.Object, error) bool) {
		for _, o := range b.fields {
			if !yield(o, nil) {
				return
			}
		}
	}
	opts := b.opts.Dataset
	opts.Read = func(ref int) (*tgm.Array, error) { return dataset.Read(ctx, b.reader, ref, nil) }
	set, err := dataset.Build(objects, opts)
	if err != nil {
		return nil, nil, err
	}
	if b.opts.Check != nil {
		if err := b.opts.Check(set); err != nil {
			return nil, nil, err
		}
	}
	kind := b.opts.Kind
	if kind == "" {
		kind = netcdf.NetCDF4
	}
	m := fieldMaker{planner: b, arrays: set.Arrays(b.reader), kind: kind}
	if apart := set.Report.Apart(); apart != "" {
		m.notes = append(m.notes, apart)
	}
	m.notes = append(m.notes, set.Report.Notes()...)
	if n := set.Report.Duplicates(); n > 0 {
		m.notes = append(m.notes, fmt.Sprintf("objects not written, because a later one is at the same place: %d", n))
	}
	var files []*File
	root := &File{Kind: kind, root: new(ncwrite.Group), written: b.opts.properties(), opts: b.opts}
	for _, g := range set.Groups {
		if len(g.Variables) == 0 {
			continue
		}
		if err := m.addGroup(root, g); err != nil {
			return nil, nil, err
		}
		if b.opts.Split {
			root.Name = strings.ReplaceAll(g.Name, "/", "_")
			files = append(files, root)
			root = &File{Kind: kind, root: new(ncwrite.Group), written: b.opts.properties(), opts: b.opts}
		}
	}
	if !b.opts.Split {
		files = append(files, root)
	}
	files = slices.DeleteFunc(files, func(f *File) bool { return f.Variables() == 0 })
	for _, f := range files {
		if err := b.opts.storage(f); err != nil {
			return nil, nil, err
		}
		if isClassic(f.Kind) && len(f.root.Groups) > 0 {
			return nil, nil, fmt.Errorf("fields on %d grids need groups, which %s does not have: write them to a folder, each to a file", 1+len(f.root.Groups), f.Kind)
		}
	}
	return files, m.notes, nil
}

// A fieldMaker makes netCDF variables from variables of a dataset.
type fieldMaker struct {
	*planner
	arrays dataset.Arrays
	kind   netcdf.Kind
	notes  []string
}

// addGroup adds a group of a dataset to a file: as its root if that is empty yet, else as a group
// of its own, beside others.
func (m *fieldMaker) addGroup(f *File, g *dataset.Group) error {
	group, path := f.root, ""
	if g.Name != "" && !m.opts.Split {
		path = cf.VariableName(g.Name)
		group = &ncwrite.Group{Name: path}
		f.root.Groups = append(f.root.Groups, group)
	}
	attrs, err := m.attrs(g.Attrs)
	if err != nil {
		return err
	}
	group.Attrs = attrs
	if !slices.ContainsFunc(f.root.Attrs, func(a netcdf.Attr) bool { return a.Name == "Conventions" }) {
		f.root.Attrs = append(f.root.Attrs, textAttr("Conventions", "CF-1.11"))
	}
	if group != f.root {
		group.Attrs = slices.DeleteFunc(group.Attrs, func(a netcdf.Attr) bool { return a.Name == "Conventions" })
	}
	if g.OfFields() && !slices.ContainsFunc(f.root.Attrs, func(a netcdf.Attr) bool { return a.Name == "title" }) {
		f.root.Attrs = append(f.root.Attrs, textAttr("title", "Fields of GRIB"), textAttr("history", m.opts.Program+" to-netcdf"))
	}
	variables := cfVariables(g.Variables)
	if !g.OfFields() {
		variables = asTheyAre(g.Variables)
	}
	var vars []*variable
	bits := make(map[*variable]bool)
	for _, c := range variables {
		isBits := c.of.DType == tgm.Bitmask
		v, err := m.variable(c)
		if err != nil {
			return fmt.Errorf("variable %s: %w", c.name, err)
		}
		if path != "" {
			v.path = path + "/" + v.path
		}
		v.group = group
		vars = append(vars, v)
		bits[v] = isBits
	}
	if len(m.opts.Variables) > 0 {
		vars = selected(vars, m.opts.Variables)
	}
	if len(vars) == 0 {
		f.root.Groups = slices.DeleteFunc(f.root.Groups, func(other *ncwrite.Group) bool { return other == group && path != "" })
		return nil
	}
	for _, v := range vars {
		if bits[v] {
			v.out.Attrs = append(v.out.Attrs, boolAttr)
			m.notes = append(m.notes, fmt.Sprintf("variable %s "+bitmaskNote, v.path, v.out.Type.Class))
		}
		group.Vars = append(group.Vars, v.out)
		for i, dim := range v.out.Dims {
			if !slices.ContainsFunc(group.Dims, func(d *netcdf.Dim) bool { return d.Name == dim }) {
				group.Dims = append(group.Dims, &netcdf.Dim{Name: dim, Len: v.shape[i]})
			}
		}
	}
	f.vars = append(f.vars, vars...)
	return nil
}

func textAttr(name, text string) netcdf.Attr {
	return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Char), Value: text}
}

// bitmaskNote is the note on a bitmask, after the name of its variable.
const bitmaskNote = "becomes %s of 0 and 1: netCDF has no bitmasks"

// boolAttr is the attribute by which xarray gives back true and false.
var boolAttr = textAttr("dtype", "bool")

// variable makes a variable and finds the type of its values.
func (m *fieldMaker) variable(c *cfVariable) (*variable, error) {
	if c.of.DType == tgm.Bitmask {
		octets := *c.of
		octets.DType = tgm.Uint8
		c.of = &octets
	}
	out := &ncwrite.Var{Name: c.name, Dims: c.dims}
	v := &variable{out: out, path: c.name, shape: c.of.Shape}
	attrs, err := m.attrs(c.attrs)
	if err != nil {
		return nil, err
	}
	class, ok := classes[c.of.DType]
	if c.of.Text != dataset.NotText {
		class = netcdf.Char
	}
	if !ok {
		return nil, fmt.Errorf("values of type %s have no form in netCDF", c.of.DType)
	}
	if class == netcdf.Int64 && c.bounded {
		class = netcdf.Double
	}
	if c.of.Text != dataset.NotText {
		class, attrs = netcdf.Char, append(attrs, textAttr("_Encoding", "utf-8"))
	}
	if class = m.allowed(class); c.of.Computed() {
		out.Type = ncwrite.Atomic(class)
		out.Attrs = attrs
		v.jobs = computedJobs(v, c.of, &converter{class: class, size: out.Type.Size})
		return v, nil
	}
	s, err := m.storing(c.of, class)
	if err != nil {
		return nil, err
	}
	out.Type = ncwrite.Atomic(s.class)
	out.Attrs = withFill(attrs, s)
	if c.of.Text == dataset.TextUTF8 && c.attr("_Encoding") == "" {
		out.Attrs = append(out.Attrs, textAttr("_Encoding", "utf-8"))
	}
	if s.class != netcdf.Char && !isClassic(m.kind) {
		out.ChunkShape = chunkOf(c.of)
		out.Filters = []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(1)}
	}
	if len(out.Dims) == 0 || slices.Contains(v.shape, 0) {
		out.ChunkShape, out.Filters = nil, nil
	}
	v.jobs = m.fieldJobs(v, c.of, s)
	return v, nil
}

// fillAttributes are the attributes whose values are elements of the variable.
var fillAttributes = []string{cf.AttrFillValue, cf.AttrMissingValue, "valid_min", "valid_max", "valid_range", "flag_values", "flag_masks"}

// withFill are the attributes of a variable with the attributes of its storage: missing floating-point
// numbers are NaN, and attributes that are elements have the type of these if they can.
func withFill(attrs []netcdf.Attr, s *storing) (list []netcdf.Attr) {
	for _, a := range attrs {
		switch {
		case s.class.IsFloat() && (a.Name == cf.AttrFillValue || a.Name == cf.AttrMissingValue), s.class == netcdf.Char && a.Name == cf.AttrFillValue:
			continue
		case slices.Contains(fillAttributes, a.Name):
			if typed, err := attribute(a.Name, ncwrite.Atomic(s.class), plainNumbers(a.Value)); err == nil {
				a = typed
			} else if a.Name == cf.AttrFillValue {
				continue
			}
		}
		list = append(list, a)
	}
	return append(list, s.attrs()...)
}

// plainNumbers are the numbers of an attribute as metadata have them, whole ones as integers.
func plainNumbers(value any) any {
	list, ok := value.([]float64)
	if !ok {
		return value
	}
	numbers := make([]any, len(list))
	for i, v := range list {
		if numbers[i] = v; v == float64(int64(v)) {
			numbers[i] = int64(v)
		}
	}
	return numbers
}

// mostChunk bounds the chunks of a variable in bytes. A reader decodes a chunk as a whole, and the
// netCDF library keeps none that is larger to read it again.
const mostChunk = 16 << 20

// chunkOf is the shape of the chunks of a variable: a field each, or some rows of a large one.
func chunkOf(of *dataset.Variable) []uint64 {
	chunk := slices.Clone(of.Chunk)
	for i := range chunk {
		chunk[i] = max(1, min(chunk[i], of.Shape[i]))
	}
	if size := uint64(of.DType.Size()); nd.Volume(chunk)*size > mostChunk {
		return nd.Rows(chunk, size, slabBytes)
	}
	return chunk
}

// allowed is the class itself, or the format's substitute: the classic model has no int64 but in CDF-5.
func (m *fieldMaker) allowed(class netcdf.Class) netcdf.Class {
	if m.kind == netcdf.CDF5 || m.kind == netcdf.NetCDF4 {
		return class
	}
	switch class {
	case netcdf.Int64, netcdf.UInt64, netcdf.UInt:
		return netcdf.Double
	case netcdf.UShort:
		return netcdf.Int
	case netcdf.UByte:
		return netcdf.Short
	}
	return class
}

func isClassic(kind netcdf.Kind) bool {
	return kind == netcdf.CDF1 || kind == netcdf.CDF2 || kind == netcdf.CDF5
}

// attrs makes netCDF attributes from attributes of a dataset.
func (m *fieldMaker) attrs(list []dataset.Attribute) ([]netcdf.Attr, error) {
	var out []netcdf.Attr
	for _, a := range list {
		class, ok := guessedClass(a.Value)
		if !ok {
			continue
		}
		value := a.Value
		if class = m.allowed(class); class == netcdf.String && m.kind != netcdf.NetCDF4 {
			words := items(a.Value)
			texts := make([]string, len(words))
			for i, w := range words {
				texts[i], _ = w.(string)
			}
			class, value = netcdf.Char, strings.Join(texts, " ")
		}
		made, err := attribute(a.Key, ncwrite.Atomic(class), value)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// computedJobs write a variable whose values are computed.
func computedJobs(v *variable, of *dataset.Variable, c *converter) iter.Seq[job] {
	return func(yield func(job) bool) {
		partJobs(v, make([]uint64, len(of.Shape)), of.Shape, of.ComputedArray(), nil, mostChunk, c, yield)
	}
}

// fieldJobs writes the fields of a variable. Holes are left to the fill value.
func (m *fieldMaker) fieldJobs(v *variable, of *dataset.Variable, s *storing) iter.Seq[job] {
	return func(yield func(job) bool) {
		limit := uint64(mostChunk)
		if nd.Volume(of.Chunk)*uint64(of.DType.Size()) > mostChunk {
			limit = slabBytes
		}
		for i, ref := range of.Refs() {
			if ref < 0 {
				continue
			}
			start, count := nd.Tile(uint64(i), of.Shape, of.Chunk)
			a, err := m.arrays.Array(context.Background(), int(ref))
			if !partJobs(v, start, count, a, err, limit, s.converter(), yield) {
				return
			}
		}
	}
}

func (s *storing) converter() *converter {
	return &converter{class: s.class, size: ncwrite.Atomic(s.class).Size, fill: s.fill(), packing: s.packing}
}
