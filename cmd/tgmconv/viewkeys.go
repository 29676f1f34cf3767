package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

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

// namespaces are the maps of a base entry that a key is looked for in when the entry itself does
// not have it, and whether they hold their keys in groups.
var namespaces = []struct {
	name    string
	grouped bool
}{{"mars", false}, {"grib", true}, {"cf", false}, {"netcdf", false}, {"grib_repro", false}}

// A keyLookup gives the value of a key, and whether there is one.
type keyLookup func(key string) (any, bool)

// key is the keyLookup of an object.
func (o viewObject) key(key string) (any, bool) {
	if rest, ok := extraKey(key); ok {
		return lookupPath(o.message.metadata.Extra, rest)
	}
	if value, ok := baseKey(o.Base(), key); ok {
		return value, true
	}
	if value, ok := lookupPath(o.message.metadata.Extra, key); ok {
		return value, true
	}
	return o.ownKey(key)
}

// extraKey is the rest of a key that asks for the message's own metadata.
func extraKey(key string) (string, bool) {
	if rest, ok := strings.CutPrefix(key, "_extra_."); ok {
		return rest, true
	}
	return strings.CutPrefix(key, "extra.")
}

// baseKey looks for a key in a base entry and its namespaces.
func baseKey(base map[string]any, key string) (any, bool) {
	if value, ok := lookupPath(base, key); ok {
		return value, true
	}
	for _, n := range namespaces {
		namespace, ok := base[n.name].(map[string]any)
		if !ok {
			continue
		}
		if value, ok := lookupPath(namespace, key); ok {
			return value, true
		}
		if n.grouped {
			for _, group := range sortedKeys(namespace) {
				if value, ok := lookupPath(namespace[group], key); ok {
					return value, true
				}
			}
		}
	}
	return nil, false
}

// lookupPath follows a key down maps and lists. A map's own key may have dots in it.
func lookupPath(v any, key string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if value, ok := v[key]; ok {
			return value, key != "_reserved_"
		}
		for i, c := range key {
			if c != '.' || key[:i] == "_reserved_" {
				continue
			}
			if inner, ok := v[key[:i]]; ok {
				if value, ok := lookupPath(inner, key[i+1:]); ok {
					return value, true
				}
			}
		}
	case []any:
		number, rest, more := strings.Cut(key, ".")
		i, err := strconv.Atoi(number)
		switch {
		case err != nil || i < 0 || i >= len(v):
		case more:
			return lookupPath(v[i], rest)
		default:
			return v[i], true
		}
	}
	return nil, false
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
	case "name":
		name := objectName(o.Base())
		return name, name != ""
	}
	value, ok := d.Params[key]
	return value, ok
}

// key is the keyLookup of a message: the first object that has the key, as the reference's command
// does it.
func (m viewMessage) key(key string) (any, bool) {
	if rest, ok := extraKey(key); ok {
		return lookupPath(m.metadata.Extra, rest)
	}
	for base, err := range m.BaseEntries() {
		if err != nil {
			*m.failed = err
			return nil, false
		}
		if value, ok := baseKey(base, key); ok {
			return value, true
		}
	}
	if value, ok := lookupPath(m.metadata.Extra, key); ok {
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
