package fromnetcdf

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// groupGlobal is the group of attributes of the file as a whole.
const groupGlobal = "global"

// attributes files what the variable and the file say of themselves.
func (f *file) attributes(v *variable) (*mapping.Attributes, error) {
	attrs := new(mapping.Attributes)
	if err := fileAttrs(attrs, cf.GroupVariable, v.v.Attrs); err != nil {
		return nil, err
	}
	return attrs, fileAttrs(attrs, groupGlobal, f.nc.Root().Attrs)
}

func fileAttrs(attrs *mapping.Attributes, group string, list []netcdf.Attr) error {
	for i := range list {
		a := &list[i]
		if unfit(a) != nil {
			continue // told in notes
		}
		if err := attrs.SetTyped(group, text(a.Name), attrValue(a), typeTag(a.Type)); err != nil {
			return err
		}
	}
	return nil
}

// unfit says why an attribute cannot go into the metadata, nil if it can.
func unfit(a *netcdf.Attr) error {
	if a.Err != nil {
		return a.Err
	}
	switch a.Value.(type) {
	case string, []string, []int64, []uint64, []float64, []byte:
		return nil
	}
	return fmt.Errorf("type %s has no form in metadata", a.Type.Describe())
}

// attrNotes tells of attributes that are left out.
func attrNotes(of string, list []netcdf.Attr) (notes []string) {
	for i := range list {
		if err := unfit(&list[i]); err != nil {
			notes = append(notes, fmt.Sprintf("%sattribute %s is left out: %v", of, text(list[i].Name), err))
		}
	}
	return notes
}

// vocabulary makes base[i].netcdf: the variable's attributes, and under names with an underscore in
// front what else is needed to write the file again.
//
//	_dims          names of the variable's dimensions
//	_file          {dims: [{name, len, unlimited}, …]}
//	_attr_types    {attribute: type in the file}
//	_global        the file's attributes, and _global_types their types
//	_groups        [{name, attributes, types}, …] of the groups around it, outermost first, when it is in one
//	_packing       the attributes that unpacking used up, and the packed type
//	_enum          {name: value} of an enum's members
func (f *file) vocabulary(v *variable, unpacked bool) mapping.Vocabulary {
	return func(attrs *mapping.Attributes) (map[string]any, error) {
		m := make(map[string]any, attrs.Len(cf.GroupVariable)+8)
		types := make(map[string]any, attrs.Len(cf.GroupVariable))
		packing := make(map[string]any)
		for at := range attrs.All(cf.GroupVariable) {
			types[at.Key] = at.Type
			if unpacked && describesPacked[at.Key] {
				packing[at.Key] = at.Value
			} else {
				m[at.Key] = at.Value
			}
		}
		if unpacked {
			packing["dtype"] = v.v.Type.Class.String()
			m["_packing"] = packing
		}
		m["_dims"] = dimNames(v.v.Dims)
		m["_file"] = map[string]any{"dims": f.dims(f.nc.Root(), nil)}
		m["_attr_types"] = types
		m["_global"], m["_global_types"] = typedMaps(attrs, groupGlobal)
		if len(v.groups) > 1 {
			groups, err := groupMaps(v.groups[1:])
			if err != nil {
				return nil, err
			}
			m["_groups"] = groups
		}
		if t := v.v.Type; t.Class == netcdf.Enum {
			m["_enum"] = members(t)
		}
		return m, nil
	}
}

// describesPacked are the attributes that say something of the packed numbers, which an unpacked
// variable no longer has.
var describesPacked = map[string]bool{
	"scale_factor": true, "add_offset": true, "_FillValue": true, "missing_value": true,
	"valid_min": true, "valid_max": true, "valid_range": true,
}

func dimNames(dims []*netcdf.Dim) []string {
	names := make([]string, len(dims))
	for i, d := range dims {
		names[i] = text(d.Name)
	}
	return names
}

func (f *file) dims(g *netcdf.Group, list []any) []any {
	for _, d := range g.Dims {
		list = append(list, map[string]any{"name": text(d.Name), "len": d.Len, "unlimited": d.Unlimited})
	}
	for _, sub := range g.Groups {
		list = f.dims(sub, list)
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

func groupMaps(groups []*netcdf.Group) ([]any, error) {
	list := make([]any, len(groups))
	for i, g := range groups {
		var attrs mapping.Attributes
		if err := fileAttrs(&attrs, "group", g.Attrs); err != nil {
			return nil, err
		}
		values, types := typedMaps(&attrs, "group")
		list[i] = map[string]any{"name": text(g.Path), "attributes": values, "types": types}
	}
	return list, nil
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

// attrValue is the value in a form that metadata can hold: one number instead of a list of one.
func attrValue(a *netcdf.Attr) any {
	switch v := a.Value.(type) {
	case string:
		return text(v)
	case []string:
		texts := make([]string, len(v))
		for i, s := range v {
			texts[i] = text(s)
		}
		return one(texts)
	case []int64:
		return one(v)
	case []float64:
		return one(v)
	case []uint64:
		return unsignedList(v)
	}
	return a.Value
}

func one[T any](list []T) any {
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// unsigned keeps an integer readable for everyone: the reference's readers give up on a message
// with an integer above 2⁶³-1 in it, so such a number is text; its type tag says what it was.
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

// typeTag names the type of an attribute in the file as the reference does: text is always
// "string".
func typeTag(t *netcdf.Type) string {
	if t.Class == netcdf.Char {
		return "string"
	}
	return t.Class.String()
}

// text makes valid UTF-8 of what a file holds as text: padding is cut off, and bytes that are not
// UTF-8 are read as Latin-1, which is what older files have in such places.
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
