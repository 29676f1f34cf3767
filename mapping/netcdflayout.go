package mapping

import (
	"bytes"
	"encoding/json"
)

// NetCDFLayout says how the types, groups and variables of a netCDF file were declared and stored.
// With it, and with the dimensions, attributes and values, the file can be written again as it was.
// The tags are the keys of layout in the description of the file.
type NetCDFLayout struct {
	Kind    string `json:"kind"`              // as package netcdf names it: "CDF-1", "netCDF-4", …
	Written string `json:"written,omitempty"` // which libraries wrote it: _NCProperties
	// HeaderFree is the bytes between the header of a classic file and its elements.
	HeaderFree int64            `json:"header_free,omitempty"`
	Leftovers  *LayoutLeftovers `json:"leftovers,omitempty"`
	Types      []LayoutType     `json:"types,omitempty"` // user-defined, in the order of definition, and types of text
	Attrs      []LayoutAttr     `json:"attrs,omitempty"` // of the root group
	Groups     []LayoutGroup    `json:"groups,omitempty"`
	Variables  []LayoutVariable `json:"variables"` // of all groups, also variables that have no object
	Links      []LayoutLink     `json:"links,omitempty"`
}

// LayoutLeftovers are the bytes of a classic file that belong neither to its header nor to a
// variable.
type LayoutLeftovers struct {
	Header []byte `json:"header,omitempty"` // the first of the HeaderFree bytes; the others are zeros
	Tail   []byte `json:"tail,omitempty"`   // the bytes after the elements
	Zeros  int64  `json:"zeros,omitempty"`  // the number of zeros after these
}

// A LayoutGroup is a group below the root.
type LayoutGroup struct {
	Name  string       `json:"name"` // path
	Attrs []LayoutAttr `json:"attrs,omitempty"`
}

// A LayoutLink is a further link to a group, or a link that leads nowhere.
type LayoutLink struct {
	Name   string `json:"name"`             // path
	Group  string `json:"group,omitempty"`  // of a hard link: the path of the group that it leads to
	Target string `json:"target,omitempty"` // of a soft or an external link: the path
	File   string `json:"file,omitempty"`   // of an external link
	Before int    `json:"before,omitempty"` // position of the next link among the groups of the same group
}

// A LayoutVariable is how a variable is declared and stored.
type LayoutVariable struct {
	Name      string       `json:"name"`           // path without the leading slash, as its object is named
	Type      string       `json:"type"`           // "short", or the path of a user-defined type
	Dims      []string     `json:"dims,omitempty"` // paths where the names mean others in its group
	Attrs     []LayoutAttr `json:"attrs,omitempty"`
	Layout    string       `json:"layout,omitempty"`  // as package netcdf names it; empty is contiguous
	Chunks    []uint64     `json:"chunks,omitempty"`  // of the layout chunked
	Filters   [][]uint64   `json:"filters,omitempty"` // number and parameters of each, in the order of writing
	BigEndian bool         `json:"big_endian,omitempty"`
	LinkTo    string       `json:"link_to,omitempty"` // the variable that this is a further link to
	Target    string       `json:"target,omitempty"`  // of a soft link: the path that it has
	Limit     []int64      `json:"limit,omitempty"`   // how long each axis can become, -1 without end, if the dimensions do not say it
	Padding   []byte       `json:"padding,omitempty"` // of a classic file, if it is no fill value
	NoFill    bool         `json:"no_fill,omitempty"` // the HDF5 file has no fill value for elements that are not written
	Fill      []byte       `json:"fill,omitempty"`    // the fill value of an HDF5 file, little-endian, if nothing else says it
}

// A LayoutAttr is an attribute at its place in the order of attributes. Its value and its type are
// in the metadata under its name, unless they are given here.
type LayoutAttr struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"` // the name of one of Types; with Raw any type
	// Raw is the value in the file if it differs from the value in the metadata. It has
	// elements in little-endian order, or characters.
	Raw []byte `json:"raw,omitempty"`
	// Zeros is the number of zero bytes that follow the text in the file, at most MostZeros.
	Zeros int `json:"zeros,omitempty"`
	// Null are the positions of strings that are null pointers in the file.
	Null []int `json:"null,omitempty"`
	// Scalar says that an HDF5 file has the value as a scalar, not as a list with one element.
	Scalar bool `json:"scalar,omitempty"`
	// Shape has the lengths of the axes where an HDF5 file has several, or a list of no
	// elements.
	Shape []uint64 `json:"shape,omitempty"`
	// BigEndian says that an HDF5 file has the numbers in this byte order.
	BigEndian bool `json:"big_endian,omitempty"`
}

// MostZeros is the largest value of LayoutAttr.Zeros that is written, and that readers accept.
const MostZeros = 1 << 12

// attrParts are the keys of a LayoutAttr. An attribute with only a name is written as that text.
type attrParts LayoutAttr

// MarshalJSON implements [json.Marshaler].
func (a LayoutAttr) MarshalJSON() ([]byte, error) {
	if a.Type == "" && a.Raw == nil && a.Zeros == 0 && a.Null == nil && !a.Scalar && a.Shape == nil && !a.BigEndian {
		return json.Marshal(a.Name)
	}
	return json.Marshal(attrParts(a))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (a *LayoutAttr) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &a.Name)
	}
	return json.Unmarshal(b, (*attrParts)(a))
}

// A LayoutType is a user-defined type, or a type of text that the netCDF library would write
// otherwise in HDF5.
type LayoutType struct {
	Name    string         `json:"name"`              // path; of text any name
	Class   string         `json:"class"`             // "enum", "compound", "vlen", "opaque"; of text "char", "string"
	Base    string         `json:"base,omitempty"`    // type of the elements of enum and vlen
	Size    int            `json:"size,omitempty"`    // of one element in bytes; 0 for text of any length
	Unnamed bool           `json:"unnamed,omitempty"` // the file uses the type without giving it a name
	ASCII   bool           `json:"ascii,omitempty"`   // of text, which is UTF-8 otherwise
	Padding string         `json:"padding,omitempty"` // of text of fixed length, as package netcdf names it
	Tag     string         `json:"tag,omitempty"`     // of opaque: a text about the bytes
	Members []LayoutMember `json:"members,omitempty"`
	Fields  []LayoutField  `json:"fields,omitempty"`
}

// A LayoutMember is a named value of an enum; an unsigned value is the int64 of the same bits.
type LayoutMember struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// A LayoutField is a field of a compound.
type LayoutField struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Shape  []int  `json:"shape,omitempty"`
}

// plain returns the layout as metadata hold it: maps, lists, texts and integers.
func (l *NetCDFLayout) plain() any {
	b, err := json.Marshal(l)
	if err != nil {
		return nil // no layout has values that JSON cannot hold
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return integers(v)
}

// integers makes int64 of the numbers of v, in place where it can.
func integers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		return v.String()
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = integers(v[key])
		}
	}
	return v
}

// NetCDFLayout returns how the netCDF file of the entry's message was declared and stored. It is
// nil if the message does not say it.
func (e Entry) NetCDFLayout() *NetCDFLayout {
	v := e.netcdfFile()[fileLayout]
	if v == nil {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	l := new(NetCDFLayout)
	if json.Unmarshal(b, l) != nil {
		return nil
	}
	return l
}
