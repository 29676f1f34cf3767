package tonetcdf

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// A variable is a variable to be written, with the source of its values.
type variable struct {
	out   *ncwrite.Var
	group *ncwrite.Group
	path  string
	shape []uint64
	jobs  iter.Seq[job]
}

// variable adds a variable of the layout to its group, unless no object has its values.
func (m *treeMaker) variable(l *mapping.LayoutVariable) error {
	if l.Type == netcdf.Reference.String() {
		return nil // see referenceVariables
	}
	path, name := splitPath(l.Name)
	kind := l.Type
	if kind == netcdf.Half.String() {
		kind = netcdf.Float.String() // which has all of its values
		m.note("variable %s becomes %s: netCDF has no numbers of 16 bits", l.Name, kind)
	}
	t, err := m.typeOf(kind)
	if err == nil {
		_, err = leaves(t, 0, nil)
	}
	if err != nil {
		m.note("variable %s is left out: %v", l.Name, err)
		return nil
	}
	out := &ncwrite.Var{Name: name, Type: t, Dims: l.Dims, BigEndian: l.BigEndian, Padding: l.Padding}
	v := &variable{out: out, group: m.group(path), path: l.Name}
	dims, err := m.dimsOf(path, l.Dims)
	if err != nil {
		return fmt.Errorf("variable %s: %w", l.Name, err)
	}
	for _, d := range dims {
		v.shape = append(v.shape, d.Len)
	}
	parts := m.partsOf(l.Name, t)
	if len(parts) == 0 {
		m.absent(l.Name)
		return nil
	}
	if shape := parts[0][0].Shape; t.TextBytes > 0 && (len(shape) == 0 || shape[len(shape)-1] != uint64(t.TextBytes)) {
		out.Type = ncwrite.Atomic(netcdf.String) // the texts are of another length than the file had
		t = out.Type
	}
	entry, _ := parts[0][0].Base.NetCDF()
	out.Attrs = m.varAttrs(l, entry, t)
	if parts[0][0].DType == tgm.Bitmask {
		m.note("variable %s "+bitmaskNote, l.Name, t.Class)
		out.Attrs = append(out.Attrs, boolAttr)
	}
	m.store(v, l, dims)
	record := slices.Index(dims, m.recordDim())
	if v.jobs, err = m.values(v, parts, record, entry); err != nil {
		return fmt.Errorf("variable %s: %w", l.Name, err)
	}
	out.NoFill = l.NoFill && m.whole(v, parts, record)
	if numbers := t.Class.Numeric() || t.Class == netcdf.Char; numbers && len(l.Fill) == t.Size {
		out.Fill = l.Fill
	}
	v.group.Vars = append(v.group.Vars, out)
	m.vars = append(m.vars, v)
	return nil
}

// absent notes a variable that no object has the values of.
func (m *treeMaker) absent(name string) {
	for _, o := range m.file.Others {
		if o.Name == name {
			m.note("variable %s is left out: %s", name, o.Reason)
			return
		}
	}
	if len(m.order) > 0 && !m.selected {
		m.note("variable %s is left out: no object has its values", name)
	}
}

// partsOf are the objects that hold a variable: itself or its records, the objects of each member of a
// compound, or the values and the lengths of sequences.
func (m *treeMaker) partsOf(name string, t *netcdf.Type) [][]dataset.Object {
	own := m.objects[name]
	switch {
	case t.Class == netcdf.Vlen:
		counts := m.objects[name+mapping.NetCDFCounts]
		if own == nil || len(counts) != len(own) {
			return nil
		}
		return [][]dataset.Object{own, counts}
	case t.Class == netcdf.Compound && own == nil:
		var parts [][]dataset.Object
		for _, path := range t.MemberPaths() {
			path := name + "/" + strings.Join(path, "/")
			objects, counts := m.objects[path], m.objects[path+mapping.NetCDFCounts]
			if objects == nil {
				return nil
			}
			if parts = append(parts, objects); counts != nil {
				parts = append(parts, counts)
			}
		}
		return parts
	case own == nil:
		return nil
	}
	return [][]dataset.Object{own}
}

// dimsOf finds dimensions by their names, in a group or in the groups around it, or by their paths.
func (m *treeMaker) dimsOf(group string, names []string) ([]*netcdf.Dim, error) {
	dims := make([]*netcdf.Dim, len(names))
	for i, name := range names {
		if g, last := splitPath(name); strings.HasPrefix(name, "/") {
			dims[i] = m.dim(g, last)
		} else {
			for g = group; ; g, _ = splitPath(g) {
				if dims[i] = m.dim(g, name); dims[i] != nil || g == "" {
					break
				}
			}
		}
		if dims[i] == nil {
			return nil, fmt.Errorf("there is no dimension %s", name)
		}
	}
	return dims, nil
}

// dim is the dimension of a group with a name, nil if it has none.
func (m *treeMaker) dim(group, name string) *netcdf.Dim {
	for _, d := range m.group(group).Dims {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// recordDim is the dimension that a conversion splits by: the first unlimited one.
func (m *treeMaker) recordDim() *netcdf.Dim {
	for _, d := range m.file.Dims {
		if d.Unlimited {
			return m.dim(d.Group, d.Name)
		}
	}
	return nil
}

// varAttrs are the attributes of a variable. The attributes of packed integers are in Packing where the
// values are unpacked; they are written if the type of the integers is known. The attributes for members of
// an enum are not of the file.
func (m *treeMaker) varAttrs(l *mapping.LayoutVariable, entry *mapping.NetCDF, t *netcdf.Type) []netcdf.Attr {
	values := entry.Attributes
	if entry.Packing[mapping.PackingDType] != nil {
		values = maps.Clone(entry.Packing)
		delete(values, mapping.PackingDType)
		maps.Copy(values, entry.Attributes)
	}
	skip := func(name string) bool {
		return t.Class == netcdf.Enum && (name == "flag_values" || name == "flag_meanings")
	}
	return m.attrs("variable "+l.Name, l.Attrs, values, entry.AttrTypes, skip)
}

// store says how the variable is stored, as the source was.
func (m *treeMaker) store(v *variable, l *mapping.LayoutVariable, dims []*netcdf.Dim) {
	v.out.Limit = axisLimits(l.Limit, dims)
	if len(l.Chunks) == len(v.shape) && plausibleChunk(l.Chunks, v) {
		v.out.ChunkShape = slices.Clone(l.Chunks)
		for i, d := range dims {
			if !d.Unlimited { // HDF5 has longer ones, of datasets that can grow
				v.out.ChunkShape[i] = min(v.out.ChunkShape[i], d.Len)
			}
		}
	}
	for _, f := range l.Filters {
		if len(f) == 0 {
			continue
		}
		filter := netcdf.Filter{ID: int(f[0]), Level: -1}
		for _, p := range f[1:] {
			filter.Params = append(filter.Params, uint32(p))
		}
		switch filter.ID {
		case netcdf.FilterDeflate, netcdf.FilterZstd:
			if len(filter.Params) > 0 {
				filter.Level = int(int32(filter.Params[0]))
			}
		case netcdf.FilterShuffle, netcdf.FilterFletcher32:
		default:
			m.note("variable %s: filter %d is not written; the variable has deflate instead", v.path, filter.ID)
			filter = ncwrite.Deflate(defaultDeflate)
		}
		v.out.Filters = append(v.out.Filters, filter)
	}
}

// axisLimits are how long the axes can become, nil if that does not fit the dimensions.
func axisLimits(list []int64, dims []*netcdf.Dim) []uint64 {
	if len(list) != len(dims) || len(list) == 0 {
		return nil
	}
	out := make([]uint64, len(list))
	for i, n := range list {
		if out[i] = uint64(n); n < 0 {
			out[i] = netcdf.NoLimit
		}
		if out[i] < dims[i].Len {
			return nil
		}
	}
	return out
}

// plausibleChunk reports whether a chunk is of a size that can be had: at most 64 MiB, or no larger
// than the variable.
func plausibleChunk(chunk []uint64, v *variable) bool {
	n := uint64(max(1, v.out.Type.Size))
	fits := true
	for i, length := range chunk {
		fits = fits && length <= max(1, v.shape[i])
		high, low := bits.Mul64(n, length)
		if length == 0 || high > 0 {
			return false
		}
		n = low
	}
	return n <= 64<<20 || fits
}

// defaultDeflate is the level of deflate where another filter was.
const defaultDeflate = 4

// byRecord puts objects in the order of their records.
func byRecord(objects []dataset.Object) []dataset.Object {
	objects = slices.Clone(objects)
	slices.SortStableFunc(objects, func(a, b dataset.Object) int {
		i, _ := a.Base.RecordIndex()
		j, _ := b.Base.RecordIndex()
		return cmp.Compare(i, j)
	})
	return objects
}

// maxAbsent bounds the absent records for each existing one.
const maxAbsent = 10000

// boxes are the boxes of the variable that each object of a part holds.
func (m *treeMaker) boxes(v *variable, objects []dataset.Object, record int) ([]box, error) {
	if m.starts != nil && len(objects) > 1 {
		return m.joinedBoxes(v, objects)
	}
	whole := record < 0
	if len(objects) == 1 { // sequences have one dimension, whatever the variable has
		_, isRecord := objects[0].Base.RecordIndex()
		whole = whole || !isRecord || len(objects[0].Shape) >= len(v.shape)
	}
	if whole {
		return []box{{object: objects[0], start: make([]uint64, len(v.shape)), count: v.shape}}, nil
	}
	if n := v.shape[record]; n > maxAbsent && n/maxAbsent > uint64(len(objects)) {
		return nil, fmt.Errorf("found %d of %d records", len(objects), n)
	}
	var list []box
	for _, o := range byRecord(objects) {
		i, ok := o.Base.RecordIndex()
		if !ok || i >= v.shape[record] {
			return nil, fmt.Errorf("%s is record %d of %d", o.Where, i, v.shape[record])
		}
		b := box{object: o, start: make([]uint64, len(v.shape)), count: slices.Clone(v.shape)}
		b.start[record], b.count[record] = i, 1
		list = append(list, b)
	}
	return list, nil
}

// whole reports whether the objects hold all elements of the variable: records may be absent.
func (m *treeMaker) whole(v *variable, parts [][]dataset.Object, record int) bool {
	for _, objects := range parts {
		boxes, err := m.boxes(v, objects, record)
		if err != nil {
			return false
		}
		n := uint64(0)
		for i := range boxes {
			n += boxes[i].elements()
		}
		if n != nd.Volume(v.shape) {
			return false
		}
	}
	return true
}

// A box is a part of a variable, and the object that holds it.
type box struct {
	object       dataset.Object
	start, count []uint64
	of           *mapping.NetCDF // of numbers: the variable, whose attributes give elements their meaning
}

// elements is the number of elements of the box.
func (b *box) elements() uint64 {
	return nd.Volume(b.count)
}
