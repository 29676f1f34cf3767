package serve

import (
	"github.com/tgmconv/tgmconv/zarr"
	"slices"
	"testing"
)

func TestSplitChunkKey(t *testing.T) {
	for key, want := range map[string]string{
		"c": "|c", "c/0": "|c/0", "2t/c/0/1": "2t|c/0/1", "0/c/c": "0/c|c", "0/c/c/7": "0/c|c/7", "5/c/5": "5|c/5",
		"a/b": "", "0/1": "", "zarr.json": "", "c/x": "", "c/-1": "", "c/0x1": "", "": "",
	} {
		path, rest, ok := splitChunkKey(key)
		if got := path + "|" + rest; ok != (want != "") || (ok && got != want) {
			t.Errorf("splitChunkKey(%q): %q, %v", key, got, ok)
		}
	}
}

func TestParseKey(t *testing.T) {
	for dims, index := range [][]uint64{nil, {7}, {0, 12}, {3, 0, 1}} {
		for _, form := range zarr.KeyForms(dims) {
			key := form.Key(index)
			if got, ok := parseKey(form, key, dims); !ok || !slices.Equal(got, index) || !isChunkKey(key) {
				t.Errorf("%v reads %q: %v, %v", form, key, got, ok)
			}
			for _, other := range zarr.KeyForms(dims) {
				if _, ok := parseKey(other, key, dims); ok != (other == form) {
					t.Errorf("%v reads the key %q of %v: %v", other, key, form, ok)
				}
			}
			if got, ok := parseKey(form, key, dims+1); ok && dims > 0 {
				t.Errorf("%v reads %q with a dimension more: %v", form, key, got)
			}
		}
	}
}
