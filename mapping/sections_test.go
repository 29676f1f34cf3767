package mapping

import (
	"bytes"
	"encoding/base64"
	"errors"
	"testing"
)

// TestSections: what was cut comes back.
func TestSections(t *testing.T) {
	header := bytes.Repeat([]byte("0123456789"), 50)
	for _, ranges := range [][][2]int{nil, {{0, 64}}, {{100, 200}, {200, 300}, {436, 500}}, {{0, 500}}} {
		entry, message := (&Sections{Header: header, Hash: HashData(header), Data: []byte{1}}).Map(ranges)
		got, err := ReadIn(message, map[string]any{KeyGRIB: entry}).Sections()
		if err != nil || !bytes.Equal(got.Header, header) || got.Hash != HashData(header) || !bytes.Equal(got.Data, []byte{1}) {
			t.Errorf("ranges %v: %+v, %v", ranges, got, err)
		}
		if stored := base64.RawStdEncoding.DecodedLen(len(entry[GRIBSections].(string))); ranges != nil && stored >= len(header) {
			t.Errorf("ranges %v: %d octets are in the entry", ranges, stored)
		}
	}
	if s, err := Read(map[string]any{KeyGRIB: map[string]any{"ls": map[string]any{}}}).Sections(); s != nil || err != nil {
		t.Errorf("an entry without sections gives %+v, %v", s, err)
	}
}

func FuzzSections(f *testing.F) {
	f.Add([]byte("header"), int64(2), "key", []byte("part"), int64(5), "key")
	f.Fuzz(func(t *testing.T, header []byte, at int64, key string, part []byte, at2 int64, key2 string) {
		e := ReadIn(map[string]any{SharedSections + "key": octetText(part)}, map[string]any{KeyGRIB: map[string]any{
			GRIBSections: header, GRIBShared: []any{at, key, at2, key2},
		}})
		s, err := e.Sections()
		var bad *SectionsError
		switch {
		case err != nil && !errors.As(err, &bad):
			t.Fatalf("%v is no *SectionsError", err)
		case err == nil && len(s.Header) != len(header)+2*len(part):
			t.Fatalf("%d octets of %d and twice %d", len(s.Header), len(header), len(part))
		}
	})
}
