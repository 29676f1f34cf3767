package tgm

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"
)

// metadataLayout says where the parts of a metadata frame lie, so that each can be read alone. A
// message may have very many base entries.
type metadataLayout struct {
	at    Location
	src   source // of a frame that was read from a stream
	count int    // of base entries
	// entries are where base entries begin in the file, and where the last entry ends. Their
	// number is bounded by the message's objects, whatever the count says.
	entries   []int64
	rest      []property // all but the base entries
	completer Completer  // may be nil
	readExtra sync.Once
	extraRead map[string]any   // the metadata of the message, where entries refer to them
	parts     []map[string]any // the maps that entries share
	// canonical: our writer would write the same bytes between the parts, and nothing
	// follows the map.
	canonical bool
}

// property is one pair of the top map.
type property struct {
	key   string
	value span // in the file
}

// layoutScanner finds the parts of a metadata frame. Its input is well-formed CBOR and not nested
// too deep.
type layoutScanner struct {
	cborCursor
	objects  int
	layout   *metadataLayout
	key      []byte // the last key of the top map, as it is written
	restSize int64
}

// scanLayout goes through the CBOR from start to end in the file.
func scanLayout(win window, start, end int64, objects int, limits Limits, at Location) (*metadataLayout, error) {
	s := layoutScanner{
		cborCursor: cborCursor{win: win, pos: start, end: end, limit: limits.item()},
		objects:    objects,
		layout:     &metadataLayout{at: at, canonical: true},
	}
	err := s.topMap()
	if s.failed != nil {
		return nil, s.failed
	}
	if err != nil {
		return nil, metadataError("metadata_cbor_parse_failed", at, err, "metadata")
	}
	s.canonicalIf(s.pos == end)
	return s.layout, nil
}

// scanChunk is how much of a metadata frame is looked at at once.
const scanChunk = 256 << 10

func (s *layoutScanner) topMap() error {
	h, err := s.container(cborMap)
	if err != nil {
		return err
	}
	return s.items(h, func(int) error {
		key, err := s.take(1)
		if err != nil {
			return err
		}
		name, plain := plainKey(key)
		s.canonicalIf((s.key == nil || bytes.Compare(s.key, key) < 0) && (plain || isCanonical(key)))
		s.key = append(s.key[:0], key...)
		if !plain {
			if name, err = textKey(key); err != nil {
				return err
			}
		}
		if name == keyBase {
			err = s.base()
		} else {
			err = s.property(name)
		}
		if err != nil {
			return fmt.Errorf("key %s: %w", name, err)
		}
		return nil
	})
}

// plainKey decodes a key that is text in its canonical form, which nearly all are. It leaves others
// to textKey.
func plainKey(b []byte) (name string, ok bool) {
	h, err := parseCBORHead(b)
	if err != nil || h.major != cborText || h.endless || !h.shortest || h.n != uint64(len(b)-h.size) || !utf8.Valid(b[h.size:]) {
		return "", false
	}
	return string(b[h.size:]), true
}

// textKey decodes the key of a map.
func textKey(b []byte) (string, error) {
	var key any
	if err := modes.decode.Unmarshal(b, &key); err != nil {
		return "", err
	}
	name, ok := key.(string)
	if !ok {
		return "", fmt.Errorf("map key %v is %s, expected text", key, cborKind(key))
	}
	return name, nil
}

// property notes a pair of the top map.
func (s *layoutScanner) property(name string) error {
	start := s.pos
	if _, err := s.take(1); err != nil {
		return err
	}
	s.layout.rest = append(s.layout.rest, property{name, span{start, s.pos - start}})
	if s.restSize += int64(len(name)) + s.pos - start; s.restSize > s.limit {
		return fmt.Errorf("metadata of the message as a whole are beyond the limit of %d bytes", s.limit)
	}
	return nil
}

// base notes where the base entries are. Of a key that comes twice, the last counts.
func (s *layoutScanner) base() error {
	l := s.layout
	h, err := s.container(cborArray)
	if err != nil {
		return err
	}
	l.count, l.entries = 0, l.entries[:0]
	err = s.items(h, func(i int) error {
		l.note(s.pos, s.objects)
		l.count++
		if _, err := s.take(2); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
		return nil
	})
	l.note(s.pos, s.objects)
	return err
}

// note keeps the place where an entry begins, or where the last entry ends.
func (l *metadataLayout) note(pos int64, objects int) {
	if l.count <= objects {
		l.entries = append(l.entries, pos)
	}
}

// selfDescribedTag says that CBOR follows. It may stand in front of any item.
const selfDescribedTag = 55799

// container reads the head of an array or map, and the tags in front of it that may be there.
func (s *layoutScanner) container(major byte) (cborHead, error) {
	for tags := 0; tags < maxNesting; tags++ {
		h, err := s.head()
		if err != nil {
			return h, err
		}
		if h.major == major {
			s.canonicalIf(h.shortest && tags == 0)
			return h, nil
		}
		if h.major != cborTag || h.n != selfDescribedTag {
			return h, fmt.Errorf("found CBOR of major type %d, expected %d", h.major, major)
		}
	}
	return cborHead{}, errCBORNesting
}

// items calls each for every item of an array or pair of a map with head h.
func (s *layoutScanner) items(h cborHead, each func(i int) error) error {
	for i := 0; h.endless || uint64(i) < h.n; i++ {
		if h.endless {
			if done, err := s.atBreak(); done || err != nil {
				return err
			}
		}
		if err := each(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *layoutScanner) canonicalIf(ok bool) { s.layout.canonical = s.layout.canonical && ok }

// entrySpan is where base entry i lies in the file.
func (l *metadataLayout) entrySpan(i int) span {
	return span{l.entries[i], l.entries[i+1] - l.entries[i]}
}

// entry decodes base entry i, which is empty if there is none.
func (l *metadataLayout) entry(src source, i int) (map[string]any, error) {
	m, err := l.written(src, i)
	if _, shares := m[keyShared]; shares && err == nil {
		if err := l.unshare(src, m); err != nil {
			return nil, metadataError("shared_metadata_not_found", Location{l.at.Message, i, l.entries[i]}, err, "base entry")
		}
	}
	return m, err
}

// written decodes base entry i as it is written.
func (l *metadataLayout) written(src source, i int) (map[string]any, error) {
	if i+1 >= len(l.entries) {
		return map[string]any{}, nil
	}
	at := Location{l.at.Message, i, l.entries[i]}
	v, err := l.decode(src, l.entrySpan(i), at)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, metadataError("metadata_cbor_parse_failed", at, nil, "base entry: found %s, expected a map", cborKind(v))
	}
	return m, nil
}

// check compares the derived keys of a written entry with the entry. The entry is changed.
func (l *metadataLayout) check(src source, entry map[string]any) error {
	shared, err := sharedBy(l.sharedPartsOf(src, entry), entry)
	if err == nil && l.completer != nil {
		err = l.completer.Check(entry, shared, func() map[string]any { return l.extra(src) })
	}
	if err != nil {
		return err
	}
	return l.unshare(src, entry)
}

// unshare adds the shared members to an entry of earlier versions.
func (l *metadataLayout) unshare(src source, entry map[string]any) error {
	shared, err := sharedBy(l.sharedPartsOf(src, entry), entry)
	if shared == nil || err != nil {
		return err
	}
	if l.completer != nil {
		if shared, err = l.completer.Unshare(entry, shared, func() map[string]any { return l.extra(src) }); err != nil {
			return err
		}
	}
	takeShared(entry, shared)
	return nil
}

// extra returns the metadata of the message for entries that refer to them, nil if they cannot be
// read. They are read once, and must not be changed.
func (l *metadataLayout) extra(src source) map[string]any {
	l.readExtra.Do(func() {
		if md, err := l.all(src); err == nil {
			l.extraRead, l.parts = md.Extra, parseShared(md.Extra[keyShared])
		}
	})
	return l.extraRead
}

// sharedPartsOf returns the maps that entries share, if the entry refers to one of them.
func (l *metadataLayout) sharedPartsOf(src source, entry map[string]any) []map[string]any {
	if _, shares := entry[keyShared]; !shares {
		return nil
	}
	l.extra(src)
	return l.parts
}

// from returns where the frame is read from: it may have come in a stream.
func (l *metadataLayout) from(src source) source {
	if l.src.r != nil {
		return l.src
	}
	return src
}

// decode reads and decodes one item.
func (l *metadataLayout) decode(src source, s span, at Location) (any, error) {
	buf, err := readSpan(src, s)
	if err != nil {
		return nil, err
	}
	defer putBuffer(buf)
	v, err := decodeValue(*buf)
	if err != nil {
		return nil, metadataError("metadata_cbor_parse_failed", at, err, "metadata")
	}
	return v, nil
}

// shared decodes all but the base entries and the maps that they share.
func (l *metadataLayout) shared(src source) (*Metadata, error) {
	md, err := l.all(src)
	if err == nil && parseShared(md.Extra[keyShared]) != nil { // entries are complete without it
		delete(md.Extra, keyShared)
	}
	return md, err
}

// all decodes all but the base entries.
func (l *metadataLayout) all(src source) (*Metadata, error) {
	m := make(map[string]any, len(l.rest))
	for _, p := range slices.Backward(l.rest) {
		if _, twice := m[p.key]; twice {
			continue // of a key that comes twice, the last counts
		}
		var err error
		if m[p.key], err = l.decode(src, p.value, l.at); err != nil {
			return nil, err
		}
	}
	md, err := metadataFromMap(m)
	if err != nil {
		return nil, metadataError("metadata_cbor_parse_failed", l.at, err, "metadata")
	}
	return md, nil
}

// allCanonical reports whether the whole frame is canonical CBOR.
func (l *metadataLayout) allCanonical(src source) (bool, error) {
	for _, p := range l.rest {
		if ok, err := canonicalSpan(src, p.value); !ok || err != nil {
			return false, err
		}
	}
	for i := range len(l.entries) - 1 {
		if ok, err := canonicalSpan(src, l.entrySpan(i)); !ok || err != nil {
			return false, err
		}
	}
	return l.canonical, nil
}

func canonicalSpan(src source, s span) (bool, error) {
	buf, err := readSpan(src, s)
	if err != nil {
		return false, err
	}
	defer putBuffer(buf)
	return isCanonical(*buf), nil
}

// readSpan reads part of a file to a buffer that goes to putBuffer.
func readSpan(src source, s span) (*[]byte, error) {
	buf := getBuffer(int(s.length))
	if err := src.readAt(*buf, s.offset); err != nil {
		putBuffer(buf)
		return nil, err
	}
	return buf, nil
}
