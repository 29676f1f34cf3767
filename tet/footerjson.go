package tet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// The JSON of a footer is written as the reference writes it, byte by byte. It has no blanks, keys
// of maps are in order, and only characters that JSON demands are escaped. Package encoding/json
// escapes U+2028 and U+2029 too.

func appendFooterJSON(b []byte, history []Event, metadata *Metadata, spill *Span) []byte {
	b = append(b, `{"history":`...)
	b = appendArray(b, history, func(b []byte, e Event) []byte { return e.appendJSON(b) })
	if metadata != nil && !metadata.IsZero() {
		b = append(b, `,"metadata":`...)
		b = metadata.appendJSON(b)
	}
	if spill != nil {
		b = append(b, `,"metadata_ref":{"offset":`...)
		b = strconv.AppendUint(b, spill.Offset, 10)
		b = append(b, `,"len":`...)
		b = strconv.AppendUint(b, spill.Len, 10)
		b = append(b, '}')
	}
	return append(b, '}')
}

func (e Event) appendJSON(b []byte) []byte {
	o := object{b: append(b, '{')}
	o.text("op", e.Op)
	o.text("source", e.Source)
	o.text("at", e.At)
	if len(e.Parents) > 0 {
		o.key("parents")
		o.b = appendArray(o.b, e.Parents, appendText)
	}
	if len(e.Params) > 0 {
		o.key("params")
		o.b = appendMap(o.b, e.Params, appendText)
	}
	o.pointer("agent", e.Agent)
	o.pointer("activity", e.Activity)
	o.pointer("entity", e.Entity)
	return append(o.b, '}')
}

func (m Metadata) appendJSON(b []byte) []byte {
	o := object{b: append(b, '{')}
	if f := m.File; f != nil {
		o.key("file")
		file := object{b: append(o.b, '{')}
		file.optional("tool", f.Tool)
		file.optional("library_version", f.LibraryVersion)
		file.optional("created_at", f.CreatedAt)
		o.b = append(file.b, '}')
	}
	if len(m.Datasets) > 0 {
		o.key("datasets")
		o.b = appendMap(o.b, m.Datasets, func(b []byte, d DatasetMetadata) []byte { return d.appendJSON(b) })
	}
	return append(o.b, '}')
}

func (d DatasetMetadata) appendJSON(b []byte) []byte {
	o := object{b: append(b, '{')}
	if len(d.Attrs) > 0 {
		o.key("attrs")
		o.b = appendMap(o.b, d.Attrs, appendText)
	}
	if d.DimNames != nil {
		o.key("dim_names")
		o.b = appendArray(o.b, d.DimNames, appendText)
	}
	if d.Coords != nil {
		o.key("coords")
		o.b = appendMap(o.b, d.Coords, func(b []byte, c CoordAxis) []byte {
			b = append(b, `{"labels":`...)
			return append(appendArray(b, c.Labels, appendText), '}')
		})
	}
	return append(o.b, '}')
}

// An object is a JSON object in the making.
type object struct {
	b     []byte
	begun bool
}

func (o *object) key(name string) {
	if o.begun {
		o.b = append(o.b, ',')
	}
	o.begun = true
	o.b = append(appendText(o.b, name), ':')
}

func (o *object) text(name, value string) {
	o.key(name)
	o.b = appendText(o.b, value)
}

func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) pointer(name string, value *string) {
	if value != nil {
		o.text(name, *value)
	}
}

func appendArray[T any](b []byte, list []T, add func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = add(b, v)
	}
	return append(b, ']')
}

func appendMap[T any](b []byte, m map[string]T, add func([]byte, T) []byte) []byte {
	o := object{b: append(b, '{')}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		o.key(key)
		o.b = add(o.b, m[key])
	}
	return append(o.b, '}')
}

// appendText appends a JSON string.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c < 0x20:
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
