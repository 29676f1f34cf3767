package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/zarr"
)

// keyHelp is the part of the help of every verb that takes keys.
const keyHelp = `Keys are paths with dots: name, mars.step, netcdf.units, mars.area.0 (an element of a list).
A key is looked for in the object's own metadata, then in its namespaces (so that step finds mars.step),
then in the message's metadata (extra.KEY asks only there), and last among what is known of every object:
file, message, object, offset, length, type, dtype, shape, byte_order, encoding, filter, compression, hash,
version, and the packing parameters, such as sp_bits_per_value.`

// whereHelp is the part of the help of every verb that selects objects.
const whereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE; VALUE may list alternatives with slashes. Clauses are
joined by commas or given by repeating --where, and all must hold. Values are compared as numbers where
both are numbers, else as texts. An object without the key fails = and passes !=.`

// A keyLookup gives the value of a key, and whether there is one.
type keyLookup func(key string) (any, bool)

// key is the keyLookup of an object.
func (o viewObject) key(key string) (any, bool) {
	if rest, ok := mapping.ExtraKey(key); ok {
		return mapping.Path(o.message.metadata.Extra, rest)
	}
	if value, ok := mapping.Read(o.Base()).Lookup(key); ok {
		return value, true
	}
	if value, ok := mapping.Path(o.message.metadata.Extra, key); ok {
		return value, true
	}
	return o.ownKey(key)
}

// ownKey is what is known of every object, whatever its metadata say.
func (o viewObject) ownKey(key string) (any, bool) {
	d := o.Descriptor()
	switch key {
	case "file":
		return o.message.file.name, true
	case "message":
		return int64(o.message.Index()), true
	case "object":
		return int64(o.Index()), true
	case "offset":
		return o.Offset(), true
	case "length", "size":
		return o.Length(), true
	case "version":
		return int64(3), true
	case "type":
		return d.Type, true
	case "dtype":
		return d.DType.String(), true
	case "shape":
		return d.Shape, true
	case "byte_order":
		return d.ByteOrder.String(), true
	case "encoding":
		return d.Encoding, true
	case "filter":
		return d.Filter, true
	case "compression":
		return d.Compression, true
	case "hash":
		hash, ok := o.Hash()
		return fmt.Sprintf("%016x", hash), ok
	case mapping.KeyName:
		name := catalog.Name(o.Base())
		return name, name != ""
	}
	value, ok := d.Params[key]
	return value, ok
}

// key is the keyLookup of a message: the first object that has the key, as the reference's command
// does it.
func (m viewMessage) key(key string) (any, bool) {
	if rest, ok := mapping.ExtraKey(key); ok {
		return mapping.Path(m.metadata.Extra, rest)
	}
	for base, err := range m.BaseEntries() {
		if err != nil {
			*m.failed = err
			return nil, false
		}
		if value, ok := mapping.Read(base).Lookup(key); ok {
			return value, true
		}
	}
	if value, ok := mapping.Path(m.metadata.Extra, key); ok {
		return value, true
	}
	switch key {
	case "file":
		return m.file.name, true
	case "message":
		return int64(m.Index()), true
	case "offset":
		return m.Offset(), true
	case "length", "size":
		return m.Length(), true
	case "version":
		return int64(3), true
	}
	return nil, false
}

// valueText is a value as people read it: texts as they are, everything else as JSON.
func valueText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	data, err := zarr.AppendJSON(nil, v)
	return string(data), err
}

// oneLine makes one line of a text.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// splitKeys splits the values of -p at commas.
func splitKeys(values []string) []string {
	var keys []string
	for _, value := range values {
		for key := range strings.SplitSeq(value, ",") {
			if key = strings.TrimSpace(key); key != "" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}
