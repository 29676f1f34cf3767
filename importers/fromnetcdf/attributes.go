package fromnetcdf

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// attributes files the attributes of the variable, as they describe its elements. For an enum it files the CF
// metadata of its members.
func (f *file) attributes(v *variable) (*mapping.Attributes, error) {
	attrs := new(mapping.Attributes)
	if err := f.fileAttrs(attrs, cf.GroupVariable, v.described()); err != nil {
		return nil, err
	}
	return attrs, fileFlags(attrs, v.v.Type)
}

func (f *file) fileAttrs(attrs *mapping.Attributes, group string, list []netcdf.Attr) error {
	for i := range list {
		a := &list[i]
		if a.Err != nil {
			continue // attrNotes lists it
		}
		kind := a.Type.Class.String()
		if a.JSON {
			kind = mapping.TypeJSON
		}
		if err := attrs.SetTyped(group, text(a.Name), f.attrValue(a), kind); err != nil {
			return err
		}
	}
	return nil
}

// fileFlags adds flag_values and flag_meanings of an enum, unless the variable has them.
func fileFlags(attrs *mapping.Attributes, t *netcdf.Type) error {
	const values, meanings = "flag_values", "flag_meanings"
	if _, has := attrs.Get(cf.GroupVariable, meanings); has || t.Class != netcdf.Enum || len(t.Members) == 0 {
		return nil
	}
	names, numbers := make([]string, len(t.Members)), make([]int64, len(t.Members))
	for i, m := range t.Members {
		names[i], numbers[i] = strings.Join(strings.Fields(text(m.Name)), "_"), m.Value
	}
	if err := attrs.SetTyped(cf.GroupVariable, values, numbers, t.Base.Class.String()); err != nil {
		return err
	}
	return attrs.SetTyped(cf.GroupVariable, meanings, strings.Join(names, " "), netcdf.Char.String())
}

// attrNotes lists the attributes that are left out or changed.
func attrNotes(of string, list []netcdf.Attr) (notes []string) {
	for i := range list {
		if err := list[i].Err; err != nil {
			notes = append(notes, fmt.Sprintf("%sattribute %s is left out: %v", of, text(list[i].Name), err))
		} else if list[i].Type.Region {
			notes = append(notes, fmt.Sprintf("%sattribute %s: of references to regions, the paths of the datasets are kept", of, text(list[i].Name)))
		}
	}
	return notes
}

// vocabulary makes base[i].netcdf of a variable, which has values or is loaded. It is called after
// the values were stored.
func (f *file) vocabulary(v *variable, values *values, loaded *loaded) mapping.Vocabulary {
	return func(attrs *mapping.Attributes) (map[string]any, error) {
		n := mapping.NetCDF{Dims: dimNames(v.v.Dims), Type: v.fileType(), Counts: v.counts, CountsOf: v.countsOf}
		n.Attributes, n.AttrTypes = typedMaps(attrs, cf.GroupVariable)
		if values != nil && values.unpacked() {
			n.Packing = mapping.TakePacking(n.Attributes)
			n.Packing[mapping.PackingDType] = v.v.Type.Class.String()
		}
		if values != nil {
			n.Missing = values.holes.described()
		}
		if loaded != nil {
			n.Null = loaded.null
		}
		if v.v.Type.Text() {
			n.Encoding = v.v.Encoding()
		}
		if t := v.v.Type; t.Class == netcdf.Enum {
			n.Enum = members(t)
		}
		return n.Map(), nil
	}
}

// cfVocabulary makes base[i].cf, in which the valid range is in the units of the values.
func cfVocabulary(values *values) mapping.Vocabulary {
	return func(attrs *mapping.Attributes) (map[string]any, error) {
		m, err := cf.Vocabulary(attrs)
		if err == nil && values != nil && values.packed != nil {
			for _, key := range []string{"valid_min", "valid_max", "valid_range"} {
				if a := values.attr(key); a != nil && m[key] != nil {
					m[key] = values.unpackAttr(a, m[key])
				}
			}
		}
		return m, err
	}
}

// extra is the description of the file in its messages, once for all their objects.
func (f *file) extra(others []mapping.NetCDFVariable) (map[string]any, error) {
	const group = "group"
	root := f.nc.Root()
	described := mapping.NetCDFFile{Dims: dims(root, nil), Others: others, Aliases: map[string]any{}, Layout: f.layout()}
	var attrs mapping.Attributes
	if err := f.fileAttrs(&attrs, group, root.Attrs); err != nil {
		return nil, err
	}
	described.Global, described.GlobalTypes = typedMaps(&attrs, group)
	var walk func(g *netcdf.Group) error
	walk = func(g *netcdf.Group) error {
		for _, a := range g.Aliases {
			described.Aliases[text(pathIn(g)+a.Name)] = text(a.Path)
		}
		for _, sub := range g.Groups {
			if len(sub.Attrs) > 0 {
				var attrs mapping.Attributes
				if err := f.fileAttrs(&attrs, group, sub.Attrs); err != nil {
					return err
				}
				values, types := typedMaps(&attrs, group)
				described.Groups = append(described.Groups, mapping.NetCDFGroup{Name: text(sub.Path), Attributes: values, Types: types})
			}
			if err := walk(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(root); err != nil {
		return nil, err
	}
	return described.Extra(), nil
}

// other describes a variable that has no object.
func (f *file) other(v *netcdf.Var, reason error) (mapping.NetCDFVariable, error) {
	const group = "variable"
	var attrs mapping.Attributes
	if err := f.fileAttrs(&attrs, group, v.Attrs); err != nil {
		return mapping.NetCDFVariable{}, err
	}
	o := mapping.NetCDFVariable{Name: pathOf(v), Type: v.Type.Describe(), Reason: reason.Error(), Dims: dimNames(v.Dims)}
	o.Attributes, o.Types = typedMaps(&attrs, group)
	o.References = f.references(v)
	return o, nil
}

// maxReferences bounds the references of a variable that metadata have.
const maxReferences = 10_000

// references are the paths that the elements of a variable refer to. There are none if it is of
// another type, cannot be read, or has too many.
func (f *file) references(v *netcdf.Var) []string {
	if v.Type.Class != netcdf.Reference || v.Len() > maxReferences || v.CheckRead(nil, nil) != nil {
		return nil
	}
	refs, err := v.ReadRefs(context.Background(), nil, nil)
	if err != nil {
		return nil
	}
	return collect(refs, func(r netcdf.Ref) string { return text(f.nc.PathOf(r)) })
}

func dimNames(dims []*netcdf.Dim) []string {
	return collect(dims, func(d *netcdf.Dim) string { return text(d.Name) })
}

// dims appends the dimensions of a group and of the groups below it.
func dims(g *netcdf.Group, list []mapping.FileDim) []mapping.FileDim {
	for _, d := range g.Dims {
		at := mapping.FileDim{Name: text(d.Name), Len: d.Len, Unlimited: d.Unlimited, Phony: d.Phony}
		if g.Path != "/" {
			at.Group = text(g.Path)
		}
		list = append(list, at)
	}
	for _, sub := range g.Groups {
		list = dims(sub, list)
	}
	return list
}

func typedMaps(attrs *mapping.Attributes, group string) (values, types map[string]any) {
	values, types = make(map[string]any, attrs.Len(group)), make(map[string]any, attrs.Len(group))
	for at := range attrs.All(group) {
		values[at.Key], types[at.Key] = at.Value, at.Type
	}
	return values, types
}

func members(t *netcdf.Type) map[string]any {
	m := make(map[string]any, len(t.Members))
	for _, e := range t.Members {
		if t.Base.Class == netcdf.UInt64 {
			m[text(e.Name)] = unsigned(uint64(e.Value))
		} else {
			m[text(e.Name)] = e.Value
		}
	}
	return m
}

// attrValue is the value in a form that metadata can hold: one number instead of a list of one, a
// map for a compound, the path for a reference.
func (f *file) attrValue(a *netcdf.Attr) any { return f.plainValue(a.Type, a.Value) }

func (f *file) plainValue(t *netcdf.Type, value any) any {
	switch v := value.(type) {
	case string:
		return text(v)
	case []string:
		if charArray(t) {
			return text(joinChars(v))
		}
		return one(collect(v, text))
	case []int64:
		return one(v)
	case []float64:
		return one(v)
	case []uint64:
		return unsignedList(v)
	case uint64:
		return unsigned(v)
	case netcdf.Ref:
		return text(f.nc.PathOf(v))
	case []netcdf.Ref:
		return one(collect(v, func(r netcdf.Ref) string { return text(f.nc.PathOf(r)) }))
	case netcdf.Record:
		return f.compound(t, v)
	case []netcdf.Record:
		return one(collect(v, func(r netcdf.Record) any { return f.compound(t, r) }))
	case []any:
		return one(collect(v, func(x any) any { return f.plainSequence(t, x) }))
	}
	return value
}

// compound is a record as a map.
func (f *file) compound(t *netcdf.Type, r netcdf.Record) map[string]any {
	if t.Class == netcdf.Array || t.Class == netcdf.Vlen {
		t = t.Base
	}
	m := make(map[string]any, len(r))
	for i, field := range r {
		inner := new(netcdf.Type)
		if i < len(t.Fields) {
			inner = t.Fields[i].Type
		}
		m[text(field.Name)] = f.plainValue(inner, field.Value)
	}
	return m
}

// plainSequence is a sequence in a list of them: a list, also of one number.
func (f *file) plainSequence(t *netcdf.Type, value any) any {
	switch v := value.(type) {
	case []uint64:
		return unsignedAll(v)
	case []int64, []float64:
		return v
	case []string:
		if t.Class == netcdf.Vlen && t.Base.Class == netcdf.Char { // one text
			return text(joinChars(v))
		}
	}
	return f.plainValue(t, value)
}

// charArray reports whether elements are text: one axis of characters, as compounds have it.
func charArray(t *netcdf.Type) bool {
	return t.Class == netcdf.Array && len(t.Shape) == 1 && t.Base.Class == netcdf.Char
}

// joinChars makes the text of its characters. Zero bytes are empty characters; at the end they are left out.
func joinChars(list []string) string {
	var b strings.Builder
	for _, c := range list {
		if c == "" {
			c = "\x00"
		}
		b.WriteString(c)
	}
	return strings.TrimRight(b.String(), "\x00")
}

func collect[T, U any](list []T, each func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = each(x)
	}
	return out
}

func one[T any](list []T) any {
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// unsigned returns an integer that every reader accepts: the reference's readers give up on a message that
// holds an integer above 2⁶³-1, so such a number becomes text, and its type tag has its type.
func unsigned(v uint64) any {
	if v > math.MaxInt64 {
		return strconv.FormatUint(v, 10)
	}
	return int64(v)
}

func unsignedList(list []uint64) any {
	if len(list) == 1 {
		return unsigned(list[0])
	}
	return unsignedAll(list)
}

func unsignedAll(list []uint64) any {
	ints, texts := make([]int64, len(list)), make([]string, len(list))
	large := false
	for i, v := range list {
		large = large || v > math.MaxInt64
		ints[i], texts[i] = int64(v), strconv.FormatUint(v, 10)
	}
	if large {
		return texts
	}
	return ints
}

// text returns text of a file as valid UTF-8: padding is cut off, and bytes that are not UTF-8 are read as
// Latin-1, the encoding of older files.
func text(s string) string {
	s = strings.TrimRight(s, "\x00")
	if utf8.ValidString(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
