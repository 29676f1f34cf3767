package archive_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/archive"
)

// TestUnchanged reads a file before and after it is written again, with as many bytes.
func TestUnchanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	write := func(text string, second int64) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Unix(second, 0)); err != nil {
			t.Fatal(err)
		}
	}
	write("first", 1)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := archive.Unchanged(name, f)
	b := make([]byte, 5)
	if n, err := r.ReadAt(b, 0); n != 5 || err != nil || string(b) != "first" {
		t.Errorf("%d bytes %q, %v", n, b, err)
	}
	write("other", 2)
	var changed *archive.ChangedError
	if n, err := r.ReadAt(b, 0); n != 0 || !errors.As(err, &changed) || changed.File != name {
		t.Errorf("%d bytes, %v, expected that the file changed", n, err)
	}
	if n, err := archive.Unchanged("https://example.org/a", bytes.NewReader(b)).ReadAt(b, 0); n != 5 || err != nil {
		t.Errorf("%d bytes of a file on a server, %v", n, err)
	}
}
