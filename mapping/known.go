package mapping

import (
	"path"
	"strconv"
	"strings"
)

// Known looks up the keys of a field, a variable or an object. They are asked for by a clause of --where, for a
// column, in the name of an output, for a completion. [Known.Value] is the single look-up of a key, in the order
// of the fields here. Each may be absent.
type Known struct {
	// Position has the place of a slice: the values of the coordinates, by their dimensions.
	Position func(key string) (any, bool)
	// Entry has the metadata of the object and of its message. Lookup, which may be nil, is [Entry.Lookup] for an
	// entry that is decoded only in part.
	Entry  Entry
	Lookup func(key string) (any, bool)
	// Label has the label of the field. It is made only when it is asked for, and so are Parameter, the long name
	// of its parameter, and Variable, the name of a netCDF variable of it, which are other words for its name.
	Label     func() Label
	Parameter func() string
	Variable  func() string
	Place     *Place
	Array     func() ArrayKeys // made only when it is asked for
	// Stored has the properties of an object's storage, such as encoding and compression.
	Stored func(key string) (any, bool)
	// Coded has the keys of the source's own library, such as ecCodes for GRIB fields.
	Coded Coded
	// Changeable says that the metadata may have been changed after they were made of the source of Coded.
	// Then Coded has no other words for keys that the metadata have.
	Changeable bool
}

// Coded gives the values of keys as a library of the source's format does. It gives them in each type that
// the library has for them.
type Coded interface {
	Lookup
	// Value returns the value of a key in its own type.
	Value(key string) (any, bool)
}

// A Place is where an object lies.
type Place struct {
	File            string // as listings show it
	Message, Object int
}

// ArrayKeys describe the elements of an object.
type ArrayKeys struct {
	DType string // float64, int16, …
	Shape []uint64
	Dims  []string // nil if nothing names them
}

// Value returns the value of a key:
//
//  1. of a slice, the value of the coordinate of that name at which it lies;
//  2. extra.KEY, or _extra_.KEY, of the metadata of the message only; global.NAME, a global attribute of a netCDF file;
//  3. a path of the object's own metadata, or else of its namespaces, see [Entry.Lookup];
//  4. a path of the metadata of the message;
//  5. the label's values, see [Label], and group, the path of the group of a variable;
//  6. file, message, object;
//  7. dtype, shape, dims;
//  8. how the object is stored: encoding, filter, compression, …;
//  9. a key of ecCodes.
func (k *Known) Value(key string) (any, bool) {
	if v, ok := k.said(key); ok || k.Coded == nil {
		return v, ok
	}
	return k.Coded.Value(key)
}

// Match reports whether clauses hold: for the value of a key, or for another word for it, see [Known.Lookups].
func (k *Known) Match(clauses Clauses, asked *Asked) bool {
	return clauses.Match(asked, k.Lookups()...)
}

// Lookups returns the values of keys, the other words for them, and the values of ecCodes. Other words are the long
// name of a parameter, the name of its variable, the short name for a parameter's number, the last part of a name
// with groups, a group without the slash, a shape as 181x360, dimensions joined by blanks, and netCDF's name of a
// type.
func (k *Known) Lookups() []Lookup {
	ls := []Lookup{LookupFunc(k.said), LookupFunc(k.otherwise)}
	if k.Variable != nil {
		ls = append(ls, LookupFunc(k.shown))
	}
	switch {
	case k.Coded == nil:
		return ls
	case k.Changeable:
		return append(ls, unchanged{k})
	}
	return append(ls, k.Coded)
}

// said is Value without the keys of ecCodes.
func (k *Known) said(key string) (any, bool) {
	if k.Position != nil {
		if v, ok := k.Position(key); ok {
			return v, true
		}
	}
	if rest, ok := extraKey(key); ok {
		return k.Entry.Extra(rest)
	}
	if name, ok := strings.CutPrefix(key, globalPrefix); ok {
		if v, ok := k.Entry.global(name); ok {
			return v, true
		}
	}
	lookup := k.Lookup
	if lookup == nil {
		lookup = k.Entry.Lookup
	}
	if v, ok := lookup(key); ok {
		return v, true
	}
	if v, ok := Path(k.Entry.message, key); ok {
		return v, true
	}
	if v, ok := k.labelled(key); ok {
		return v, true
	}
	if v, ok := k.placed(key); ok {
		return v, true
	}
	if k.Stored != nil {
		return k.Stored(key)
	}
	return nil, false
}

// labelled returns the label's value of a key.
func (k *Known) labelled(key string) (any, bool) {
	if k.Label == nil || !labelKeys[key] {
		return nil, false
	}
	l := k.Label()
	if key != keyGroup {
		return l.value(key)
	}
	for _, namespace := range []string{KeyNetCDF, KeyTet} {
		if k.Entry.Namespace(namespace) != nil {
			return path.Join("/", path.Dir(l.Name)), true
		}
	}
	return nil, false
}

// labelKeys are the keys for which a label is made.
var labelKeys = map[string]bool{
	KeyName: true, keyShortName: true, KeyLongName: true, KeyStandardName: true, KeyUnits: true, KeyLevel: true, KeyLevelType: true,
	keyTypeOfLevel: true, KeyStep: true, KeyNumber: true, KeyReferenceTime: true, KeyValidTime: true, marsDate: true, keyDataDate: true,
	marsTime: true, keyDataTime: true, keyGroup: true,
}

// placed returns keys of the object's place, and of the type of its elements.
func (k *Known) placed(key string) (any, bool) {
	if p := k.Place; p != nil {
		switch key {
		case "file":
			return p.File, true
		case "message":
			return int64(p.Message), true
		case "object":
			return int64(p.Object), true
		}
	}
	if k.Array == nil {
		return nil, false
	}
	switch key {
	case keyDType:
		return k.Array().DType, true
	case keyShape:
		return k.Array().Shape, true
	case keyDimensions:
		dims := k.Array().Dims
		return dims, dims != nil
	}
	return nil, false
}

// pathParam is MARS' key of the parameter, a number that has a short name.
const pathParam = KeyMARS + "." + keyParam

// Keys of arrays.
const (
	keyDType      = "dtype"
	keyShape      = "shape"
	keyDimensions = "dims"
)

// otherwise is another word for the value of a key.
func (k *Known) otherwise(key string) (any, bool) {
	switch key {
	case KeyName, keyShortName:
		v, _ := k.said(key)
		name, _ := v.(string)
		if long := k.Parameter; long != nil && key == KeyName {
			name := long()
			return name, name != ""
		}
		return path.Base(name), strings.Contains(name, "/")
	case pathParam, keyParam:
		v, _ := k.said(key)
		if text, isText := v.(string); v == nil || k.Label == nil || isText && !inTable(text) {
			return nil, false
		}
		name := k.Label().Name
		return name, name != ""
	case keyGroup:
		v, _ := k.said(key)
		group, _ := v.(string)
		return strings.TrimPrefix(group, "/"), len(group) > 1
	}
	if k.Array == nil {
		return nil, false
	}
	switch key {
	case keyDType:
		if kind, _ := k.Entry.Namespace(KeyNetCDF)[netcdfType].(string); kind != "" {
			return kind, true
		}
		kind, ok := netcdfTypes[k.Array().DType]
		return kind, ok
	case keyShape:
		shape := k.Array().Shape
		lengths := make([]string, len(shape))
		for i, n := range shape {
			lengths[i] = strconv.FormatUint(n, 10)
		}
		return strings.Join(lengths, "x"), len(lengths) > 0
	case keyDimensions:
		dims := k.Array().Dims
		return strings.Join(dims, " "), dims != nil
	}
	return nil, false
}

// inTable reports whether a parameter is a number with its table, such as 130.128. MARS has parameters of
// edition 1 so.
func inTable(param string) bool {
	number, table, found := strings.Cut(param, ".")
	_, noNumber := strconv.ParseUint(number, 10, 16)
	_, noTable := strconv.ParseUint(table, 10, 16)
	return found && noNumber == nil && noTable == nil
}

// shown is the name of a variable, as a labelled dataset shows it.
func (k *Known) shown(key string) (any, bool) {
	if key != KeyName {
		return nil, false
	}
	name := k.Variable()
	return name, name != ""
}

// netcdfTypes are the names that netCDF has for types of elements.
var netcdfTypes = map[string]string{
	"int8": "byte", "uint8": "ubyte", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint", "float32": "float", "float64": "double",
}

// NetCDFDType returns the type of elements for netCDF's name of it, "" if there is none.
func NetCDFDType(class string) string {
	for dtype, name := range netcdfTypes {
		if name == class {
			return dtype
		}
	}
	switch class {
	case "int64", "uint64":
		return class
	}
	return ""
}

// unchanged is Known.Coded for keys that the metadata do not have. It also has the numbers of keys for which they
// have a text that is the source's text too.
type unchanged struct{ *Known }

func (u unchanged) Text(key string) (string, bool) {
	if _, ok := u.said(key); ok {
		return "", false
	}
	return u.Coded.Text(key)
}

func (u unchanged) Int(key string) (int64, bool) {
	if !u.numbers(key) {
		return 0, false
	}
	return u.Coded.Int(key)
}

func (u unchanged) Real(key string) (float64, bool) {
	if !u.numbers(key) {
		return 0, false
	}
	return u.Coded.Real(key)
}

// numbers reports whether the number of a key is the source's. It is if the metadata have no value
// of the key, or the source's text.
func (u unchanged) numbers(key string) bool {
	said := LookupFunc(u.said)
	text, ok := said.Text(key)
	if !ok {
		return true
	}
	if _, isNumber := said.Real(key); isNumber {
		return false
	}
	coded, ok := u.Coded.Text(key)
	return ok && coded == text
}

// globalPrefix begins the keys of the global attributes of a netCDF file.
const globalPrefix = "global."

// global returns a global attribute of the netCDF file of the entry.
func (e Entry) global(name string) (any, bool) {
	for _, attributes := range []any{e.netcdfFile()[fileGlobal], e.Namespace(KeyNetCDF)[NetCDFGlobal]} {
		if v, ok := Path(attributes, name); ok {
			return v, true
		}
	}
	return nil, false
}
