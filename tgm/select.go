package tgm

import "unicode/utf8"

// A Want says which part of a value is wanted.
type Want uint8

// What may be wanted of a value.
const (
	WantNone    Want = iota // it is skipped
	WantDecoded             // the value itself
	WantCBOR                // its CBOR as it stands in the message, as []byte
	WantMembers             // of a map, the members that want selects; of anything else, the value itself
)

// SelectBase returns the part of the metadata of object j that want selects. It calls want for each
// key: with parent "" for the keys of the entry, and with the name of a map for the keys of that
// map; want must not keep the bytes. Maps that are not wanted are skipped without being decoded: of
// a GRIB field, the keys that are needed to write it again are most of its metadata.
func (m *Message) SelectBase(j int, want func(parent string, key []byte) Want) (map[string]any, error) {
	toc, layout, err := m.parts()
	if err != nil {
		return nil, err
	}
	if _, preceded := toc.preceders[j]; j < 0 || preceded || j+1 >= len(layout.entries) {
		entry, err := m.BaseEntry(j)
		if err != nil {
			return nil, err
		}
		return selectDecoded(entry, want)
	}
	buf, err := readSpan(m.src, layout.entrySpan(j))
	if err != nil {
		return nil, err
	}
	defer putBuffer(buf)
	if entry, ok := selectPlain(*buf, withShared(want)); ok {
		part := sharedBy(layout.sharedParts(m.src), entry)
		if part == nil {
			if want("", []byte(keyShared)) == WantNone {
				delete(entry, keyShared)
			}
			return entry, nil
		}
		if part.selectFrom(entry, want) {
			return entry, nil
		}
	}
	entry, err := m.BaseEntry(j)
	if err != nil {
		return nil, err
	}
	return selectDecoded(entry, want)
}

// withShared wants what entries share as well.
func withShared(want func(parent string, key []byte) Want) func(parent string, key []byte) Want {
	return func(parent string, key []byte) Want {
		if parent == "" && string(key) == keyShared {
			return WantDecoded
		}
		return want(parent, key)
	}
}

// selectPlain selects from the CBOR of a map; ok is false for what [plainDecoder] leaves to others.
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
