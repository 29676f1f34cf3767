package mapping

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// namespaces are the maps of an entry in which keys are looked for that the entry itself does
// not have. They may hold their keys in groups.
var namespaces = [...]struct {
	key     string
	grouped bool
}{{KeyMARS, false}, {KeyGRIB, true}, {KeyCF, false}, {KeyNetCDF, false}, {KeyTet, false}, {KeyProduct, false}, {KeyReproduction, false}}

// Lookup returns the value of a key, which is a path with dots. It looks in the entry itself, or
// else in one of its namespaces, so that "step" finds mars.step where the entry has no step of its
// own.
func (e Entry) Lookup(key string) (any, bool) {
	if value, ok := Path(e.base, key); ok {
		return value, true
	}
	for _, n := range namespaces {
		namespace := e.Namespace(n.key)
		if namespace == nil {
			continue
		}
		if value, ok := Path(namespace, key); ok {
			return value, true
		}
		if !n.grouped {
			continue
		}
		for _, group := range slices.Sorted(maps.Keys(namespace)) {
			if value, ok := Path(namespace[group], key); ok {
				return value, true
			}
		}
	}
	return nil, false
}

// Path returns the value at a path of keys joined by dots, through maps and lists: "mars.area.0". A
// map's own key may have dots in it. The key _reserved_, which belongs to the message format, is
// not found.
func Path(v any, key string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if value, ok := v[key]; ok {
			return value, key != KeyReserved
		}
		for i, c := range key {
			if c != '.' || key[:i] == KeyReserved {
				continue
			}
			if inner, ok := v[key[:i]]; ok {
				if value, ok := Path(inner, key[i+1:]); ok {
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
			return Path(v[i], rest)
		default:
			return v[i], true
		}
	}
	return nil, false
}

// extraKey returns the rest of a key that asks for the metadata of the message, not of an
// object. Such keys are extra.KEY or _extra_.KEY.
func extraKey(key string) (string, bool) {
	if rest, ok := strings.CutPrefix(key, keyExtra+"."); ok {
		return rest, true
	}
	return strings.CutPrefix(key, "extra.")
}
