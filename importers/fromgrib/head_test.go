package fromgrib

import (
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
)

// TestHeadsHaveTheKeysOfMessages holds that selecting and grouping by the head of a message judge
// as by the whole of it.
func TestHeadsHaveTheKeysOfMessages(t *testing.T) {
	files, err := filepath.Glob("../../fixtures/grib/*/*.grib*")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d sample files, error %v", len(files), err)
	}
	s := New(nil, Options{})
	defer s.Close()
	for _, name := range files {
		if filepath.Base(filepath.Dir(name)) == "malformed" {
			continue
		}
		f, err := s.acquire(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for info, err := range grib.Scan(f, f.Size()) {
			if n++; n > 3 {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			compareHead(t, s, name, f, info)
		}
		f.Release()
	}
}

func compareHead(t *testing.T, s *Source, name string, f *openFile, info grib.Info) {
	t.Helper()
	p := &importers.Part{Input: name, Number: info.Index, Offset: info.Offset, Length: info.Length}
	whole, err := s.readMessage(f, p, new(importers.Scratch))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	head, err := s.readHead(f, p)
	if err != nil {
		t.Fatalf("%s: head: %v", name, err)
	}
	for i := range whole.Fields() {
		hw, err := keys.New(whole.Fields()[i].Bytes(), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		hh, err := keys.New(messageOf(head.Fields()[i]), nil)
		if err != nil {
			t.Fatalf("%s: head: %v", name, err)
		}
		if (hw.Err() == nil) != (hh.Err() == nil) {
			t.Errorf("%s at byte %d: %v by the head, %v by the message", name, info.Offset, hh.Err(), hw.Err())
		}
		list := []string{"date", "time", "step", "number", "levtype"}
		for _, space := range []string{"mars", "ls", "geography", "time", "vertical", "parameter"} {
			list = append(list, hw.Names(space)...)
		}
		for _, key := range list {
			want, err := hw.String(key)
			got, headErr := hh.String(key)
			if got != want || (err == nil) != (headErr == nil) {
				t.Errorf("%s at byte %d: %s is %q (%v) by the head, %q (%v) by the message", name, info.Offset, key, got, headErr, want, err)
			}
		}
	}
}
