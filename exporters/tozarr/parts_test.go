package tozarr_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/storage"
)

// files are the contents of the files below a folder.
func files(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	found := make(map[string][]byte)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err == nil {
			found[name], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDivisions writes a store in parts of several sizes, each by a division of its own. The last parts come
// first and some twice. The chunks equal the chunks from Write.
func TestDivisions(t *testing.T) {
	for _, opts := range []tozarr.Options{
		{},
		{Chunks: tozarr.Lengths{"step": tozarr.All, "y": 2}},
		{Chunks: tozarr.Lengths{"y": 1}, Shards: tozarr.Lengths{"y": 2, "step": 2}, DType: "float32"},
	} {
		view := sample()
		whole := filepath.Join(t.TempDir(), "whole")
		if _, err := tozarr.Write(t.Context(), view, folder(t, whole), opts); err != nil {
			t.Fatal(err)
		}
		want := files(t, whole)
		for _, size := range []int64{1, 200, 1 << 40} {
			first, err := tozarr.Divide(t.Context(), view, opts)
			if err != nil {
				t.Fatal(err)
			}
			parts := slices.Collect(first.Parts(size))
			slices.Reverse(parts)
			parts = append(parts, parts[0], parts[len(parts)-1])
			name := filepath.Join(t.TempDir(), "parts")
			target, err := tozarr.NewFolder(new(storage.Client), name)
			if err != nil {
				t.Fatal(err)
			}
			put := make(map[string]bool)
			for _, part := range parts {
				d, err := tozarr.Divide(t.Context(), view, opts)
				if err != nil || d.Fingerprint() != first.Fingerprint() {
					t.Fatalf("another division: %v", err)
				}
				keys, err := d.Write(t.Context(), target, part)
				if err != nil {
					t.Fatal(err)
				}
				for _, key := range keys {
					put[key] = true
				}
			}
			got := files(t, name)
			if len(got) != len(put) {
				t.Errorf("%d files, and %d keys were put", len(got), len(put))
			}
			for _, doc := range first.Documents() {
				got[filepath.FromSlash(doc.Key)] = doc.Data
			}
			if len(got) != len(want) {
				t.Errorf("parts of %d bytes: %d files, expected %d", size, len(got), len(want))
			}
			for key, data := range want {
				if !bytes.Equal(got[key], data) {
					t.Errorf("parts of %d bytes: %s differs", size, key)
				}
			}
			if err := tozarr.CheckFresh(t.Context(), target); err == nil {
				t.Error("a folder with chunks counts as fresh")
			}
			for _, wrong := range []tozarr.Part{{Array: "nonesuch", Slabs: 1}, {Array: parts[0].Array, First: 1 << 20, Slabs: 1}} {
				if _, err := first.Write(t.Context(), target, wrong); err == nil {
					t.Errorf("%+v is written", wrong)
				}
			}
		}
	}
	if _, err := tozarr.Divide(t.Context(), sample(), tozarr.Options{Append: "step"}); err == nil {
		t.Error("a division that appends")
	}
}
