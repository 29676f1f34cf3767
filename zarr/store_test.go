package zarr

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/fstest"
)

// mapStore is a Store in memory.
type mapStore map[string][]byte

func (m mapStore) dir() Store {
	files := make(fstest.MapFS)
	for key, data := range m {
		files[key] = &fstest.MapFile{Data: data}
	}
	return NewDir(files)
}

func (m mapStore) Open(ctx context.Context, key string) (Value, error) { return m.dir().Open(ctx, key) }

func (m mapStore) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return m.dir().List(ctx, prefix)
}

func TestRangeResolve(t *testing.T) {
	tests := []struct {
		r              Range
		size           int64
		offset, length int64
		fails          bool
	}{
		{Range{}, 10, 0, 10, false},
		{Range{}, 0, 0, 0, false},
		{Bytes(2, 3), 10, 2, 3, false},
		{Bytes(8, 100), 10, 8, 2, false},
		{Bytes(10, 1), 10, 0, 0, true},
		{Bytes(0, 0), 10, 0, 0, true},
		{Bytes(-1, 5), 10, 0, 0, true},
		{From(4), 10, 4, 6, false},
		{From(10), 10, 0, 0, true},
		{From(0), 0, 0, 0, true},
		{Suffix(4), 10, 6, 4, false},
		{Suffix(40), 10, 0, 10, false},
		{Suffix(0), 10, 0, 0, true},
		{Suffix(1), 0, 0, 0, true},
	}
	for _, test := range tests {
		offset, length, err := test.r.Resolve(test.size)
		if offset != test.offset || length != test.length || (err != nil) != test.fails {
			t.Errorf("%+v of %d bytes: %d, %d, %v", test.r, test.size, offset, length, err)
		}
		if err != nil && !errors.Is(err, ErrRange) {
			t.Errorf("%+v of %d bytes: %v is not ErrRange", test.r, test.size, err)
		}
	}
}

func TestValidKey(t *testing.T) {
	for key, want := range map[string]bool{
		"zarr.json": true, "a/c/0/0": true, "ä b/c": true, "...": true,
		"": false, "/a": false, "a/": false, "a//b": false, ".": false, "a/../b": false, "..": false,
		`a\b`: false, "a\x00": false,
	} {
		if got := ValidKey(key); got != want {
			t.Errorf("ValidKey(%q) is %v", key, got)
		}
	}
}

func TestChunkKeys(t *testing.T) {
	tests := []struct {
		keys  ChunkKeys
		index []uint64
		want  string
	}{
		{DefaultKeys, nil, "c"},
		{DefaultKeys, []uint64{0, 12}, "c/0/12"},
		{ChunkKeys{"default", "."}, []uint64{3, 4}, "c.3.4"},
		{ChunkKeys{"v2", "."}, nil, "0"},
		{ChunkKeys{"v2", "."}, []uint64{3, 4}, "3.4"},
		{ChunkKeys{"v2", "/"}, []uint64{3, 4}, "3/4"},
	}
	for _, test := range tests {
		if got := test.keys.Key(test.index); got != test.want {
			t.Errorf("%+v of %v: %q, expected %q", test.keys, test.index, got, test.want)
		}
	}
	for _, key := range []string{"c/00", "c/+1", "c//1", "c/", "c/99999999999999999999", "d/0", "c/0/x", "c0", "c.", "c.0/1", "0.00", "0/1.2", "0.", ".0", "", "x"} {
		for _, form := range keyForms {
			if index, ok := form.Index(key); ok {
				t.Errorf("%v reads %q: %v", form, key, index)
			}
		}
	}
}

func TestReadAllRefusesWhatIsTooLarge(t *testing.T) {
	store := mapStore{"k": make([]byte, 11)}
	if _, err := ReadAll(context.Background(), store, "k", 10); err == nil {
		t.Error("11 bytes were read with a limit of 10")
	}
	if _, err := ReadAll(context.Background(), store, "absent", 10); !errors.Is(err, ErrNotFound) {
		t.Errorf("an absent key gives %v", err)
	}
}
