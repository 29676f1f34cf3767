package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
)

// The list of earlier versions, and entries that refer to it.
var (
	sharedList = []any{
		map[string]any{"grid": map[string]any{"Ni": int64(0), "pl": []any{int64(20), int64(24)}}, "repro": map[string]any{"centre": "ecmf", "level": int64(0), "nested": map[string]any{"a": int64(1)}}},
		map[string]any{"grid": map[string]any{"Ni": int64(100)}},
	}
	sharingEntries = []map[string]any{
		{"name": "t0", keyShared: int64(0)},
		{"name": "t1", keyShared: int64(0), "repro": map[string]any{"level": int64(850)}},
		{"name": "t2", keyShared: int64(1), "repro": map[string]any{"level": int64(1)}},
		{"name": "axis"},
	}
)

func sharedFull(i int) map[string]any {
	grid := map[string]any{"Ni": int64(0), "pl": []any{int64(20), int64(24)}}
	repro := func(level int64) map[string]any {
		return map[string]any{"centre": "ecmf", "level": level, "nested": map[string]any{"a": int64(1)}}
	}
	return []map[string]any{
		{"name": "t0", "grid": grid, "repro": repro(0)},
		{"name": "t1", "grid": grid, "repro": repro(850)},
		{"name": "t2", "grid": map[string]any{"Ni": int64(100)}, "repro": map[string]any{"level": int64(1)}},
		{"name": "axis"},
	}[i]
}

// messageOf writes a message of objects that have these entries.
func messageOf(t *testing.T, extra map[string]any, entries ...map[string]any) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewMessageWriter(&out, WriterOptions{})
	w.SetExtra(extra)
	for _, entry := range entries {
		if err := w.Append(nothings(t, 2), maps.Clone(entry)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// nothings is an object of values that are 0.
func nothings(t *testing.T, values int) *EncodedObject {
	t.Helper()
	return mustEncode(t, Float64, make([]byte, 8*values), Pipeline{})
}

// TestSharedMetadata expects metadata that earlier versions wrote once in every entry.
func TestSharedMetadata(t *testing.T) {
	m := openOne(t, messageOf(t, map[string]any{"source": "test", keyShared: sharedList}, sharingEntries...))
	md, err := m.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(md.Extra, map[string]any{"source": "test"}) {
		t.Errorf("extra %v", md.Extra)
	}
	for i, got := range md.Base {
		want := sharedFull(i)
		if got = withoutReserved(got); !reflect.DeepEqual(got, want) {
			t.Errorf("object %d: %v, want %v", i, got, want)
		}
		one, err := m.BaseEntry(i)
		if err != nil || !reflect.DeepEqual(withoutReserved(one), want) {
			t.Errorf("object %d alone: %v, %v", i, one, err)
		}
		for _, kind := range []Want{WantDecoded, WantCBOR} {
			pick := &Selection{Keys: map[string]Want{"grid": kind}, Members: map[string]map[string]Want{"repro": {"level": kind, "nested": kind}}}
			a, errA := m.SelectBase(i, pick)
			b, errB := openOne(t, messageOf(t, nil, want)).SelectBase(0, pick)
			if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("object %d: selected %v, %v, want %v, %v", i, a, errA, b, errB)
			}
		}
	}
}

// TestSharedMetadataMayBeChanged changes one entry and expects the next to stay as it is.
func TestSharedMetadataMayBeChanged(t *testing.T) {
	m := openOne(t, messageOf(t, map[string]any{keyShared: sharedList}, sharingEntries...))
	for i := range 2 {
		entry, err := m.BaseEntry(i)
		if err != nil {
			t.Fatal(err)
		}
		if want := sharedFull(i); !reflect.DeepEqual(entry["repro"], want["repro"]) || !reflect.DeepEqual(entry["grid"], want["grid"]) {
			t.Errorf("object %d: %v", i, entry)
		}
		clear(entry["repro"].(map[string]any)["nested"].(map[string]any))
		entry["grid"].(map[string]any)["pl"].([]any)[0] = "changed"
	}
}

// TestSharedMetadataNotFound: an index that leads nowhere is an error of every reader.
func TestSharedMetadataNotFound(t *testing.T) {
	for _, extra := range []map[string]any{
		nil, {keyShared: "text"}, {keyShared: []any{"text"}}, {keyShared: sharedList},
		{keyShared: []any{map[string]any{"a": string(make([]byte, maxSharedSize))}}},
	} {
		for _, index := range []any{int64(7), int64(-1), 1.5, "0"} {
			whole := messageOf(t, extra, map[string]any{"name": "t", keyShared: index})
			_, err := openOne(t, whole).BaseEntry(0)
			_, errSelect := openOne(t, whole).SelectBase(0, &Selection{Others: WantDecoded})
			_, errObject := openOne(t, whole).Object(0)
			report, errReport := Validate(bytes.NewReader(whole), int64(len(whole)), LevelDefault, ValidateOptions{})
			if errReport != nil {
				t.Fatal(errReport)
			}
			_, number := index.(int64)
			if bad := number || reflect.DeepEqual(extra[keyShared], any(sharedList)); !bad {
				// It is another program's key.
				if err != nil || errSelect != nil || errObject != nil || !report.OK() {
					t.Errorf("%v of %v: %v, %v, %v, %v", index, extra, err, errSelect, errObject, report.Reports)
				}
				continue
			}
			for _, err := range []error{err, errSelect, errObject} {
				var metadata *MetadataError
				if !errors.As(err, &metadata) || !strings.Contains(err.Error(), fmt.Sprint(index)) {
					t.Errorf("%v of %v: %v", index, extra, err)
				}
			}
			if report.OK() {
				t.Errorf("%v of %v is valid", index, extra)
			}
		}
	}
}

// aCompleter derives the key twice from the key number.
type aCompleter struct{}

func (aCompleter) Needs() map[string][]string { return map[string][]string{"of": {"number", "whole"}} }

func (aCompleter) Complete(entry map[string]any, wanted *Selection, _ func() map[string]any) bool {
	of, _ := entry["of"].(map[string]any)
	n, ok := of["number"].(int64)
	_, there := entry["twice"]
	switch {
	case wanted != nil && wanted.Wants("twice") == WantNone:
	case entry["twice"] == nil && there:
		delete(entry, "twice")
	case of["whole"] != nil && wanted != nil && wanted.Keys["all"] == WantDecoded:
		return false
	case ok && !there:
		entry["twice"] = 2 * n
	}
	return true
}

func (aCompleter) Unshare(_, shared map[string]any, _ func() map[string]any) (map[string]any, error) {
	if shared["bad"] != nil {
		return nil, errors.New("of another file")
	}
	return nil, nil
}

func (aCompleter) Check(entry, _ map[string]any, _ func() map[string]any) error {
	if entry["wrong"] != nil {
		return errors.New("wrong")
	}
	return nil
}

// TestCompleter expects readers to give derived keys and writers to leave them out.
func TestCompleter(t *testing.T) {
	of := map[string]any{"number": int64(4), "other": "text"}
	whole := messageOf(t, nil, map[string]any{"name": "a", "of": of}, map[string]any{"of": of, "twice": int64(9)}, map[string]any{"of": of, "twice": nil},
		map[string]any{"name": "none"}, map[string]any{"of": map[string]any{"number": int64(4), "whole": true}})
	f, err := NewFile(bytes.NewReader(whole), int64(len(whole)), WithCompleter(aCompleter{}))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []any{int64(8), int64(9), nil, nil, int64(8)} {
		o, err := m.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := m.BaseEntry(i)
		if err != nil || entry["twice"] != want || o.Base()["twice"] != want {
			t.Errorf("object %d: %v, %v, %v", i, entry, err, o.Base())
		}
		if _, there := o.StoredBase()["twice"]; there != (i == 1 || i == 2) {
			t.Errorf("object %d stores %v", i, o.StoredBase())
		}
		for _, s := range []*Selection{
			{Keys: map[string]Want{"twice": WantDecoded, "all": WantDecoded}}, {Others: WantDecoded}, {Members: map[string]map[string]Want{"of": {"other": WantDecoded}}},
		} {
			full, _ := selectDecoded(withoutReserved(entry), s.want)
			stored, err := m.SelectBase(i, s)
			own, errOwn := o.Select(s)
			if err != nil || errOwn != nil || !reflect.DeepEqual(withoutReserved(stored), full) || !reflect.DeepEqual(own, full) {
				t.Errorf("object %d: selected %v, %v and %v, %v, want %v", i, stored, err, own, errOwn, full)
			}
		}
		if got := o.Reduced(o.Base()); !reflect.DeepEqual(got, o.StoredBase()) {
			t.Errorf("object %d: reduced %v, stored %v", i, got, o.StoredBase())
		}
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ changed, want map[string]any }{
		"other key": {map[string]any{"name": "b", "of": of, "twice": int64(8)}, map[string]any{"name": "b", "of": of}},
		"changed":   {map[string]any{"of": of, "twice": int64(3)}, map[string]any{"of": of, "twice": int64(3)}},
		"removed":   {map[string]any{"of": of}, map[string]any{"of": of, "twice": nil}},
		"source":    {map[string]any{"of": map[string]any{"number": int64(5)}, "twice": int64(8)}, map[string]any{"of": map[string]any{"number": int64(5)}, "twice": int64(8)}},
	} {
		if got := o.Reduced(c.changed); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: reduced %v, want %v", name, got, c.want)
		}
	}
	for _, entry := range []map[string]any{{"wrong": true}, {keyShared: int64(0)}} {
		whole := messageOf(t, map[string]any{keyShared: []any{map[string]any{"bad": true}}}, entry)
		report, err := Validate(bytes.NewReader(whole), int64(len(whole)), LevelDefault, ValidateOptions{Completer: aCompleter{}})
		if err != nil || report.OK() {
			t.Errorf("%v: %+v, %v", entry, report, err)
		}
	}
}

func openOne(t *testing.T, b []byte) *Message {
	t.Helper()
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
