package storage

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tgm")
	var c Client
	for _, text := range []string{"one", "two"} {
		w, err := c.Append(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	w, err := c.Append(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("dropped")); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if got, err := os.ReadFile(path); err != nil || string(got) != "onetwo" {
		t.Errorf("the file holds %q, %v, expected %q", got, err, "onetwo")
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files are left, expected 1", len(left))
	}
	if _, err := c.Append(t.Context(), "s3://bucket/a.tgm"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an addition to an object: %v", err)
	}
}
