package mapping

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/zeebo/xxh3"
)

// Sections is the content of base[i].grib: the octets of the GRIB message of a field. Package grib
// interprets them.
type Sections struct {
	Header []byte // grib.Header
	Hash   string // of the data section, see HashData; empty if it is not known
	Data   []byte // grib.Field.DataSections, nil if they were not kept
}

// HashData returns the hash of octets for Sections.Hash.
func HashData(b []byte) string { return fmt.Sprintf("%016x", xxh3.Hash(b)) }

// longHeader is from how many octets on headers are compressed. Such headers list the parallels of a
// grid or vertical coordinates, and base64 makes them longer by a third.
const longHeader = 256

// Map returns the entries of base[i].grib.
func (s *Sections) Map() map[string]any {
	entry := make(map[string]any, 8)
	entry[GRIBSections] = octetText(s.Header)
	if len(s.Header) >= longHeader {
		if text := deflatedText(s.Header); len(text) < len(entry[GRIBSections].(string)) {
			entry[GRIBSections] = text
		}
	}
	if s.Hash != "" {
		entry[gribHash] = s.Hash
	}
	if s.Data != nil {
		entry[GRIBData] = s.Data
	}
	return entry
}

// HeaderText returns a GRIB header as text, in the form of base[i].grib.sections.
func HeaderText(header []byte) string {
	return (&Sections{Header: header}).Map()[GRIBSections].(string)
}

// ParseHeaderText returns the GRIB header that HeaderText wrote. The error is a *SectionsError.
func ParseHeaderText(text string) ([]byte, error) {
	s, err := Read(map[string]any{KeyGRIB: map[string]any{GRIBSections: text}}).Sections()
	if err != nil {
		return nil, err
	}
	return s.Header, nil
}

// octetText is the text form of octets. Metadata are shown as JSON, which has no bytes.
func octetText(b []byte) string { return base64.RawStdEncoding.EncodeToString(b) }

// deflated begins the text of octets that are compressed: DEFLATE (RFC 1951), in base64.
const deflated = "z:"

// deflatedText is octetText of compressed octets.
func deflatedText(b []byte) string {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	_, err := w.Write(b)
	if err := errors.Join(err, w.Close()); err != nil {
		return octetText(b) // never: memory takes all that is written
	}
	return deflated + octetText(out.Bytes())
}

// deflaters are kept because each is large.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestCompression) // the level is valid
	return w
}}

// octets reads the output of octetText or deflatedText, or bytes.
func octets(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		text, isDeflated := strings.CutPrefix(v, deflated)
		b, err := base64.RawStdEncoding.DecodeString(text)
		if isDeflated && err == nil {
			b, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxHeader+1))
		}
		return b, err == nil && len(b) <= maxHeader
	}
	return nil, false
}

// A SectionsError says why the sections of an entry cannot be read.
type SectionsError struct {
	Key string // of base[i] or, if it begins so, of _extra_
	Msg string
}

func (e *SectionsError) Error() string { return "mapping: " + e.Key + ": " + e.Msg }

// Sections returns the sections of a GRIB field, nil if the entry has none. It needs the metadata
// of the message, see [ReadIn]. The error is a *SectionsError.
func (e Entry) Sections() (*Sections, error) {
	m := e.Namespace(KeyGRIB)
	stored, there := m[GRIBSections]
	if !there {
		return nil, nil
	}
	const where = KeyGRIB + "."
	header, ok := octets(stored)
	if !ok {
		return nil, &SectionsError{where + GRIBSections, fmt.Sprintf("%T, expected octets in base64", stored)}
	}
	s := &Sections{}
	s.Hash, _ = m[gribHash].(string)
	s.Data, _ = m[GRIBData].([]byte)
	list, _ := m[GRIBShared].([]any)
	if _, there := m[GRIBShared]; there && len(list)%2 != 0 || there && len(list) == 0 {
		return nil, &SectionsError{where + GRIBShared, "expected pairs of an offset and a key"}
	}
	for pair := range slices.Chunk(list, 2) {
		at, ok := Int(pair[0])
		key, text := pair[1].(string)
		rest := at - int64(len(s.Header))
		if !ok || !text || rest < 0 || rest > int64(len(header)) {
			return nil, &SectionsError{where + GRIBShared, fmt.Sprintf("offset %v and key %v after %d octets, of which %d are left", pair[0], pair[1], len(s.Header), len(header))}
		}
		part, ok := octets(e.message[SharedSections+key])
		if !ok {
			return nil, &SectionsError{"_extra_." + SharedSections + key, "is missing or not base64: the sections of the field refer to it"}
		}
		if len(s.Header)+len(part) > maxHeader {
			return nil, &SectionsError{where + GRIBShared, fmt.Sprintf("sections of more than %d octets", maxHeader)}
		}
		s.Header = append(append(s.Header, header[:rest]...), part...)
		header = header[rest:]
	}
	s.Header = append(s.Header, header...)
	return s, nil
}

// maxHeader bounds headers that are put together, in which a part could be repeated at will. The
// largest headers describe grids that list their parallels, and fields with vertical
// coordinates.
const maxHeader = 16 << 20
