package mapping

import (
	"maps"
	"strconv"
)

// NetCDF is the content of base[i].netcdf, which describes a variable.
type NetCDF struct {
	Attributes map[string]any // of the elements as the object holds them
	AttrTypes  map[string]any // their types in the file, by name
	Dims       []string       // names of the variable's dimensions
	Packing    map[string]any // of an unpacked variable; else nil
	Enum       map[string]any // name: value; nil if the type is no enum
	Type       string         // the type in the file, where the elements' type does not say it
	Encoding   string         // of text
	Missing    map[string]any // the value at missing points, where that is not the first fill value
	Null       []int64        // which strings are null pointers: pairs of a position and a number
	Counts     string         // of the values of sequences: the object that has their lengths
	CountsOf   string         // of these: the object that has the values

	// File describes the file that the message was made of, nil if the message has no description.
	File *NetCDFFile
}

// NetCDFFile describes the netCDF file that a message was made of, once for all objects.
type NetCDFFile struct {
	Dims        []FileDim      // all dimensions of the file
	Global      map[string]any // attributes of the file
	GlobalTypes map[string]any
	Groups      []NetCDFGroup    // all that have attributes, without the root
	Others      []NetCDFVariable // variables that have no object
	Aliases     map[string]any   // paths of links: path of the group that each leads to
	Layout      *NetCDFLayout    // how it is declared and stored; [Entry.NetCDFLayout] reads it
}

// A FileDim is a dimension of a netCDF file.
type FileDim struct {
	Name      string
	Len       uint64
	Unlimited bool
	Group     string // path, empty for the root
	Phony     bool   // the file has none: the name stands for a length
}

// A NetCDFGroup is a group of a netCDF file.
type NetCDFGroup struct {
	Name       string // path
	Attributes map[string]any
	Types      map[string]any
}

// A NetCDFVariable is a variable without an object, and the reason.
type NetCDFVariable struct {
	Name, Type, Reason string
	Dims               []string
	Attributes, Types  map[string]any
	References         []string // the paths that references lead to, where they are kept
}

// Keys of _extra_.netcdf_SOURCE, and inside the maps of base[i].netcdf.
const (
	fileGlobal      = "global"
	fileGlobalTypes = "global_types"
	fileGroups      = "groups"
	fileOthers      = "others"
	fileDimNames    = "dims"
	fileType        = "type"
	fileReason      = "reason"
	fileReferences  = "references"
	fileAliases     = "aliases"
	fileLayout      = "layout"
	layoutVariables = "variables" // of the layout

	keyFileDims     = "dims"
	keyDimName      = "name"
	keyDimLen       = "len"
	keyDimUnlimited = "unlimited"
	keyDimPhony     = "phony"
	keyDimGroup     = "group"

	keyGroupName       = "name"
	keyGroupAttributes = "attributes"
	keyGroupTypes      = "types"

	// PackingDType is the key of base[i].netcdf._packing that holds the type of the packed
	// integers.
	PackingDType = "dtype"

	// MissingValues and MissingRuns are the keys of base[i].netcdf._missing.
	MissingValues = "values"
	MissingRuns   = "runs"
)

// Map returns the value of base[i].netcdf. File is not part of it.
func (n *NetCDF) Map() map[string]any {
	m := make(map[string]any, len(n.Attributes)+8)
	collide := make(map[string]any)
	for key, value := range n.Attributes {
		if isOwnNetCDFKey(key) {
			collide[key] = value
		} else {
			m[key] = value
		}
	}
	if len(collide) > 0 {
		m[netcdfAttributes] = collide
	}
	m[NetCDFDims] = n.Dims
	putTypes(m, netcdfAttrTypes, n.AttrTypes)
	for key, value := range map[string]map[string]any{NetCDFPacking: n.Packing, netcdfEnum: n.Enum, netcdfMissing: n.Missing} {
		if value != nil {
			m[key] = value
		}
	}
	for key, value := range n.texts() {
		if *value != "" {
			m[key] = *value
		}
	}
	if len(n.Null) > 0 {
		m[netcdfNull] = n.Null
	}
	return m
}

// integerList is a list of integers, nil if v is something else.
func integerList(v any) []int64 {
	if list, ok := v.([]int64); ok {
		return list
	}
	var list []int64
	for _, x := range asList(v) {
		n, ok := Int(x)
		if !ok {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// putTypes writes the types of attributes except for char, which is the default for text.
func putTypes(m map[string]any, key string, types map[string]any) {
	others := make(map[string]any)
	for name, t := range types {
		if t != "char" {
			others[name] = t
		}
	}
	if len(others) > 0 {
		m[key] = others
	}
}

// texts are the fields that hold a text, by their keys.
func (n *NetCDF) texts() map[string]*string {
	return map[string]*string{netcdfType: &n.Type, netcdfEncoding: &n.Encoding, NetCDFCounts: &n.Counts, netcdfCountsOf: &n.CountsOf}
}

// Extra returns the metadata of the message: a map with the key netcdf. To give it the key of a
// source, use [WithSource].
func (f *NetCDFFile) Extra() map[string]any {
	m := map[string]any{keyFileDims: fileDims(f.Dims), fileGlobal: f.Global}
	putTypes(m, fileGlobalTypes, f.GlobalTypes)
	if len(f.Groups) > 0 {
		groups := make([]any, len(f.Groups))
		for i, g := range f.Groups {
			group := map[string]any{keyGroupName: g.Name, keyGroupAttributes: g.Attributes}
			putTypes(group, keyGroupTypes, g.Types)
			groups[i] = group
		}
		m[fileGroups] = groups
	}
	if len(f.Others) > 0 {
		others := make([]any, len(f.Others))
		for i, v := range f.Others {
			other := map[string]any{keyGroupName: v.Name, keyGroupAttributes: v.Attributes, fileDimNames: v.Dims,
				fileType: v.Type, fileReason: v.Reason}
			if len(v.References) > 0 {
				other[fileReferences] = v.References
			}
			putTypes(other, keyGroupTypes, v.Types)
			others[i] = other
		}
		m[fileOthers] = others
	}
	if len(f.Aliases) > 0 {
		m[fileAliases] = f.Aliases
	}
	if f.Layout != nil {
		m[fileLayout] = f.Layout.plain()
	}
	return map[string]any{KeyNetCDF: m}
}

func fileDims(list []FileDim) []any {
	dims := make([]any, len(list))
	for i, d := range list {
		m := map[string]any{keyDimName: d.Name, keyDimLen: d.Len, keyDimUnlimited: d.Unlimited}
		if d.Group != "" {
			m[keyDimGroup] = d.Group
		}
		if d.Phony {
			m[keyDimPhony] = true
		}
		dims[i] = m
	}
	return dims
}

// isOwnNetCDFKey reports whether a key of base[i].netcdf does not belong to the variable's
// attributes.
func isOwnNetCDFKey(key string) bool {
	switch key {
	case NetCDFDims, NetCDFFileKey, netcdfAttrTypes, NetCDFGlobal, netcdfGlobalTypes, NetCDFGroups, NetCDFPacking, netcdfEnum,
		netcdfType, netcdfEncoding, netcdfMissing, netcdfNull, NetCDFCounts, netcdfCountsOf, netcdfAttributes:
		return true
	}
	return false
}

// NetCDF returns the description of a netCDF variable, and false if the entry has none. It also
// reads entries of the reference's converter, which repeats the description of the file in each
// entry and, in release 0.17, has only the attributes.
func (e Entry) NetCDF() (*NetCDF, bool) {
	m := e.Namespace(KeyNetCDF)
	if m == nil {
		return nil, false
	}
	n := &NetCDF{Attributes: make(map[string]any, len(m)), Dims: Texts(m[NetCDFDims])}
	for key, value := range m {
		if !isOwnNetCDFKey(key) {
			n.Attributes[key] = value
		}
	}
	maps.Copy(n.Attributes, asMap(m[netcdfAttributes]))
	n.AttrTypes = asMap(m[netcdfAttrTypes])
	n.Attributes = unsignedRestored(n.Attributes, n.AttrTypes)
	n.Packing, n.Enum, n.Missing = unsignedRestored(asMap(m[NetCDFPacking]), n.AttrTypes), asMap(m[netcdfEnum]), asMap(m[netcdfMissing])
	for key, value := range n.texts() {
		*value, _ = m[key].(string)
	}
	n.Null = integerList(m[netcdfNull])
	if n.keptByUnpacking(m) {
		n.Packing = TakePacking(n.Attributes)
	}
	if n.Dims == nil {
		n.Dims = Texts(e.base[KeyDims]) // by the lengths of the coordinates of the message
	}
	if n.File = e.NetCDFFile(); n.File == nil && (m[NetCDFFileKey] != nil || m[NetCDFGlobal] != nil) {
		n.File = readFile(asMap(m[NetCDFFileKey])[keyFileDims], m[NetCDFGlobal], m[netcdfGlobalTypes], m[NetCDFGroups])
	}
	return n, true
}

// keptByUnpacking reports whether the attributes describe packed numbers although the object has
// values. Release 0.17 of the reference's converter leaves them as they are where it unpacks, which
// it does not do for records. Of its metadata beside attributes only the global attributes are
// certain to be its own.
func (n *NetCDF) keptByUnpacking(m map[string]any) bool {
	if n.Packing != nil || n.Dims != nil || n.AttrTypes != nil || m[NetCDFGlobal] == nil || m[KeyRecordIndex] != nil {
		return false
	}
	_, scale := Float(n.Attributes["scale_factor"])
	_, offset := Float(n.Attributes["add_offset"])
	return scale || offset
}

// unsignedRestored returns attributes with the integers above 2^63-1 that are text in a message.
// The types of the attributes tell them from text of the file.
func unsignedRestored(attributes, types map[string]any) map[string]any {
	var changed map[string]any
	for name, t := range types {
		if t != "uint64" {
			continue
		}
		if numbers := unsignedOf(attributes[name]); numbers != nil {
			if changed == nil {
				changed = maps.Clone(attributes)
			}
			changed[name] = numbers
		}
	}
	if changed == nil {
		return attributes
	}
	return changed
}

// unsignedOf is the integer, or the list of integers, that a decimal text has; nil if v is
// something else.
func unsignedOf(v any) any {
	if text, ok := v.(string); ok {
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return u
		}
		return nil
	}
	texts := Texts(v)
	if len(texts) == 0 {
		return nil
	}
	list := make([]uint64, len(texts))
	for i, text := range texts {
		var err error
		if list[i], err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil
		}
	}
	return list
}

// PackingAttributes returns the names of the attributes that describe packed numbers.
func PackingAttributes() []string {
	return []string{"scale_factor", "add_offset", "_FillValue", "missing_value", "valid_min", "valid_max", "valid_range"}
}

// TakePacking removes the attributes that describe packed numbers from attributes, and
// returns them. The variable has then been unpacked.
func TakePacking(attributes map[string]any) map[string]any {
	m := make(map[string]any)
	for _, key := range PackingAttributes() {
		if value, ok := attributes[key]; ok {
			m[key] = value
			delete(attributes, key)
		}
	}
	return m
}

// NetCDFFile returns the description of the entry's netCDF file in the metadata of the message.
// It is nil if there is none.
func (e Entry) NetCDFFile() *NetCDFFile {
	m := e.netcdfFile()
	if m == nil {
		return nil
	}
	f := readFile(m[keyFileDims], m[fileGlobal], m[fileGlobalTypes], m[fileGroups])
	for _, v := range asList(m[fileOthers]) {
		o := asMap(v)
		other := NetCDFVariable{Dims: Texts(o[fileDimNames]), Types: asMap(o[keyGroupTypes]), References: Texts(o[fileReferences])}
		other.Attributes = unsignedRestored(asMap(o[keyGroupAttributes]), other.Types)
		other.Name, _ = o[keyGroupName].(string)
		other.Type, _ = o[fileType].(string)
		other.Reason, _ = o[fileReason].(string)
		f.Others = append(f.Others, other)
	}
	f.Aliases = asMap(m[fileAliases])
	return f
}

func readFile(dims, global, globalTypes, groups any) *NetCDFFile {
	f := &NetCDFFile{Global: unsignedRestored(asMap(global), asMap(globalTypes)), GlobalTypes: asMap(globalTypes)}
	for _, v := range asList(dims) {
		d := asMap(v)
		name, _ := d[keyDimName].(string)
		length, _ := Int(d[keyDimLen])
		unlimited, _ := d[keyDimUnlimited].(bool)
		group, _ := d[keyDimGroup].(string)
		phony, _ := d[keyDimPhony].(bool)
		f.Dims = append(f.Dims, FileDim{name, uint64(max(0, length)), unlimited, group, phony})
	}
	for _, v := range asList(groups) {
		g := asMap(v)
		name, _ := g[keyGroupName].(string)
		types := asMap(g[keyGroupTypes])
		f.Groups = append(f.Groups, NetCDFGroup{name, unsignedRestored(asMap(g[keyGroupAttributes]), types), types})
	}
	return f
}

func asMap(v any) map[string]any { m, _ := v.(map[string]any); return m }

func asList(v any) []any { l, _ := v.([]any); return l }
