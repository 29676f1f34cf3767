package totet_test

import (
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
)

// labelled is the labelled dataset of a file as .tet.
func labelled(t testing.TB, path string) *tet.File {
	t.Helper()
	a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	out := filepath.Join(t.TempDir(), "out.tet")
	if _, err := totet.ExportDataset(t.Context(), a.Set, a, output(t, out), totet.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := tet.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// output begins a file.
func output(t testing.TB, path string) storage.RandomWriter {
	t.Helper()
	w, err := new(storage.Client).Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := storage.Random(w, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Abort)
	return out
}
