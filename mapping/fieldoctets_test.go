package mapping

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
)

func TestFieldOctets(t *testing.T) {
	o := &FieldOctets{Fields: 3, Places: []int{1, 300}, Columns: [][]byte{{7, 7, 8}, {0, 1, 2}}}
	got, err := ParseFieldOctets(o.Text())
	if err != nil || !reflect.DeepEqual(got, o) {
		t.Fatalf("%v, %v, expected %v", got, err, o)
	}
	header := make([]byte, 302)
	if !got.Set(header, 2) || header[1] != 8 || header[300] != 2 {
		t.Errorf("octets are %d and %d", header[1], header[300])
	}
	if got.Set(header, 2) {
		t.Error("octets changed that were set before")
	}
	got.Set(header[:2], 0) // of a header that is shorter
	if header[1] != 7 {
		t.Errorf("octet is %d", header[1])
	}
	if text := (&FieldOctets{Fields: 3}).Text(); text != "" {
		t.Errorf("no octets are %q", text)
	}
	put := &FieldOctets{Fields: 3}
	put.Put(300, 1, 1, 0)
	put.Put(1, 2, 8, 7)
	put.Put(300, 2, 2, 0)
	if !reflect.DeepEqual(put, o) {
		t.Errorf("%v, expected %v", put, o)
	}
	many := &FieldOctets{Fields: maxFieldOctets}
	many.Put(1, 5, 1, 0)
	if many.TooMany() {
		t.Error("the octets of one place are too many")
	}
	many.Put(2, 5, 1, 0)
	if text := many.Text(); text != "" || many.Columns != nil || !many.TooMany() {
		t.Errorf("too many octets are %.20q", text)
	}
}

func TestFieldOctetsThatAreDamaged(t *testing.T) {
	numbers := func(list ...uint64) (b []byte) {
		for _, n := range list {
			b = binary.AppendUvarint(b, n)
		}
		return b
	}
	for name, b := range map[string][]byte{
		"none":                 {},
		"no places":            numbers(2, 3, 1),
		"a place too far":      append(numbers(1, 1, maxHeader), 0),
		"fewer columns":        append(numbers(4, 2, 1, 2), 1, 2, 3, 4, 5, 6, 7),
		"too many fields":      numbers(1<<63, 2, 1, 2),
		"a product of 1<<64":   numbers(1<<32, 1<<32),
		"what nobody can hold": bytes.Repeat([]byte{1}, maxFieldOctets+2<<20),
	} {
		if o, err := ParseFieldOctets(deflatedText(b)); err == nil {
			t.Errorf("%s: %d fields, %v", name, o.Fields, o.Places)
		}
	}
	for _, text := range []string{"", "z:", "z:!", "z:AAAA"} {
		if _, err := ParseFieldOctets(text); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

func FuzzFieldOctets(f *testing.F) {
	f.Add([]byte{3, 2, 1, 2, 0, 0, 0, 1, 1, 1}, []byte("header"))
	f.Add(binary.AppendUvarint([]byte{1}, maxHeader), []byte{})
	f.Fuzz(func(t *testing.T, b, header []byte) {
		o, err := ParseFieldOctets(deflatedText(b))
		if err != nil {
			return
		}
		for i := range min(o.Fields, 10) {
			o.Set(header, i)
			if o.Set(header, i) && slices.IsSorted(o.Places) && len(slices.Compact(slices.Clone(o.Places))) == len(o.Places) {
				t.Errorf("octets of field %d change twice", i)
			}
		}
	})
}
