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

// attributes files the attributes of the variable and of the file.
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
			continue // attrNotes lists it
		}
		if err := attrs.SetTyped(group, text(a.Name), attrValue(a), typeTag(a.Type)); err != nil {
			return err
		}
	}
	return nil
}

// unfit returns the reason why an attribute cannot go into the metadata, nil if it can.
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

// attrNotes lists the attributes that are left out.
func attrNotes(of string, list []netcdf.Attr) (notes []string) {
	for i := range list {
		if err := unfit(&list[i]); err != nil {
			notes = append(notes, fmt.Sprintf("%sattribute %s is left out: %v", of, text(list[i].Name), err))
		}
	}
	return notes
}

// vocabulary makes base[i].netcdf of a variable.
func (f *file) vocabulary(v *variable, unpacked bool) mapping.Vocabulary {
	return func(attrs *mapping.Attributes) (map[string]any, error) {
		n := mapping.NetCDF{Dims: dimNames(v.v.Dims), FileDims: dims(f.nc.Root(), nil)}
		n.Attributes, n.AttrTypes = typedMaps(attrs, cf.GroupVariable)
		n.Global, n.GlobalTypes = typedMaps(attrs, groupGlobal)
		if unpacked {
			n.Packing = takePacking(n.Attributes)
			n.Packing[mapping.PackingDType] = v.v.Type.Class.String()
		}
		for _, g := range v.groups[1:] {
			described, err := describeGroup(g)
			if err != nil {
				return nil, err
			}
			n.Groups = append(n.Groups, described)
		}
		if t := v.v.Type; t.Class == netcdf.Enum {
			n.Enum = members(t)
		}
		return n.Map(), nil
	}
}

// takePacking moves the attributes that describe packed numbers out of attributes.
func takePacking(attributes map[string]any) map[string]any {
	m := make(map[string]any)
	for key, value := range attributes {
		if describesPacked[key] {
			m[key] = value
			delete(attributes, key)
		}
	}
	return m
}

// describesPacked are the attributes that describe the packed numbers, which an unpacked variable no
// longer has.
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

// dims appends the dimensions of a group and of the groups below it.
func dims(g *netcdf.Group, list []mapping.FileDim) []mapping.FileDim {
	for _, d := range g.Dims {
		list = append(list, mapping.FileDim{Name: text(d.Name), Len: d.Len, Unlimited: d.Unlimited})
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

func describeGroup(g *netcdf.Group) (mapping.NetCDFGroup, error) {
	const group = "group"
	var attrs mapping.Attributes
	if err := fileAttrs(&attrs, group, g.Attrs); err != nil {
		return mapping.NetCDFGroup{}, err
	}
	values, types := typedMaps(&attrs, group)
	return mapping.NetCDFGroup{Name: text(g.Path), Attributes: values, Types: types}, nil
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

// unsigned returns an integer that every reader accepts: the reference's readers give up on a
// message that holds an integer above 2⁶³-1, so such a number becomes text, and its type tag says
// what it was.
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

// text returns text of a file as valid UTF-8: padding is cut off, and bytes that are not UTF-8 are
// read as Latin-1, which is what older files use.
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
