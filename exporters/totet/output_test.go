package totet_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/storage"
)

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
