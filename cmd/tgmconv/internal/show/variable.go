package show

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// A Variable is a netCDF variable with its group.
type Variable struct {
	*netcdf.Var
	group *netcdf.Group
}

// Variables lists the variables of a group and of the groups below it.
func Variables(g *netcdf.Group) (list []Variable) {
	for _, v := range g.Vars {
		list = append(list, Variable{v, g})
	}
	for _, c := range g.Groups {
		list = append(list, Variables(c)...)
	}
	return list
}

// Value returns the value of a key: a key of every variable, such as name or shape, else an attribute.
func (v Variable) Value(key string) (any, bool) {
	switch key {
	case mapping.KeyName:
		return v.Name, true
	case "path":
		return strings.TrimPrefix(v.Path, "/"), true
	case "group":
		return v.group.Path, true
	case "dims":
		names := make([]any, len(v.Dims))
		for i, d := range v.Dims {
			names[i] = d.Name
		}
		return names, true
	case "shape":
		return v.Shape(), true
	}
	if stored, ok := v.Stored(key); ok {
		return stored, true
	}
	a := v.Attr(key)
	if a == nil || a.Err != nil {
		return nil, false
	}
	return attrValue(a.Value)
}

// Stored returns the value of a key about how the variable lies in its file.
func (v Variable) Stored(key string) (any, bool) {
	switch key {
	case "type":
		return v.Type.Describe(), true
	case "chunks":
		return v.Storage.ChunkShape, v.Storage.ChunkShape != nil
	case "storage":
		return v.storage(), true
	case "elements":
		return v.Len(), true
	case "size":
		return v.Size(), true
	case "stored":
		return v.Storage.Stored, v.Storage.Stored > 0
	}
	return nil, false
}

// attrValue is the value of an attribute: of a list of one, that one.
func attrValue(value any) (any, bool) {
	switch list := value.(type) {
	case []int64:
		return single(list)
	case []uint64:
		return single(list)
	case []float64:
		return single(list)
	case []string:
		return single(list)
	case string:
		return list, true
	}
	return nil, false
}

func single[T any](list []T) (any, bool) {
	if len(list) == 1 {
		return list[0], true
	}
	all := make([]any, len(list))
	for i, v := range list {
		all[i] = v
	}
	return all, true
}

// storage describes the storage of the elements: "chunked 1x181x360, shuffle, deflate 4".
func (v Variable) storage() string {
	s := string(v.Storage.Layout)
	if v.Storage.ChunkShape != nil {
		s += " " + Shape(v.Storage.ChunkShape)
	}
	for _, f := range v.Storage.Filters {
		s += ", " + f.Name
		if f.Level >= 0 {
			s += fmt.Sprintf(" %d", f.Level)
		}
	}
	return s
}

// Dimensions returns the dimensions as text: "time=12, latitude=181", with * for unlimited ones.
func (v Variable) Dimensions() string {
	parts := make([]string, len(v.Dims))
	for i, d := range v.Dims {
		parts[i] = fmt.Sprintf("%s=%d", d.Name, d.Len)
		if d.Unlimited {
			parts[i] += "*"
		}
	}
	return strings.Join(parts, ", ")
}

// JSON returns the variable as data, with the name of the file: the values of keys, or without keys
// a usual choice.
func (v Variable) JSON(file string, keys []string) map[string]any {
	object := make(map[string]any)
	if len(keys) == 0 {
		object["file"] = file
		keys = []string{mapping.KeyName, "path", "group", "type", "dims", "shape", "chunks", "storage", "size",
			cf.AttrUnits, cf.AttrLongName, cf.AttrStandardName}
	}
	for _, key := range keys {
		if value, ok := v.Value(key); ok {
			object[key] = value
		}
	}
	return object
}
