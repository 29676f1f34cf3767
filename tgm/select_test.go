package tgm

import (
	"bytes"
	"reflect"
	"testing"
)

func TestSelectBase(t *testing.T) {
	var out bytes.Buffer
	w := NewMessageWriter(&out, WriterOptions{})
	base := map[string]any{"a": int64(1), "b": map[string]any{"c": []any{int64(1), 0.5}}, "d": "text"}
	object, err := EncodeArray(Array{Shape: []uint64{1}, DType: Int8, Data: []byte{0}}, Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(object, base); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	want := &Selection{Keys: map[string]Want{"a": WantDecoded, "b": WantCBOR}}
	raw := []byte("\xa1\x61c\x82\x01\xf9\x38\x00") // {"c": [1, 0.5]}
	expected := map[string]any{"a": int64(1), "b": raw}
	got, err := m.SelectBase(0, want)
	if err != nil || !reflect.DeepEqual(got, expected) {
		t.Errorf("selected %v, %v, want %v", got, err, expected)
	}
	if got, err := selectDecoded(base, want.want); err != nil || !reflect.DeepEqual(got, expected) {
		t.Errorf("selected %v, %v of a decoded map, want %v", got, err, expected)
	}
	members := &Selection{Keys: map[string]Want{"d": WantMembers}, Members: map[string]map[string]Want{"b": {"c": WantDecoded}}}
	expected = map[string]any{"b": map[string]any{"c": []any{int64(1), 0.5}}, "d": "text"}
	if got, err := m.SelectBase(0, members); err != nil || !reflect.DeepEqual(got, expected) {
		t.Errorf("selected %v, %v of members, want %v", got, err, expected)
	}
	if got, err := selectDecoded(base, members.want); err != nil || !reflect.DeepEqual(got, expected) {
		t.Errorf("selected %v, %v of members of a decoded map, want %v", got, err, expected)
	}
	if _, err := m.SelectBase(1, want); err == nil {
		t.Error("an object that is not there was selected")
	}
	for _, b := range []string{"", "\xbf\xff", "\xa1\x01\x01", "\xa1\x61a", "\xa1\x61b\x82\x01", "\xa1\x61a\xc0\x00"} {
		if got, ok := selectPlain([]byte(b), want.want); ok {
			t.Errorf("%x: selected %v", b, got)
		}
	}
}
