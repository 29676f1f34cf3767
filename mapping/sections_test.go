package mapping

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestSections expects kept sections to come back, long headers compressed.
func TestSections(t *testing.T) {
	for _, repeats := range []int{17, 50, 200} {
		header := bytes.Repeat([]byte("0123456789"), repeats)
		entry := (&Sections{Header: header, Hash: HashData(header), Data: []byte{1}}).Map()
		got, err := Read(map[string]any{KeyGRIB: entry}).Sections()
		if err != nil || !bytes.Equal(got.Header, header) || got.Hash != HashData(header) || !bytes.Equal(got.Data, []byte{1}) {
			t.Errorf("%d octets: %+v, %v", len(header), got, err)
		}
		if text := entry[GRIBSections].(string); strings.HasPrefix(text, deflated) != (len(header) >= longHeader) {
			t.Errorf("%d octets are %s", len(header), text)
		}
	}
	if s, err := Read(map[string]any{KeyGRIB: map[string]any{"ls": map[string]any{}}}).Sections(); s != nil || err != nil {
		t.Errorf("an entry without sections gives %+v, %v", s, err)
	}
}

// TestSharedSections expects parts that earlier versions wrote once in the message to be put in.
func TestSharedSections(t *testing.T) {
	e := ReadIn(map[string]any{SharedSections + "a": "YmM", SharedSections + "b": []byte("f")}, map[string]any{KeyGRIB: map[string]any{
		GRIBSections: octetText([]byte("adeg")), GRIBShared: []any{int64(1), "a", int64(5), "b"},
	}})
	if s, err := e.Sections(); err != nil || string(s.Header) != "abcdefg" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []any{int64(1), "z:", "z:!", "z:AAAA", deflatedText(make([]byte, maxHeader+1))} {
		if s, err := Read(map[string]any{KeyGRIB: map[string]any{GRIBSections: bad}}).Sections(); err == nil {
			t.Errorf("%.20v: %d octets", bad, len(s.Header))
		}
	}
	_, base := e.Maps()
	var bad *SectionsError
	if s, err := Read(base).Sections(); !errors.As(err, &bad) {
		t.Errorf("without the message: %+v, %v", s, err)
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
