package mapping

import (
	"slices"
	"strconv"
)

// An Entry reads a base[i] entry of any writer. The zero value reads an empty entry. It refers to
// the map it was made of, which must not change.
type Entry struct{ base, message map[string]any }

// Read returns an Entry of a base[i] map as package tgm decodes it.
func Read(base map[string]any) Entry { return Entry{base: base} }

// ReadIn returns an Entry of a base[i] map and of the metadata of its message, _extra_. The
// metadata hold the parts that all variables of a netCDF file have in common.
func ReadIn(message, base map[string]any) Entry { return Entry{base, message} }

// Message returns the metadata of the message that the entry was read in, or nil.
func (e Entry) Message() map[string]any { return e.message }

// Maps returns the maps that the entry was made of, which must not change.
func (e Entry) Maps() (message, base map[string]any) { return e.message, e.base }

// Namespace returns the map of a vocabulary ([KeyMARS], [KeyCF], …), or nil.
func (e Entry) Namespace(key string) map[string]any { return asMap(e.base[key]) }

// MARS returns the keys of MARS, or nil.
func (e Entry) MARS() map[string]any { return e.Namespace(KeyMARS) }

// Product returns the other keys that distinguish fields, under ecCodes' names, or nil.
func (e Entry) Product() map[string]any { return e.Namespace(KeyProduct) }

// CF returns the attributes of the CF conventions: base[i].cf, or the netCDF attributes if the
// conversion kept only these.
func (e Entry) CF() map[string]any {
	if cf := e.Namespace(KeyCF); cf != nil {
		return cf
	}
	if n, ok := e.NetCDF(); ok {
		return n.Attributes
	}
	return nil
}

// Reproduction returns the keys to write the field as GRIB again, or nil.
func (e Entry) Reproduction() map[string]any { return e.Namespace(KeyReproduction) }

// Geometry returns the description of the grid (package grib/geometry), or nil.
func (e Entry) Geometry() map[string]any { return e.Namespace(KeyGeometry) }

// Units returns the units of the values if the entry has them, else "". Entries of GRIB fields have
// a parameter instead, whose units are in package mars.
func (e Entry) Units() string {
	for _, m := range []map[string]any{e.base, e.CF(), e.Namespace(KeyTet)} {
		if units, _ := m[KeyUnits].(string); units != "" {
			return units
		}
	}
	return ""
}

// nameKeys are the keys that name an object, the best first.
var nameKeys = [...]struct{ namespace, key string }{
	{"", KeyName}, {"", keyParam}, {KeyMARS, keyParam}, {KeyMARS, keyShortName}, {"", keyShortName},
}

// Name returns the name of the object: the first of name, param, mars.param, mars.shortName and
// shortName that is not empty. A parameter given by its number has the name that shortName, which
// may be nil, finds for it ([mars.ShortName]), else the number. The result is "" if nothing names
// the object.
//
// [mars.ShortName]: https://pkg.go.dev/github.com/tgmconv/tgmconv/mars#ShortName
func (e Entry) Name(shortName func(param int64) string) string {
	for _, k := range nameKeys {
		m := e.base
		if k.namespace != "" {
			m = e.Namespace(k.namespace)
		}
		switch v := m[k.key].(type) {
		case string:
			if v != "" {
				return v
			}
		case int64, uint64:
			return paramName(v, shortName)
		case float64:
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return ""
}

func paramName(v any, shortName func(param int64) string) string {
	id, ok := Int(v)
	if !ok {
		return strconv.FormatUint(v.(uint64), 10)
	}
	if shortName != nil {
		if name := shortName(id); name != "" {
			return name
		}
	}
	return strconv.FormatInt(id, 10)
}

// Dims returns the names of the n dimensions of the object, or nil if the entry does not give them.
// They are dim_names, else the dimensions of the netCDF variable, without the first for a record.
func (e Entry) Dims(n int) []string {
	if dims := dimNames(e.base[KeyDims], n); dims != nil {
		return dims
	}
	netcdf := e.Namespace(KeyNetCDF)
	if dims := dimNames(netcdf[NetCDFDims], n); dims != nil {
		return dims
	}
	if _, record := e.base[KeyRecordIndex]; record {
		if dims := dimNames(netcdf[NetCDFDims], n+1); dims != nil {
			return dims[1:]
		}
	}
	return nil
}

// MessageDims returns the dimension names that the metadata of a message give for its objects of
// a shape, or nil. The key dim_names is a list, or a map from length to name.
func MessageDims(extra map[string]any, shape []uint64) []string {
	if dims := dimNames(extra[KeyDims], len(shape)); dims != nil {
		return dims
	}
	bySize, ok := extra[KeyDims].(map[string]any)
	if !ok {
		return nil
	}
	dims := make([]string, len(shape))
	for axis, n := range shape {
		dims[axis], _ = bySize[strconv.FormatUint(n, 10)].(string)
	}
	if slices.Contains(dims, "") {
		return nil
	}
	return dims
}

// dimNames is a list of n texts, none of them empty, or nil if v is something else.
func dimNames(v any, n int) []string {
	dims := Texts(v)
	if dims == nil || len(dims) != n || slices.Contains(dims, "") {
		return nil
	}
	return dims
}

// Texts returns the elements of a list of texts, and nil if v is not a list. Elements that are
// not texts become "".
func Texts(v any) []string {
	switch v := v.(type) {
	case []string:
		return append([]string{}, v...)
	case []any:
		texts := make([]string, len(v))
		for i, e := range v {
			texts[i], _ = e.(string)
		}
		return texts
	}
	return nil
}
