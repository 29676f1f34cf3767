package storage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// collected is an output that only goes forwards.
type collected struct {
	bytes.Buffer
	committed, aborted bool
}

func (c *collected) Commit() error { c.committed = true; return nil }
func (c *collected) Abort()        { c.aborted = true }

func TestRandomOfAForwardWriter(t *testing.T) {
	dir, out := t.TempDir(), new(collected)
	w, err := Random(out, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		at   int64
		text string
	}{{5, "world"}, {0, "hello"}} {
		if _, err := w.WriteAt([]byte(part.text), part.at); err != nil {
			t.Fatal(err)
		}
	}
	if out.Len() != 0 || out.committed {
		t.Error("something was written before the output was complete")
	}
	if err := w.Commit(); err != nil || out.String() != "helloworld" || !out.committed {
		t.Errorf("%q, committed %v, error %v", out, out.committed, err)
	}
	w.Abort() // does nothing to a complete file
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, error %v", left, err)
	}
}

func TestRandomAborted(t *testing.T) {
	dir, out := t.TempDir(), new(collected)
	w, err := Random(out, dir)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 || !out.aborted || out.committed {
		t.Errorf("left in the folder: %v, error %v, aborted %v", left, err, out.aborted)
	}
}

func TestRandomOfAFileIsTheFile(t *testing.T) {
	local, err := createLocal(new(Client), filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer local.Abort()
	if w, err := Random(local, ""); err != nil || w != RandomWriter(local) {
		t.Errorf("%v, error %v", w, err)
	}
}
