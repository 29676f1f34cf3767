package mapping

// NetCDF is what base[i].netcdf says of a variable.
type NetCDF struct {
	Attributes  map[string]any
	AttrTypes   map[string]any // their types in the file, by name
	Dims        []string       // names of the variable's dimensions
	FileDims    []FileDim      // all dimensions of the file
	Global      map[string]any // attributes of the file
	GlobalTypes map[string]any
	Groups      []NetCDFGroup  // around the variable, outermost first, without the root
	Packing     map[string]any // of an unpacked variable; else nil
	Enum        map[string]any // name: value; nil if the type is no enum
}

// A FileDim is a dimension of a netCDF file.
type FileDim struct {
	Name      string
	Len       uint64
	Unlimited bool
}

// A NetCDFGroup is a group of a netCDF file.
type NetCDFGroup struct {
	Name       string // path
	Attributes map[string]any
	Types      map[string]any
}

// Keys inside the maps of base[i].netcdf.
const (
	keyFileDims     = "dims"
	keyDimName      = "name"
	keyDimLen       = "len"
	keyDimUnlimited = "unlimited"

	keyGroupName       = "name"
	keyGroupAttributes = "attributes"
	keyGroupTypes      = "types"

	// PackingDType is the key of base[i].netcdf._packing that holds the type of the packed integers.
	PackingDType = "dtype"
)

// Map returns the value of base[i].netcdf.
func (n *NetCDF) Map() map[string]any {
	m := make(map[string]any, len(n.Attributes)+8)
	for key, value := range n.Attributes {
		m[key] = value
	}
	dims := make([]any, len(n.FileDims))
	for i, d := range n.FileDims {
		dims[i] = map[string]any{keyDimName: d.Name, keyDimLen: d.Len, keyDimUnlimited: d.Unlimited}
	}
	m[NetCDFDims] = n.Dims
	m[NetCDFFile] = map[string]any{keyFileDims: dims}
	m[NetCDFAttrTypes] = n.AttrTypes
	m[NetCDFGlobal], m[NetCDFGlobalTypes] = n.Global, n.GlobalTypes
	if len(n.Groups) > 0 {
		groups := make([]any, len(n.Groups))
		for i, g := range n.Groups {
			groups[i] = map[string]any{keyGroupName: g.Name, keyGroupAttributes: g.Attributes, keyGroupTypes: g.Types}
		}
		m[NetCDFGroups] = groups
	}
	if n.Packing != nil {
		m[NetCDFPacking] = n.Packing
	}
	if n.Enum != nil {
		m[NetCDFEnum] = n.Enum
	}
	return m
}

// isOwnNetCDFKey reports whether a key of base[i].netcdf is no attribute of the variable.
func isOwnNetCDFKey(key string) bool {
	switch key {
	case NetCDFDims, NetCDFFile, NetCDFAttrTypes, NetCDFGlobal, NetCDFGlobalTypes, NetCDFGroups, NetCDFPacking, NetCDFEnum:
		return true
	}
	return false
}

// NetCDF returns what the entry says of a netCDF variable, and whether it is one. It reads what the
// reference's converter writes as well, which of release 0.17 is the attributes alone.
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
	n.AttrTypes = asMap(m[NetCDFAttrTypes])
	n.Global, n.GlobalTypes = asMap(m[NetCDFGlobal]), asMap(m[NetCDFGlobalTypes])
	n.Packing, n.Enum = asMap(m[NetCDFPacking]), asMap(m[NetCDFEnum])
	for _, v := range asList(asMap(m[NetCDFFile])[keyFileDims]) {
		d := asMap(v)
		name, _ := d[keyDimName].(string)
		length, _ := Int(d[keyDimLen])
		unlimited, _ := d[keyDimUnlimited].(bool)
		n.FileDims = append(n.FileDims, FileDim{name, uint64(max(0, length)), unlimited})
	}
	for _, v := range asList(m[NetCDFGroups]) {
		g := asMap(v)
		name, _ := g[keyGroupName].(string)
		n.Groups = append(n.Groups, NetCDFGroup{name, asMap(g[keyGroupAttributes]), asMap(g[keyGroupTypes])})
	}
	return n, true
}

func asMap(v any) map[string]any { m, _ := v.(map[string]any); return m }

func asList(v any) []any { l, _ := v.([]any); return l }
