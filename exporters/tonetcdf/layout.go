package tonetcdf

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// A source is a netCDF file: its description in a message, and its objects.
type source struct {
	file    *mapping.NetCDFFile
	layout  *mapping.NetCDFLayout
	objects map[string][]dataset.Object // by name; several are records
	order   []string                    // names in the order of the objects

	reader   dataset.Fields
	seen     map[string]bool  // variables and records
	starts   map[int][]uint64 // of objects in their variables, if several files are joined
	selected bool             // not all objects of the file are meant to be here
}

// A treeMaker makes the tree of a file as its layout has it.
type treeMaker struct {
	*source
	root   *ncwrite.Group
	groups map[string]*ncwrite.Group // by path without slashes at the ends
	types  map[string]*netcdf.Type   // by path
	vars   []*variable
	notes  []string
}

func (m *treeMaker) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// tree makes the groups, dimensions, types and variables of the file.
func (s *source) tree() (*treeMaker, error) {
	m := &treeMaker{source: s, root: new(ncwrite.Group), types: make(map[string]*netcdf.Type)}
	m.groups = map[string]*ncwrite.Group{"": m.root}
	for _, g := range s.layout.Groups {
		m.group(g.Name)
	}
	for _, d := range s.file.Dims {
		g := m.group(d.Group)
		g.Dims = append(g.Dims, &netcdf.Dim{Name: d.Name, Len: d.Len, Unlimited: d.Unlimited, Phony: d.Phony})
	}
	for i := range s.layout.Types {
		if err := m.defineType(&s.layout.Types[i]); err != nil {
			m.note("%v", err) // and so is its owner
		}
	}
	m.root.Attrs = m.attrs("the file", s.layout.Attrs, s.file.Global, s.file.GlobalTypes, nil)
	for _, g := range s.layout.Groups {
		values, types := s.groupAttrs(g.Name)
		m.group(g.Name).Attrs = m.attrs("group "+g.Name, g.Attrs, values, types, nil)
	}
	for i := range s.layout.Variables {
		if err := m.variable(&s.layout.Variables[i]); err != nil {
			return nil, err
		}
	}
	for i := range s.layout.Links {
		if err := m.link(&s.layout.Links[i]); err != nil {
			m.note("link %s is left out: %v", s.layout.Links[i].Name, err)
		}
	}
	return m, nil
}

// group is the group of a path, made with the groups around it.
func (m *treeMaker) group(path string) *ncwrite.Group {
	path = strings.Trim(path, "/")
	if g := m.groups[path]; g != nil {
		return g
	}
	parent, name := splitPath(path)
	g := &ncwrite.Group{Name: name}
	around := m.group(parent)
	around.Groups = append(around.Groups, g)
	m.groups[path] = g
	return g
}

// splitPath is the group of a path and the name in it.
func splitPath(path string) (group, name string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

func (s *source) groupAttrs(path string) (values, types map[string]any) {
	for _, g := range s.file.Groups {
		if g.Name == path {
			return g.Attributes, g.Types
		}
	}
	return nil, nil
}

// referenceBytes is how many bytes a text or a sequence takes in a compound: netCDF-4 has none of
// fixed length.
const referenceBytes = 16

// fieldSize is how many bytes an element of a type takes in a compound.
func fieldSize(t *netcdf.Type) int {
	switch {
	case t.Class == netcdf.String && t.TextBytes > 0:
		return t.TextBytes
	case t.Class == netcdf.String || t.Class == netcdf.Vlen:
		return referenceBytes
	}
	return t.Size
}

var userClasses = map[string]netcdf.Class{
	"enum": netcdf.Enum, "compound": netcdf.Compound, "vlen": netcdf.Vlen, "opaque": netcdf.Opaque,
}

// defineText adds a type of text, which the file has in another way than the netCDF library.
func (m *treeMaker) defineText(l *mapping.LayoutType, class netcdf.Class) error {
	if l.Size < 0 || l.Size > maxElement {
		return fmt.Errorf("type %s has elements of %d bytes", l.Name, l.Size)
	}
	t := ncwrite.Atomic(class)
	t.TextBytes, t.UTF8, t.Padding = l.Size, !l.ASCII, netcdf.Padding(l.Padding)
	m.types[l.Name] = t
	return nil
}

// defineType adds a user-defined type, to its group if the file names it. Types that it is made of
// come before it.
func (m *treeMaker) defineType(l *mapping.LayoutType) error {
	if c, ok := classOf(l.Class); ok && (c == netcdf.Char || c == netcdf.String) {
		return m.defineText(l, c)
	}
	group, name := splitPath(strings.Trim(l.Name, "/"))
	t := &netcdf.Type{Class: userClasses[l.Class], Name: name, Size: l.Size, Tag: l.Tag}
	if t.Class == 0 {
		return fmt.Errorf("type %s is of class %q", l.Name, l.Class)
	}
	var err error
	if l.Base != "" {
		if t.Base, err = m.typeOf(l.Base); err != nil {
			return fmt.Errorf("type %s: %w", l.Name, err)
		}
	}
	if needsBase := t.Class == netcdf.Enum || t.Class == netcdf.Vlen; needsBase && t.Base == nil {
		return fmt.Errorf("type %s has no type of elements", l.Name)
	}
	for _, e := range l.Members {
		if err := ncwrite.CheckName(e.Name); err != nil {
			return fmt.Errorf("type %s, member: %w", l.Name, err)
		}
		t.Members = append(t.Members, netcdf.EnumMember{Name: e.Name, Value: e.Value})
	}
	for _, f := range l.Fields {
		inner, err := m.typeOf(f.Type)
		if err == nil {
			err = ncwrite.CheckName(f.Name)
		}
		if err != nil {
			return fmt.Errorf("type %s, field %s: %w", l.Name, f.Name, err)
		}
		size := fieldSize(inner)
		if len(f.Shape) > 0 {
			for _, n := range f.Shape {
				if n < 0 || n > 0 && size > maxElement/n {
					return fmt.Errorf("type %s, field %s: shape %v", l.Name, f.Name, f.Shape)
				}
				size *= n
			}
			inner = &netcdf.Type{Class: netcdf.Array, Size: size, Base: inner, Shape: f.Shape}
		}
		t.Fields = append(t.Fields, netcdf.Field{Name: f.Name, Offset: f.Offset, Type: inner})
	}
	if err := place(t); err != nil {
		return fmt.Errorf("type %s: %w", l.Name, err)
	}
	if t.Size < 0 || t.Size > maxElement {
		return fmt.Errorf("type %s has elements of %d bytes", l.Name, t.Size)
	}
	m.types[l.Name] = t
	if l.Unnamed {
		t.Name = ""
		return nil
	}
	g := m.group(group)
	g.Types = append(g.Types, t)
	return nil
}

// place puts the fields of a compound one after the other, where they do not have room at their
// offsets: texts have another size than in the source.
func place(t *netcdf.Type) error {
	fields := slices.Clone(t.Fields)
	slices.SortStableFunc(fields, func(a, b netcdf.Field) int { return cmp.Compare(a.Offset, b.Offset) })
	end, fit := 0, true
	for _, f := range fields {
		fit = fit && f.Offset >= end && f.Offset <= t.Size-fieldSize(f.Type)
		end = f.Offset + fieldSize(f.Type)
	}
	if fit {
		return nil
	}
	t.Size = 0
	for i := range t.Fields {
		t.Fields[i].Offset = t.Size
		if t.Size += fieldSize(t.Fields[i].Type); t.Size > maxElement {
			return fmt.Errorf("more than %d bytes", maxElement)
		}
	}
	return nil
}

// maxElement bounds the size of an element.
const maxElement = 1 << 26

// typeOf is an atomic type by its name, or a user-defined one by its path.
func (m *treeMaker) typeOf(name string) (*netcdf.Type, error) {
	if t := m.types[name]; t != nil {
		return t, nil
	}
	if c, ok := classOf(name); ok {
		return ncwrite.Atomic(c), nil
	}
	return nil, fmt.Errorf("type %q has no form in netCDF", name)
}

// attrs makes attributes in the order of the layout. Further attributes come last.
func (m *treeMaker) attrs(of string, order []mapping.LayoutAttr, values, types map[string]any, skip func(name string) bool) []netcdf.Attr {
	var list []netcdf.Attr
	known := make(map[string]bool, len(order))
	add := func(a netcdf.Attr, err error) {
		if err == nil {
			err = attributeName(a.Name)
		}
		if err != nil {
			m.note("%s: left out: %v", of, err)
			return
		}
		list = append(list, a)
	}
	for i := range order {
		l := &order[i]
		known[l.Name] = true
		value, has := values[l.Name]
		switch {
		case l.Raw != nil:
			a, err := m.rawAttr(l)
			a.Scalar, a.Shape, a.BigEndian = l.Scalar, l.Shape, l.BigEndian
			add(a, err)
		case has:
			a, err := m.typedAttr(l.Name, m.attrType(of, l.Name, l.Type, types[l.Name]), value)
			if l.Zeros <= mapping.MostZeros {
				a.Zeros = l.Zeros
			}
			a.Scalar, a.Shape, a.Null, a.BigEndian = l.Scalar, l.Shape, l.Null, l.BigEndian
			add(a, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if known[name] || skip != nil && skip(name) {
			continue
		}
		add(m.typedAttr(name, m.attrType(of, name, "", types[name]), values[name]))
	}
	return list
}

// maxPadded bounds the bytes of the texts of an attribute that are of fixed length.
const maxPadded = 1 << 24

// textFor is the type of texts: t, or text of any length. The latter is for texts longer than t
// allows, or for little text that t would make much of.
func textFor(t *netcdf.Type, value any) *netcdf.Type {
	list, ok := value.([]string)
	if !ok || t.Class != netcdf.String || t.TextBytes == 0 {
		return t
	}
	longer := slices.ContainsFunc(list, func(s string) bool { return len(s) > t.TextBytes })
	if longer || len(list) > maxPadded/t.TextBytes {
		return ncwrite.Atomic(netcdf.String)
	}
	return t
}

// attributeName returns why netCDF cannot have an attribute of that name, which HDF5 can.
func attributeName(name string) error {
	if err := ncwrite.CheckName(name); err != nil {
		return fmt.Errorf("attribute: %w", err)
	}
	return nil
}

// rawAttr is an attribute whose value is given as it was in the file.
func (m *treeMaker) rawAttr(l *mapping.LayoutAttr) (netcdf.Attr, error) {
	t, err := m.typeOf(l.Type)
	if err != nil || t.Class > netcdf.UInt64 {
		return netcdf.Attr{}, fmt.Errorf("attribute %s of type %q", l.Name, l.Type)
	}
	value, err := rawValue(t.Class, l.Raw)
	if err != nil {
		return netcdf.Attr{}, fmt.Errorf("attribute %s: %w", l.Name, err)
	}
	return netcdf.Attr{Name: l.Name, Type: t, Value: value}, nil
}

// attrType is the type of an attribute in the layout, else in the metadata.
func (m *treeMaker) attrType(of, name, path string, class any) string {
	if path == "" {
		path, _ = class.(string)
	}
	if path == mapping.TypeJSON {
		return netcdf.Char.String()
	}
	if path == netcdf.Half.String() {
		m.note("%s: attribute %s becomes %s: netCDF has no numbers of 16 bits", of, name, netcdf.Float)
		return netcdf.Float.String() // which has all of its values
	}
	return path
}

// typedAttr is an attribute of the type that a path names, else of a type that fits its value.
func (m *treeMaker) typedAttr(name, path string, value any) (netcdf.Attr, error) {
	if path == netcdf.Reference.String() {
		if paths, err := each(value, func(v any) (string, bool) { s, ok := v.(string); return s, ok }); err == nil {
			return netcdf.Attr{Name: name, Type: &netcdf.Type{Class: netcdf.Reference}, Value: paths}, nil
		}
	}
	if t, err := m.typeOf(path); err == nil {
		a, err := attribute(name, t, value)
		if err == nil {
			a.Type = textFor(t, a.Value)
		}
		if err == nil || m.types[path] != nil && !t.Text() {
			return a, err
		}
	}
	// The value is of another type than the metadata say: it was changed.
	c, ok := guessedClass(value)
	if !ok {
		return netcdf.Attr{}, fmt.Errorf("attribute %s: value %v has no form in netCDF", name, value)
	}
	return attribute(name, ncwrite.Atomic(c), value)
}
