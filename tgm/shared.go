package tgm

import (
	"fmt"
	"slices"
)

// Earlier versions of this package wrote metadata that small objects have in common once, in the
// metadata of the message. The base entry of each object has the number of its map:
//
//	_extra_._shared_   a list of maps:
//	                   {"geometry": {…}, "grib_repro": {"centre": "ecmf", "level": 500, …}}
//	base[i]._shared_   the index in this list
//	base[i].grib_repro the members that differ: {"level": 850}
//
// The entry of the object is the map of the list, with the members of the entry itself taking
// precedence, key by key in maps. This is read and no longer written: programs that do not know the
// rule join the base entries of two messages and keep one list, and then an index leads to the map
// of another file. A [Completer] derives the keys of an entry without the list.
const keyShared = "_shared_"

// Limits of the list, which bound the work that a small message can ask of a reader.
const (
	maxShared     = 64       // maps in the list
	maxSharedSize = 64 << 10 // CBOR of one of the maps
)

// parseShared reads the list. It returns nil for a value that is no such list.
func parseShared(v any) (parts []map[string]any) {
	list, ok := v.([]any)
	if !ok || len(list) > maxShared {
		return nil
	}
	for _, item := range list {
		values, ok := item.(map[string]any)
		if !ok {
			return nil
		}
		coded, err := toCBOR(values)
		if err != nil {
			return nil
		}
		if raw, err := modes.encode.Marshal(coded); err != nil || len(raw) > maxSharedSize {
			return nil
		}
		parts = append(parts, values)
	}
	return parts
}

// sharedBy returns the map that an entry shares, nil if there is none. An index that leads nowhere
// is an error where there is a list, or where it can only be ours: the list of another file may
// have been lost.
func sharedBy(parts []map[string]any, entry map[string]any) (map[string]any, error) {
	v, there := entry[keyShared]
	i, ok := v.(int64)
	switch {
	case !there, !ok && parts == nil:
		return nil, nil
	case !ok || i < 0 || i >= int64(len(parts)):
		return nil, fmt.Errorf("%s is %v, and _extra_.%s has %d maps: the message is a part of another one, or was joined by a program that does not know the list", keyShared, v, keyShared, len(parts))
	}
	return parts[i], nil
}

// takeShared adds the shared members to an entry.
func takeShared(entry, shared map[string]any) {
	delete(entry, keyShared)
	for key, value := range shared {
		own, ok := entry[key]
		if !ok {
			entry[key] = cloneValue(value)
			continue
		}
		mine, isMap := own.(map[string]any)
		theirs, areMaps := value.(map[string]any)
		if !isMap || !areMaps {
			continue
		}
		for k, item := range theirs {
			if _, ok := mine[k]; !ok {
				mine[k] = cloneValue(item)
			}
		}
	}
}

// cloneValue copies decoded metadata, which callers may change.
func cloneValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = cloneValue(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = cloneValue(item)
		}
		return out
	case []byte:
		return slices.Clone(v)
	case Tag:
		v.Content = cloneValue(v.Content)
		return v
	}
	return v
}
