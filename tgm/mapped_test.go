package tgm

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestOpenMapped(t *testing.T) {
	const path = "testdata/wind.tgm"
	var values [2][]any
	for i, open := range []func(string, ...Option) (*File, error){Open, OpenMapped} {
		f, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range f.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			for o, err := range m.Objects() {
				if err != nil {
					t.Fatal(err)
				}
				a, err := o.Decode(DecodeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				values[i] = append(values[i], o.Base(), a.Data)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(values[0]) == 0 || !reflect.DeepEqual(values[0], values[1]) {
		t.Errorf("mapped: %d values, expected the %d of the file", len(values[1]), len(values[0]))
	}

	empty := filepath.Join(t.TempDir(), "empty.tgm")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := OpenMapped(empty)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.Len(); n != 0 || err != nil {
		t.Errorf("an empty file has %d messages: %v", n, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
