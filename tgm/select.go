package tgm

import "unicode/utf8"

// A Want says which part of a value is wanted.
type Want uint8

// The form in which a value may be wanted.
const (
	WantNone    Want = iota // the value is skipped
	WantDecoded             // the value itself
	WantCBOR                // its CBOR as it stands in the message, as []byte
	WantMembers             // of a map, the members that want selects; of other types, the value itself
)

// A Selection says which parts of a base entry are wanted.
type Selection struct {
	Keys    map[string]Want            // of keys of the entry
	Members map[string]map[string]Want // of maps from which only listed members are wanted
	Others  Want                       // of other keys
}

// want returns the Want of a key of the entry, with parent "", or of the map parent.
func (s *Selection) want(parent string, key []byte) Want {
	if parent != "" {
		return s.Members[parent][string(key)]
	}
	if want, ok := s.Keys[string(key)]; ok {
		return want
	}
	if _, ok := s.Members[string(key)]; ok {
		return WantMembers
	}
	return s.Others
}

// Wants returns the Want of a key of the entry.
func (s *Selection) Wants(key string) Want { return s.want("", []byte(key)) }

// SelectBase returns the selected part of the metadata of object j. Maps that are not wanted are
// skipped without being decoded: of a GRIB field, the keys that are needed to write it again are
// most of its metadata.
func (m *Message) SelectBase(j int, s *Selection) (map[string]any, error) {
	if m.completer == nil {
		return m.selectStored(j, s.want)
	}
	return m.selectCompleted(s, func(want func(parent string, key []byte) Want) (map[string]any, error) {
		return m.selectStored(j, want)
	}, func() (map[string]any, error) { return m.BaseEntry(j) })
}

// selectCompleted selects from the result of stored, completed; or from all, which takes longer.
func (m *Message) selectCompleted(s *Selection, stored func(want func(parent string, key []byte) Want) (map[string]any, error), all func() (map[string]any, error)) (map[string]any, error) {
	needs := m.completer.Needs()
	entry, err := stored(func(parent string, key []byte) Want { return s.wantToo(needs, parent, key) })
	if err != nil {
		return nil, err
	}
	if !m.completer.Complete(entry, s, m.extraOf) {
		if entry, err = all(); err != nil {
			return nil, err
		}
		return selectDecoded(entry, s.want)
	}
	s.strip(entry, needs)
	return entry, nil
}

// Select returns the selected part of Base. It takes less time where little is selected.
func (o *Object) Select(s *Selection) (map[string]any, error) {
	if o.base == nil || o.msg.completer == nil {
		return selectDecoded(o.base, s.want)
	}
	return o.msg.selectCompleted(s, func(want func(parent string, key []byte) Want) (map[string]any, error) {
		return selectDecoded(o.base, want)
	}, func() (map[string]any, error) { return o.Base(), nil })
}

// wantToo wants the keys that are needed to derive the selected keys.
func (s *Selection) wantToo(needs map[string][]string, parent string, key []byte) Want {
	want := s.want(parent, key)
	if want != WantNone {
		return want
	}
	if parent == "" && needs[string(key)] != nil {
		return WantMembers
	}
	for _, member := range needs[parent] {
		if member == string(key) {
			return WantDecoded
		}
	}
	return WantNone
}

// strip removes keys that were needed and are not selected.
func (s *Selection) strip(entry map[string]any, needs map[string][]string) {
	for key, members := range needs {
		switch s.want("", []byte(key)) {
		case WantNone:
			delete(entry, key)
		case WantMembers:
			m, _ := entry[key].(map[string]any)
			for _, member := range members {
				if s.Members[key][member] == WantNone {
					delete(m, member)
				}
			}
		}
	}
}

// selectStored selects from the stored metadata of object j.
func (m *Message) selectStored(j int, want func(parent string, key []byte) Want) (map[string]any, error) {
	toc, layout, err := m.parts()
	if err != nil {
		return nil, err
	}
	if _, preceded := toc.preceders[j]; j >= 0 && !preceded && j+1 < len(layout.entries) {
		buf, err := readSpan(m.src, layout.entrySpan(j))
		if err != nil {
			return nil, err
		}
		defer putBuffer(buf)
		shares := false
		entry, ok := selectPlain(*buf, func(parent string, key []byte) Want {
			shares = shares || parent == "" && string(key) == keyShared
			return want(parent, key)
		})
		if ok && !shares {
			return entry, nil
		}
	}
	entry, err := m.StoredBase(j)
	if err != nil {
		return nil, err
	}
	return selectDecoded(entry, want)
}

// selectPlain selects from the CBOR of a map; ok is false for CBOR that [plainDecoder] leaves to
// others.
func selectPlain(b []byte, want func(parent string, key []byte) Want) (entry map[string]any, ok bool) {
	h, err := parseCBORHead(b)
	if err != nil || h.endless || h.major != cborMap {
		return nil, false
	}
	d := plainDecoder{b: b[h.size:]}
	return d.selectMap(h.n, "", want)
}

// selectMap selects from the n members of a map.
func (d *plainDecoder) selectMap(n uint64, parent string, want func(parent string, key []byte) Want) (entry map[string]any, ok bool) {
	entry = make(map[string]any, min(n, 16))
	for range n {
		k, err := parseCBORHead(d.b)
		if err != nil || k.major != cborText || k.endless {
			return nil, false
		}
		d.b = d.b[k.size:]
		text, ok := d.take(k.n)
		if !ok || !utf8.Valid(text) {
			return nil, false
		}
		part := want(parent, text)
		if part == WantNone { // most members of large maps
			n, err := skipCBOR(d.b, 1)
			if err != nil {
				return nil, false
			}
			d.take(uint64(n))
			continue
		}
		key := string(text)
		if part == WantMembers && parent == "" {
			if h, err := parseCBORHead(d.b); err == nil && h.major == cborMap && !h.endless {
				d.b = d.b[h.size:]
				if entry[key], ok = d.selectMap(h.n, key, want); !ok {
					return nil, false
				}
				continue
			}
		}
		if part != WantCBOR {
			if entry[key], ok = d.value(1); !ok {
				return nil, false
			}
			continue
		}
		n, err := skipCBOR(d.b, 1)
		if err != nil {
			return nil, false
		}
		raw, _ := d.take(uint64(n))
		entry[key] = append([]byte(nil), raw...)
	}
	return entry, true
}

// selectDecoded selects from a map that was decoded.
func selectDecoded(base map[string]any, want func(parent string, key []byte) Want) (map[string]any, error) {
	entry := make(map[string]any, len(base))
	for key, value := range base {
		switch want("", []byte(key)) {
		case WantMembers:
			members, isMap := value.(map[string]any)
			if !isMap {
				entry[key] = value
				continue
			}
			selected, err := selectDecoded(members, func(_ string, member []byte) Want {
				if part := want(key, member); part != WantMembers {
					return part
				}
				return WantDecoded
			})
			if err != nil {
				return nil, err
			}
			entry[key] = selected
		case WantDecoded:
			entry[key] = value
		case WantCBOR:
			coded, err := toCBOR(value)
			if err != nil {
				return nil, err
			}
			raw, err := modes.encode.Marshal(coded)
			if err != nil {
				return nil, err
			}
			entry[key] = raw
		}
	}
	return entry, nil
}
