package storage

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOutputKeepsPermissionsAndName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.tgm")
	write(t, path, "old")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	o, err := createLocal(new(Client), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, error %v, want what the file had", st.Mode(), err)
	}

	o, err = createLocal(new(Client), path)
	if err != nil {
		t.Fatal(err)
	}
	o.f.Close()
	var failed *WriteError
	if _, err := o.Write([]byte("x")); !errors.As(err, &failed) || failed.Location != path {
		t.Errorf("error %v does not name %s", err, path)
	}
	o.Abort()

	link := filepath.Join(t.TempDir(), "link")
	target := filepath.Join(t.TempDir(), "target")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if o, err = createLocal(new(Client), link); err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(target); err != nil {
		t.Errorf("a link to a file that is not there yet: %v", err)
	}
}

func TestOutputAppearsWhenComplete(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.tgm")
	begin := func() *LocalWriter {
		o, err := createLocal(new(Client), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(o, "new"); err != nil {
			t.Fatal(err)
		}
		return o
	}
	entries := func() int {
		e, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(e)
	}
	begin().Abort()
	if n := entries(); n != 0 {
		t.Errorf("%d files are left after Abort", n)
	}
	o := begin()
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	o.Abort()
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" || entries() != 1 {
		t.Errorf("the file holds %q, error %v", b, err)
	}
	write(t, path, "old")
	begin().Abort()
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("after Abort the file holds %q, want what it held before", b)
	}

	// A link's target is replaced, not the link.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	path = link
	if err := begin().Commit(); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}

	path = os.DevNull
	if err := begin().Commit(); err != nil {
		t.Error(err)
	}
	if _, err := createLocal(new(Client), dir); err == nil {
		t.Error("a folder is accepted as output")
	}
	path = filepath.Join(dir, "missing", "folder", "x")
	if err := begin().Commit(); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" {
		t.Errorf("in a folder that was missing the file holds %q, error %v", b, err)
	}
	if _, err := createLocal(new(Client), filepath.Join(path, "x")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("error %v, want %v", err, syscall.ENOTDIR)
	}
}

// With kill -9 nothing may be left. The file in the making has no name, where the system knows such
// files.
func TestOutputHasNoNameInTheMaking(t *testing.T) {
	for _, name := range []string{"out.tgm", strings.Repeat("n", 255)} {
		dir := t.TempDir()
		if f := createUnnamed(dir); f == nil {
			t.Skip("this file system knows no files without a name")
		} else {
			f.Close()
		}
		path := filepath.Join(dir, name)
		for range 2 { // new, and in place of another
			o, err := createLocal(new(Client), path)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadDir(dir)
			if _, err := io.WriteString(o, "x"); err != nil {
				t.Fatal(err)
			}
			if after, _ := os.ReadDir(dir); len(after) != len(before) || len(after) > 1 {
				t.Errorf("%d files in the folder while one is written, %d before", len(after), len(before))
			}
			if err := o.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != name {
			t.Errorf("the folder holds %v, expected %s", left, name)
		}
	}
}

// Where files need a name from the beginning, the temporary name is not too long.
func TestOutputWithTemporaryName(t *testing.T) {
	dir := t.TempDir()
	f, err := createTemp(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, strings.Repeat("n", 255))
	o := &LocalWriter{c: new(Client), f: f, path: path, target: path, temp: f.Name()}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("the folder holds %v", left)
	}
}
