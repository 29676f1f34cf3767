package tgm

import (
	"iter"
	"maps"

	"github.com/zeebo/xxh3"
)

// Metadata returns the metadata of the footer if there is one, else of the header. It merges the
// metadata of preceders. Each call decodes all of it; where a message may have many objects,
// SharedMetadata, BaseEntry and BaseEntries take less.
func (m *Message) Metadata() (*Metadata, error) {
	md, err := m.SharedMetadata()
	if err != nil {
		return nil, err
	}
	md.Base = make([]map[string]any, 0, len(m.toc.objects))
	values := 0
	for entry, err := range m.BaseEntries() {
		if err != nil {
			return nil, err
		}
		if values += countValues(entry); values > maxValues {
			return nil, metadataError("metadata_cbor_parse_failed", m.layout.at, nil, "more than %d values", maxValues)
		}
		md.Base = append(md.Base, entry)
	}
	return md, nil
}

// maxValues bounds the values of metadata that are held at once.
const maxValues = 64 << 20

// countValues returns the number of values in v, which counts itself.
func countValues(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			n += countValues(item)
		}
	case []any:
		for _, item := range v {
			n += countValues(item)
		}
	case Tag:
		n += countValues(v.Content)
	}
	return n
}

// SharedMetadata returns the metadata of the message without the metadata of its objects: Base is
// nil. Each call decodes it.
func (m *Message) SharedMetadata() (*Metadata, error) {
	_, layout, err := m.parts()
	if err != nil {
		return nil, err
	}
	return layout.shared(m.src)
}

// BaseEntry returns the metadata of object j as in Metadata, and reads no other. Each call
// decodes it.
func (m *Message) BaseEntry(j int) (map[string]any, error) {
	entry, err := m.StoredBase(j)
	if err != nil {
		return nil, err
	}
	return m.completed(entry), nil
}

// StoredBase is BaseEntry without the keys that a [Completer] adds.
func (m *Message) StoredBase(j int) (map[string]any, error) {
	toc, layout, err := m.parts()
	if err != nil {
		return nil, err
	}
	if j < 0 || j >= len(toc.objects) {
		return nil, objectError(m.at(-1, m.offset), "object %d of %d", j, len(toc.objects))
	}
	entry, err := layout.entry(m.src, j)
	if err != nil {
		return nil, err
	}
	if f, ok := toc.preceders[j]; ok {
		err = m.mergePreceder(entry, j, f)
	}
	return entry, err
}

// BaseEntries yields the metadata of the objects in their order, decoding each only when it is
// asked for. An error is the last thing it yields.
func (m *Message) BaseEntries() iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		n, err := m.NumObjects()
		if err != nil {
			yield(nil, err)
			return
		}
		for j := range n {
			entry, err := m.BaseEntry(j)
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// parts returns the known places of the message's frames and of its metadata.
func (m *Message) parts() (*contents, *metadataLayout, error) {
	toc, err := m.contents()
	if err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.layout == nil && m.layoutErr == nil {
		m.layout, m.layoutErr = m.readLayout(toc)
	}
	return toc, m.layout, m.layoutErr
}

func (m *Message) readLayout(toc *contents) (*metadataLayout, error) {
	if toc.metadata.kind == 0 {
		return nil, metadataError("no_metadata_frame", m.at(-1, m.offset), nil, "message has no metadata frame")
	}
	layout, err := m.scanMetadata(toc.metadata, len(toc.objects))
	if err == nil && layout.count > len(toc.objects) {
		err = metadataError("base_count_exceeds_objects", layout.at, nil, "base has %d entries for %d objects", layout.count, len(toc.objects))
	}
	return layout, err
}

// scanMetadata finds the parts of a metadata frame in a message of the given number of objects.
func (m *Message) scanMetadata(f frame, objects int) (*metadataLayout, error) {
	at := m.at(-1, m.offset+f.offset)
	start, end := m.offset+f.offset+frameHeaderSize, m.offset+f.contentEnd()
	if limit := m.limits.metadata(); end-start > limit {
		return nil, metadataError("metadata_cbor_parse_failed", at, nil, "%s frame of %d bytes is beyond the limit of %d", f.kind, end-start, limit)
	}
	// A small frame is read at once.
	win := window{src: m.src, chunk: int(min(scanChunk, end+frameFooterSize-start))}
	if _, err := win.at(start, 1); err != nil {
		return nil, err
	}
	footer, err := win.at(end, frameFooterSize)
	if err != nil {
		return nil, err
	}
	if err := checkFrameEnd(footer, f, at); err != nil {
		return nil, err
	}
	if err := m.checkHash(f, footer, func() (uint64, error) { return m.hashContent(f, &win) }); err != nil {
		return nil, err
	}
	layout, err := scanLayout(win, start, end, objects, m.limits, at)
	if layout != nil {
		layout.completer = m.completer
	}
	return layout, err
}

// hashContent returns the hash of a frame's content, from buffered bytes if these are all of it.
func (m *Message) hashContent(f frame, win *window) (uint64, error) {
	start, n := m.offset+f.offset+frameHeaderSize, f.contentEnd()-f.offset-frameHeaderSize
	if n > int64(len(win.buf)) {
		return m.hashFrame(f)
	}
	b, err := win.at(start, int(n))
	return xxh3.Hash(b), err
}

// mergePreceder takes the metadata that stands before object j into its base entry; it wins over
// the entry's values.
func (m *Message) mergePreceder(base map[string]any, j int, f frame) error {
	at := m.at(j, m.offset+f.offset)
	b, err := m.content(f)
	if err != nil {
		return err
	}
	entry, err := parsePreceder(b, at)
	if err != nil {
		return err
	}
	maps.Copy(base, entry)
	return nil
}

// parsePreceder returns the single base entry of a preceder. It drops the keys that only
// the encoder of a whole message may write.
func parsePreceder(b []byte, at Location) (map[string]any, error) {
	md, err := parseMetadata(b, at)
	if err != nil {
		return nil, err
	}
	if len(md.Base) != 1 {
		return nil, metadataError("preceder_base_count_wrong", at, nil, "preceder metadata has %d base entries, expected 1", len(md.Base))
	}
	return withoutReserved(md.Base[0]), nil
}
