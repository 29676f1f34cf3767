package tgm

// A Want says how much of a value is wanted.
type Want uint8

// What may be wanted of a value.
const (
	WantNone    Want = iota // it is skipped
	WantDecoded             // the value itself
	WantCBOR                // its CBOR as it stands in the message, as []byte
)

// SelectBase returns what the metadata of object j hold under the keys of which want asks for a
// part. Large maps that are not wanted take no time: of a GRIB field, the keys that are needed to
// write it again are most of its metadata.
func (m *Message) SelectBase(j int, want func(key string) Want) (map[string]any, error) {
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
			if want(keyShared) != WantDecoded {
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
func withShared(want func(key string) Want) func(key string) Want {
	return func(key string) Want {
		if key == keyShared {
			return WantDecoded
		}
		return want(key)
	}
}

// selectPlain selects from the CBOR of a map; ok is false for what [plainDecoder] leaves to others.
func selectPlain(b []byte, want func(key string) Want) (entry map[string]any, ok bool) {
	h, err := parseCBORHead(b)
	if err != nil || h.endless || h.major != cborMap {
		return nil, false
	}
	d := plainDecoder{b: b[h.size:]}
	entry = make(map[string]any, min(h.n, 16))
	for range h.n {
		k, err := parseCBORHead(d.b)
		if err != nil || k.major != cborText || k.endless {
			return nil, false
		}
		d.b = d.b[k.size:]
		key, ok := d.text(k)
		if !ok {
			return nil, false
		}
		part := want(key)
		if part == WantDecoded {
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
		if part == WantCBOR {
			entry[key] = append([]byte(nil), raw...)
		}
	}
	return entry, true
}

// selectDecoded selects from a map that was decoded.
func selectDecoded(base map[string]any, want func(key string) Want) (map[string]any, error) {
	entry := make(map[string]any, len(base))
	for key, value := range base {
		switch want(key) {
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
