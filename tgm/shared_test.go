package tgm

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"testing"
)

// sharedEntry is like the metadata of a small GRIB field.
func sharedEntry(i int) map[string]any {
	entry := map[string]any{
		"name": fmt.Sprint("t", i),
		"grid": map[string]any{"Ni": int64(i / 4 * 100), "Nj": int64(7), "pl": []any{int64(20), int64(24)}, "kind": "regular_ll"},
		"repro": map[string]any{"centre": "ecmf", "class": "od", "stream": "oper", "expver": "0001", "units": "K",
			"level": int64(i), "nested": map[string]any{"a": int64(1)}},
	}
	if i == 3 {
		delete(entry["repro"].(map[string]any), "stream")
	}
	if i == 5 {
		delete(entry, "grid")
	}
	return entry
}

// writeSharing writes eight objects; one has no metadata but its name.
func writeSharing(t *testing.T, opts WriterOptions, values int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewMessageWriter(&out, opts)
	w.SetExtra(map[string]any{"source": "test"})
	for i := range 8 {
		entry := sharedEntry(i)
		if i == 6 {
			entry = map[string]any{"name": "axis"}
		}
		if err := w.Append(nothings(t, values), entry); err != nil {
			t.Fatal(err)
		}
		// Neither is kept.
		for _, v := range entry {
			if m, ok := v.(map[string]any); ok {
				clear(m)
			}
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

func TestSmallObjectsShareMetadata(t *testing.T) {
	opts := WriterOptions{Share: []string{"grid", "repro", "absent"}}
	plain, shared := writeSharing(t, WriterOptions{}, 2), writeSharing(t, opts, 2)
	if len(shared) >= len(plain)-200 {
		t.Errorf("%d bytes, %d without sharing", len(shared), len(plain))
	}
	if large := writeSharing(t, opts, shareBelow/8); len(large) != len(writeSharing(t, WriterOptions{}, shareBelow/8)) {
		t.Error("large objects share metadata")
	}
	m := openOne(t, shared)
	md, err := m.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(md.Extra, map[string]any{"source": "test"}) {
		t.Errorf("extra %v", md.Extra)
	}
	for i, got := range md.Base {
		want := sharedEntry(i)
		if i == 6 {
			want = map[string]any{"name": "axis"}
		}
		if got = withoutReserved(got); !reflect.DeepEqual(got, want) {
			t.Errorf("object %d: %v, want %v", i, got, want)
		}
		one, err := m.BaseEntry(i)
		if err != nil || !reflect.DeepEqual(withoutReserved(one), want) {
			t.Errorf("object %d alone: %v, %v", i, one, err)
		}
		for _, kind := range []Want{WantDecoded, WantCBOR} {
			pick := func(parent string, key []byte) Want {
				switch {
				case parent == "repro" && (string(key) == "level" || string(key) == "nested"):
					return kind
				case parent == "" && string(key) == "grid":
					return kind
				case parent == "" && string(key) == "repro":
					return WantMembers
				}
				return WantNone
			}
			a, errA := m.SelectBase(i, pick)
			b, errB := openOne(t, plain).SelectBase(i, pick)
			if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("object %d: selected %v, %v, want %v, %v", i, a, errA, b, errB)
			}
		}
	}
}

// TestSharedMetadataMayBeChanged: what a caller does with one entry is not seen in the next.
func TestSharedMetadataMayBeChanged(t *testing.T) {
	m := openOne(t, writeSharing(t, WriterOptions{Share: []string{"grid", "repro"}}, 2))
	for i := range 2 {
		entry, err := m.BaseEntry(i)
		if err != nil {
			t.Fatal(err)
		}
		if want := sharedEntry(i); !reflect.DeepEqual(entry["repro"], want["repro"]) || !reflect.DeepEqual(entry["grid"], want["grid"]) {
			t.Errorf("object %d: %v", i, entry)
		}
		clear(entry["repro"].(map[string]any)["nested"].(map[string]any))
		entry["grid"].(map[string]any)["pl"].([]any)[0] = "changed"
	}
}

// TestSharedMetadataOfOthers: the key means nothing where there is no such list, or no such
// element.
func TestSharedMetadataOfOthers(t *testing.T) {
	for _, extra := range []map[string]any{
		nil, {keyShared: "text"}, {keyShared: []any{"text"}}, {keyShared: []any{map[string]any{"a": int64(1)}}},
		{keyShared: []any{map[string]any{"a": string(make([]byte, maxSharedSize))}}},
	} {
		for _, index := range []any{int64(7), int64(-1), "0", 1.5} {
			var out bytes.Buffer
			w := NewMessageWriter(&out, WriterOptions{})
			w.SetExtra(extra)
			want := map[string]any{"name": "t", keyShared: index}
			if err := w.Append(nothings(t, 1), maps.Clone(want)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			entry, err := openOne(t, out.Bytes()).BaseEntry(0)
			if err != nil || !reflect.DeepEqual(withoutReserved(entry), want) {
				t.Errorf("%v: %v, %v", extra, entry, err)
			}
		}
	}
	w := NewMessageWriter(new(bytes.Buffer), WriterOptions{Share: []string{"a"}})
	if err := w.Append(nothings(t, 1), map[string]any{keyShared: 0}); err == nil {
		t.Error("an entry with the encoder's key is taken")
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
