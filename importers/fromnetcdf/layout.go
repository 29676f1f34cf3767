package fromnetcdf

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// A layoutMaker describes how a file is declared and stored, so that it can be written again.
type layoutMaker struct {
	layout *mapping.NetCDFLayout
	types  map[*netcdf.Type]string // paths
	named  map[*netcdf.Type]string // paths of types that the file names
	texts  map[textType]string     // names of types of text
	dims   map[*netcdf.Var][]string
}

// layout describes the file.
func (f *file) layout() *mapping.NetCDFLayout {
	m := layoutMaker{
		layout: &mapping.NetCDFLayout{Kind: string(f.nc.Kind), Written: text(f.nc.Properties), HeaderFree: f.nc.HeaderFree},
		types:  make(map[*netcdf.Type]string), named: make(map[*netcdf.Type]string), texts: make(map[textType]string),
		dims: f.nc.DimNames(),
	}
	m.nameTypes(f.nc.Root())
	if l := f.nc.Leftovers; len(l.Header) > 0 || len(l.Tail) > 0 || l.Zeros > 0 {
		m.layout.Leftovers = &mapping.LayoutLeftovers{Header: l.Header, Tail: l.Tail, Zeros: l.Zeros}
	}
	m.group(f.nc.Root())
	return m.layout
}

func (m *layoutMaker) group(g *netcdf.Group) {
	for _, t := range g.Types {
		m.define(t, m.named[t])
	}
	attrs := m.attrs(g.Attrs)
	if g.Path == "/" {
		m.layout.Attrs = attrs
	} else {
		m.layout.Groups = append(m.layout.Groups, mapping.LayoutGroup{Name: text(g.Path), Attrs: attrs})
	}
	m.links(g)
	for _, v := range g.Vars {
		m.variable(v)
	}
	for _, sub := range g.Groups {
		m.group(sub)
	}
}

// nameTypes notes the types that a group and the groups below it name.
func (m *layoutMaker) nameTypes(g *netcdf.Group) {
	for _, t := range g.Types {
		m.named[t] = text(pathIn(g) + t.Name)
	}
	for _, sub := range g.Groups {
		m.nameTypes(sub)
	}
}

func (m *layoutMaker) variable(v *netcdf.Var) {
	l := mapping.LayoutVariable{
		Name: pathOf(v), Type: m.typeName(v.Type), Dims: collect(m.dims[v], text), Attrs: m.varAttrs(v),
		BigEndian: v.Storage.BigEndian && strings.HasPrefix(m.layout.Kind, string(netcdf.NetCDF4)), NoFill: v.Storage.NoFill, Fill: v.Storage.Fill,
	}
	if fill, _ := netcdf.DefaultFill(v.Type.Class); !isPadding(v.Padding, v.Type, fill) {
		l.Padding = v.Padding
	}
	if v.Storage.Layout == netcdf.Chunked {
		l.Layout, l.Chunks = string(v.Storage.Layout), v.Storage.ChunkShape
	}
	for _, f := range v.Storage.Filters {
		filter := []uint64{uint64(f.ID)}
		for _, p := range f.Params {
			filter = append(filter, uint64(p))
		}
		l.Filters = append(l.Filters, filter)
	}
	l.Limit, l.LinkTo, l.Target = limitOf(v), text(strings.TrimPrefix(v.LinkTo, "/")), text(v.LinkTarget)
	m.layout.Variables = append(m.layout.Variables, l)
}

// links notes the links of a group that lead to groups listed elsewhere, or nowhere.
func (m *layoutMaker) links(g *netcdf.Group) {
	for _, a := range g.Aliases {
		l := mapping.LayoutLink{Name: text(pathIn(g) + a.Name), Target: text(a.Target), Before: a.Before}
		if a.Target == "" {
			l.Group = text(a.Path)
		}
		m.layout.Links = append(m.layout.Links, l)
	}
	for _, s := range g.Skipped {
		if s.Target != "" {
			m.layout.Links = append(m.layout.Links, mapping.LayoutLink{
				Name: text(pathIn(g) + s.Name), Target: text(s.Target), File: text(s.File), Before: len(g.Groups)})
		}
	}
}

// limitOf is how long the axes of a variable can become, nil if its dimensions have the limit.
func limitOf(v *netcdf.Var) []int64 {
	if len(v.Storage.Limit) != len(v.Dims) {
		return nil
	}
	limit, said := make([]int64, len(v.Dims)), true
	for i, d := range v.Dims {
		n := v.Storage.Limit[i]
		said = said && (!d.Phony || n == d.Len && !d.Unlimited || n == netcdf.NoLimit && d.Unlimited)
		if limit[i] = int64(n); n > math.MaxInt64 {
			limit[i] = -1
		}
	}
	if said {
		return nil
	}
	return limit
}

// isPadding reports whether padding in a classic file is of fill values, as the netCDF library
// writes it.
func isPadding(padding []byte, t *netcdf.Type, fill any) bool {
	var bits uint64
	switch f := fill.(type) {
	case int64:
		bits = uint64(f)
	case uint64:
		bits = f
	}
	element := binary.BigEndian.AppendUint64(nil, bits)[8-min(8, t.Size):]
	for i, b := range padding {
		if b != element[i%len(element)] {
			return false
		}
	}
	return true
}

// varAttrs are the attributes of a variable. The metadata have other values where _Unsigned was
// applied.
func (m *layoutMaker) varAttrs(v *netcdf.Var) []mapping.LayoutAttr {
	list := m.attrs(v.Attrs)
	_, flipped := netcdf.MeantClass(v.Type.Class, v.Attrs)
	if !flipped {
		return list
	}
	for i := range list {
		a := findAttr(v.Attrs, list[i].Name)
		if a != nil && (a.Name == netcdf.UnsignedAttr || describesElements[a.Name] && a.Type.Class == v.Type.Class) {
			list[i].Type, list[i].Raw = a.Type.Class.String(), rawAttr(a)
		}
	}
	return list
}

// attrs are the places of attributes, and the values of attributes that metadata change.
func (m *layoutMaker) attrs(list []netcdf.Attr) []mapping.LayoutAttr {
	var out []mapping.LayoutAttr
	for i := range list {
		a := &list[i]
		if a.Err != nil {
			continue
		}
		l := mapping.LayoutAttr{Name: text(a.Name), Scalar: a.Scalar, Null: a.Null, BigEndian: a.BigEndian}
		if !slices.ContainsFunc(a.Shape, func(n uint64) bool { return n > math.MaxInt64 }) { // metadata have no larger ones
			l.Shape = a.Shape
		}
		if name := m.typeName(a.Type); name != a.Type.Class.String() && fitsText(a) {
			l.Type = name
		}
		switch s, isText := a.Value.(string); {
		case a.Type.Region: // the path of the dataset
			if l.Type = netcdf.String.String(); a.Scalar {
				l.Type = netcdf.Char.String()
			}
		case a.Type.Class >= netcdf.Vlen:
			l.Type = m.typeName(a.Type)
		case isText && a.Zeros > 0 && a.Zeros <= mapping.MostZeros && text(s) == s:
			l.Zeros = a.Zeros
		case isText && (a.Zeros > 0 || !utf8.ValidString(s) || strings.HasSuffix(s, "\x00")):
			l.Type, l.Raw = m.typeName(a.Type), rawAttr(a)
		case a.Type.Class.IsFloat() && hasUnusualNaN(rawAttr(a), a.Type.Class):
			l.Type, l.Raw = a.Type.Class.String(), rawAttr(a)
		}
		out = append(out, l)
	}
	return out
}

// rawAttr is the value of text or numbers as they are in the file.
func rawAttr(a *netcdf.Attr) []byte {
	var raw []byte
	put := func(bits uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], bits)
		raw = append(raw, b[:a.Type.Size]...)
	}
	switch v := a.Value.(type) {
	case string:
		return append([]byte(v), make([]byte, a.Zeros)...)
	case []int64:
		for _, x := range v {
			put(uint64(x))
		}
	case []uint64:
		for _, x := range v {
			put(x)
		}
	case []float64:
		for _, x := range v {
			if a.Type.Size == 4 {
				put(uint64(math.Float32bits(float32(x))))
			} else {
				put(math.Float64bits(x))
			}
		}
	}
	return raw
}

// A textType holds the properties that tell types of text apart.
type textType struct {
	class   netcdf.Class
	utf8    bool
	bytes   int
	padding netcdf.Padding
}

// fitsText reports whether metadata have texts of an attribute in as many bytes as the file.
func fitsText(a *netcdf.Attr) bool {
	list, _ := a.Value.([]string)
	for _, s := range list {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return true
}

// textName is the name of a type of text: the class, for types that the netCDF library writes.
func (m *layoutMaker) textName(t *netcdf.Type) string {
	key := textType{t.Class, t.UTF8, t.TextBytes, t.Padding}
	switch key {
	case textType{netcdf.Char, false, 0, ""}, textType{netcdf.Char, false, 0, netcdf.NullTerminated}, textType{netcdf.String, true, 0, ""}:
		return t.Class.String()
	}
	name := m.texts[key]
	if name == "" {
		name = fmt.Sprintf("text%d", len(m.texts)+1)
		m.texts[key] = name
		m.layout.Types = append(m.layout.Types, mapping.LayoutType{
			Name: name, Class: t.Class.String(), Size: t.TextBytes, ASCII: !t.UTF8, Padding: string(t.Padding)})
	}
	return name
}

// typeName is the name of an atomic type, or the path of a user-defined one. A user-defined type is defined
// when it is met first.
func (m *layoutMaker) typeName(t *netcdf.Type) string {
	switch t.Class {
	case netcdf.Enum, netcdf.Compound, netcdf.Vlen, netcdf.Opaque:
	case netcdf.Char, netcdf.String:
		return m.textName(t)
	case netcdf.Reference:
		if t.Region {
			return "region"
		}
		return t.Class.String()
	default:
		return t.Class.String()
	}
	if path := m.types[t]; path != "" {
		return path
	}
	if path := m.named[t]; path != "" {
		m.define(t, path)
		return path
	}
	path := "/" + text(t.Name)
	for n := len(m.types) + 1; t.Name == "" || m.taken(path); n++ {
		if path = fmt.Sprintf("/_AnonymousType%d", n); !m.taken(path) {
			break
		}
	}
	m.define(t, path)
	return path
}

func (m *layoutMaker) taken(path string) bool {
	for _, paths := range []map[*netcdf.Type]string{m.types, m.named} {
		for _, used := range paths {
			if used == path {
				return true
			}
		}
	}
	return false
}

// define adds a type after the types that it is made of.
func (m *layoutMaker) define(t *netcdf.Type, path string) {
	if m.types[t] != "" {
		return
	}
	m.types[t] = path
	l := mapping.LayoutType{Name: path, Class: t.Class.String(), Size: t.Size, Unnamed: m.named[t] == "", Tag: text(t.Tag)}
	if t.Base != nil {
		l.Base = m.typeName(t.Base)
	}
	for _, e := range t.Members {
		l.Members = append(l.Members, mapping.LayoutMember{Name: text(e.Name), Value: e.Value})
	}
	for _, field := range t.Fields {
		f := mapping.LayoutField{Name: text(field.Name), Offset: field.Offset}
		inner := field.Type
		for inner.Class == netcdf.Array {
			f.Shape, inner = append(f.Shape, inner.Shape...), inner.Base
		}
		f.Type = m.typeName(inner)
		l.Fields = append(l.Fields, f)
	}
	m.layout.Types = append(m.layout.Types, l)
}
