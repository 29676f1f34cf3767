package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Small objects share metadata. What WriterOptions.Share names is written once in the metadata of
// the message, and the base entry of each object says in which map it is:
//
//	_extra_._shared_   a list of maps:
//	                   {"geometry": {…}, "grib_repro": {"centre": "ecmf", "level": 500, …}}
//	base[i]._shared_   the index in this list
//	base[i].grib_repro what differs: {"level": 850}
//
// The entry of the object is the map of the list, with what the entry itself has taking precedence,
// key by key in maps. Readers of this package give complete entries, without _shared_. A reader
// that does not know the rule sees what the entry itself has.
const keyShared = "_shared_"

// Limits of what is shared, which bound the work that a small message can ask of a reader.
const (
	maxShared     = 64       // maps in the list
	maxSharedSize = 64 << 10 // CBOR of one of them
	// shareBelow is the size of an object from which its metadata are complete: there the repeated
	// part is half a percent.
	shareBelow = 256 << 10
)

// errShared is the answer to callers who supply what only the encoder writes.
var errShared = errors.New("the key " + keyShared + " is the encoder's to write")

// A sharer finds what entries have in common.
type sharer struct {
	keys []string
	list []sharedMap
}

// sharedMap is a map of the list: the CBOR of each value, or for a value that is a map of each of
// its values.
type sharedMap struct {
	whole  map[string][]byte
	nested map[string]map[string][]byte
	values map[string]any // decoded, to be written
}

// reduce returns the entry of an object without what it shares with an earlier one.
func (s *sharer) reduce(base map[string]any, size int64) (map[string]any, error) {
	if len(s.keys) == 0 || size >= shareBelow {
		return base, nil
	}
	if _, ok := base[keyShared]; ok {
		return nil, errShared
	}
	own, total, err := newSharedMap(base, s.keys)
	if err != nil || len(own.whole) == 0 || total > maxSharedSize {
		return base, err
	}
	for i := len(s.list) - 1; i >= 0; i-- {
		if reduced, ok := s.list[i].without(base, own); ok {
			reduced[keyShared] = i
			return reduced, nil
		}
	}
	if len(s.list) == maxShared {
		return base, nil
	}
	if err := own.decode(); err != nil {
		return base, err
	}
	s.list = append(s.list, own)
	reduced, _ := own.without(base, own)
	reduced[keyShared] = len(s.list) - 1
	return reduced, nil
}

// newSharedMap takes the keys that may be shared from an entry.
func newSharedMap(base map[string]any, keys []string) (m sharedMap, size int, err error) {
	m = sharedMap{whole: map[string][]byte{}, nested: map[string]map[string][]byte{}}
	for _, key := range keys {
		value, ok := base[key]
		if !ok {
			continue
		}
		coded, err := toCBOR(value)
		if err != nil {
			return m, 0, fmt.Errorf("%s: %w", key, err)
		}
		if m.whole[key], err = modes.encode.Marshal(coded); err != nil {
			return m, 0, err
		}
		size += len(key) + len(m.whole[key])
		items, ok := coded.(map[string]any)
		if !ok {
			continue
		}
		m.nested[key] = make(map[string][]byte, len(items))
		for k, item := range items {
			if m.nested[key][k], err = modes.encode.Marshal(item); err != nil {
				return m, 0, err
			}
		}
	}
	return m, size, nil
}

func (m *sharedMap) decode() (err error) {
	m.values = make(map[string]any, len(m.whole))
	for key, raw := range m.whole {
		if m.values[key], err = decodeValue(raw); err != nil {
			return err
		}
	}
	return nil
}

// without returns an entry without what it shares with m. ok is false if the entry lacks something
// that m has, or shares less than half of it.
func (m *sharedMap) without(base map[string]any, own sharedMap) (reduced map[string]any, ok bool) {
	same, all := 0, 0
	reduced = maps.Clone(base)
	for key, raw := range m.whole {
		mine, ok := own.whole[key]
		if !ok {
			return nil, false
		}
		all += len(raw)
		if bytes.Equal(raw, mine) {
			same += len(raw)
			delete(reduced, key)
			continue
		}
		differing := make(map[string]any)
		items, isMap := base[key].(map[string]any)
		if !isMap || m.nested[key] == nil {
			return nil, false
		}
		for k, raw := range m.nested[key] {
			mine, ok := own.nested[key][k]
			if !ok {
				return nil, false
			}
			if bytes.Equal(raw, mine) {
				same += len(k) + len(raw)
			}
		}
		for k, item := range items {
			if raw, ok := m.nested[key][k]; !ok || !bytes.Equal(raw, own.nested[key][k]) {
				differing[k] = item
			}
		}
		reduced[key] = differing
	}
	return reduced, 2*same >= all
}

// extra returns the metadata of the message with the list of what is shared.
func (s *sharer) extra(extra map[string]any) map[string]any {
	if len(s.list) == 0 {
		return extra
	}
	list := make([]any, len(s.list))
	for i, m := range s.list {
		list[i] = m.values
	}
	extra = maps.Clone(extra)
	if extra == nil {
		extra = make(map[string]any, 1)
	}
	extra[keyShared] = list
	return extra
}

// A sharedPart is a map of the list as it was read.
type sharedPart struct {
	values map[string]any
	coded  sharedMap // its CBOR
}

// parseShared reads the list. What is no such list is nothing that is shared.
func parseShared(v any) (parts []sharedPart) {
	list, ok := v.([]any)
	if !ok || len(list) > maxShared {
		return nil
	}
	for _, item := range list {
		values, ok := item.(map[string]any)
		if !ok {
			return nil
		}
		coded, size, err := newSharedMap(values, slices.Collect(maps.Keys(values)))
		if err != nil || size > maxSharedSize {
			return nil
		}
		parts = append(parts, sharedPart{values, coded})
	}
	return parts
}

// sharedBy returns what an entry shares, nil if that is nothing.
func sharedBy(parts []sharedPart, entry map[string]any) *sharedPart {
	i, ok := entry[keyShared].(int64)
	if !ok || i < 0 || i >= int64(len(parts)) {
		return nil
	}
	return &parts[i]
}

// complete gives an entry what it shares.
func (p *sharedPart) complete(entry map[string]any) {
	delete(entry, keyShared)
	for key, value := range p.values {
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

// selectFrom gives an entry of which parts were selected those that it shares. ok is false if a
// map that is wanted as a whole has values from both.
func (p *sharedPart) selectFrom(entry map[string]any, want func(parent string, key []byte) Want) (ok bool) {
	for key, value := range p.values {
		part := want("", []byte(key))
		if part == WantNone {
			continue
		}
		members, areMembers := value.(map[string]any)
		if part == WantMembers && areMembers {
			p.selectMembers(entry, key, members, want)
			continue
		}
		if _, both := entry[key]; both {
			return false
		}
		if part == WantCBOR {
			entry[key] = slices.Clone(p.coded.whole[key])
		} else {
			entry[key] = cloneValue(value)
		}
	}
	delete(entry, keyShared)
	return true
}

// selectMembers adds the members of a map that are wanted, and that the entry does not have itself.
func (p *sharedPart) selectMembers(entry map[string]any, key string, members map[string]any, want func(parent string, key []byte) Want) {
	own, isMap := entry[key].(map[string]any)
	if _, ok := entry[key]; ok && !isMap {
		return // the entry's own value
	}
	if own == nil {
		own = make(map[string]any)
		entry[key] = own
	}
	for k, item := range members {
		if _, ok := own[k]; ok {
			continue
		}
		switch want(key, []byte(k)) {
		case WantNone:
		case WantCBOR:
			own[k] = slices.Clone(p.coded.nested[key][k])
		default:
			own[k] = cloneValue(item)
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
