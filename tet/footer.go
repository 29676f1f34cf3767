package tet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	footerMagic = "THST"
	footerTail  = 16 // u64 length of the JSON, u32 version, magic
)

// A Span is a range of bytes of the file.
type Span struct {
	Offset uint64 `json:"offset"`
	Len    uint64 `json:"len"`
}

// A footer is the content after the payloads.
type footer struct {
	version   uint32
	history   []Event
	metadata  Metadata
	spilled   bool  // the metadata are not in the JSON
	zones     *Span // zone maps, as JSON
	indexes   *Span // value indexes, as JSON
	jsonStart int64
	start     int64 // of the first spill, or of the JSON: payloads end here
}

// Regions of errors about the footer.
const (
	footerRegion   = "footer"
	metadataRegion = "metadata"
)

// readFooter reads the footer of a file that says that it has one. Its content begins after the
// first least bytes.
func readFooter(src source, least int64) (footer, error) {
	var f footer
	tail, err := src.bytes(src.size-footerTail, footerTail)
	if err != nil || src.size-footerTail < least {
		return f, formatErrorf(footerRegion, -1, "%d bytes after the chunk index, expected at least %d", src.size-least, footerTail)
	}
	if string(tail[12:]) != footerMagic {
		return f, formatErrorf(footerRegion, src.size-4, "found % x, expected the magic THST", tail[12:])
	}
	f.version = binary.LittleEndian.Uint32(tail[8:])
	if f.version != 1 && f.version != 2 {
		return f, formatErrorf(footerRegion, src.size-8, "history version %d is not supported, expected 1 or 2", f.version)
	}
	n := binary.LittleEndian.Uint64(tail)
	if room := src.size - footerTail - least; n > maxFooterJSON || int64(n) > room {
		return f, formatErrorf(footerRegion, src.size-footerTail, "%d bytes of JSON, expected at most %d", n, min(maxFooterJSON, room))
	}
	f.jsonStart = src.size - footerTail - int64(n)
	text, err := src.bytes(f.jsonStart, int64(n))
	if err != nil {
		return f, err
	}
	if err := f.parse(src, text, least); err != nil {
		var located *FormatError
		if errors.As(err, &located) {
			return f, err
		}
		return f, &FormatError{Region: footerRegion, Offset: f.jsonStart, Err: err}
	}
	return f, nil
}

// footerJSON is the JSON of a footer. Other keys are passed over, as the reference does.
type footerJSON struct {
	History      []Event         `json:"history"`
	Metadata     *Metadata       `json:"metadata"`
	MetadataRef  json.RawMessage `json:"metadata_ref"`
	ZoneMapsRef  json.RawMessage `json:"zone_maps_ref"`
	SecondaryRef json.RawMessage `json:"secondary_index_ref"`
}

func (f *footer) parse(src source, text []byte, least int64) error {
	if !utf8.Valid(text) {
		return errors.New("the JSON is not UTF-8")
	}
	var j footerJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	f.history = j.History
	metadata, err := parseRef("metadata_ref", j.MetadataRef)
	if err != nil {
		return err
	}
	if j.Metadata != nil && metadata != nil {
		return errors.New("both metadata and metadata_ref, expected at most one")
	}
	if f.version >= 2 {
		if f.zones, err = parseRef("zone_maps_ref", j.ZoneMapsRef); err != nil {
			return err
		}
		if f.indexes, err = parseRef("secondary_index_ref", j.SecondaryRef); err != nil {
			return err
		}
	}
	if err := f.place(least, f.zones, f.indexes, metadata); err != nil {
		return err
	}
	if j.Metadata != nil {
		f.metadata = *j.Metadata
	}
	if metadata == nil {
		return nil
	}
	return f.readSpill(src, *metadata)
}

// parseRef reads the reference to a spill, nil if there is none.
func parseRef(key string, raw json.RawMessage) (*Span, error) {
	if raw == nil || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	ref := struct {
		Offset *uint64 `json:"offset"`
		Len    *uint64 `json:"len"`
	}{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&ref); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if ref.Offset == nil || ref.Len == nil {
		return nil, fmt.Errorf("%s: expected offset and len", key)
	}
	return &Span{*ref.Offset, *ref.Len}, nil
}

// place finds where payloads end: the spills fill the bytes before the JSON.
func (f *footer) place(least int64, spills ...*Span) error {
	f.start = f.jsonStart
	for _, s := range spills {
		if s == nil {
			continue
		}
		if s.Len == 0 || s.Len > uint64(f.start-least) {
			return fmt.Errorf("a spill of %d bytes, %d are left before the JSON", s.Len, f.start-least)
		}
		f.start -= int64(s.Len)
	}
	for _, s := range spills {
		if s != nil && (s.Offset < uint64(f.start) || !fits(s.Offset, s.Len, f.jsonStart)) {
			return fmt.Errorf("a spill of %d bytes from %d on, spills lie from %d to %d", s.Len, s.Offset, f.start, f.jsonStart)
		}
	}
	return nil
}

// readSpill reads the metadata that did not fit into the JSON.
func (f *footer) readSpill(src source, s Span) error {
	if s.Len > maxMetadataSpill {
		return fmt.Errorf("metadata of %d bytes, at most %d are allowed", s.Len, maxMetadataSpill)
	}
	text, err := src.bytes(int64(s.Offset), int64(s.Len))
	if err != nil {
		return err
	}
	fail := func(err error) error {
		return &FormatError{Region: metadataRegion, Offset: int64(s.Offset), Err: err}
	}
	if !utf8.Valid(text) {
		return fail(errors.New("the JSON is not UTF-8"))
	}
	f.spilled = true
	if err := json.Unmarshal(text, &f.metadata); err != nil {
		return fail(err)
	}
	if err := f.metadata.check(); err != nil {
		return fail(err)
	}
	return nil
}

// appendFooter appends the footer of a file whose payloads end at offset end. It appends nothing
// if history and metadata are empty.
func appendFooter(b []byte, end int64, history []Event, metadata Metadata) ([]byte, error) {
	if len(history) == 0 && metadata.IsZero() {
		return b, nil
	}
	if err := checkHistory(history); err != nil {
		return b, &FormatError{Region: footerRegion, Offset: -1, Err: err}
	}
	if err := metadata.check(); err != nil {
		return b, &FormatError{Region: footerRegion, Offset: -1, Err: err}
	}
	text := appendFooterJSON(nil, history, &metadata, nil)
	if len(text) > maxFooterJSON {
		spill := metadata.appendJSON(nil)
		if len(spill) > maxMetadataSpill {
			return b, formatErrorf(footerRegion, -1, "metadata of %d bytes, at most %d are allowed", len(spill), maxMetadataSpill)
		}
		text = appendFooterJSON(nil, history, nil, &Span{uint64(end), uint64(len(spill))})
		b = append(b, spill...)
	}
	if len(text) > maxFooterJSON {
		return b, formatErrorf(footerRegion, -1, "history of %d bytes of JSON, at most %d are allowed", len(text), maxFooterJSON)
	}
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(text)))
	b = binary.LittleEndian.AppendUint32(b, 1)
	return append(b, footerMagic...), nil
}
