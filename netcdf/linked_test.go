package netcdf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
)

// TestLinked reads elements in other files, as h5py wrote them (interop/netcdf/typed.py).
func TestLinked(t *testing.T) {
	root := openFixture(t, "linked/main.h5").Root()
	part := func(n int) string {
		var s []string
		for i := range 20 {
			s = append(s, fmt.Sprint(100*n+i))
		}
		return strings.Join(s, " ")
	}
	three := "[" + part(0) + " " + part(1) + " " + part(2) + "]"
	for name, want := range map[string]string{
		"soft":     "[" + part(1) + "]",
		"raw":      "[0 1 2 3 4 5]",
		"rows":     three,
		"numbered": three,
		"mixed":    "[0 1 2 3 4 5 6 7 8 9 115 -9 116 -9 117 -9 118 -9 119 -9]",
		"gone":     "[7 7 7 7 7 7 7 7]",
	} {
		v := root.Var(name)
		if v == nil {
			t.Errorf("no variable %s", name)
			continue
		}
		if got := printed(t, v); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
	if g := root.Groups; len(g) != 1 || g[0].Path != "/outside" || g[0].Var("data") == nil || g[0].Attr("number") == nil {
		t.Errorf("groups %+v, expected /outside with data and number", g)
	}
	for _, s := range root.Skipped {
		switch {
		case s.Name == "above" && errors.Is(s.Err, hdf5.ErrOutside):
		case s.Name == "missing" && errors.Is(s.Err, os.ErrNotExist):
		default:
			t.Errorf("skipped %s: %v", s.Name, s.Err)
		}
	}
	if len(root.Skipped) != 2 {
		t.Errorf("%d links are skipped, expected 2", len(root.Skipped))
	}
	if v := root.Var("escape"); !errors.Is(v.Err, hdf5.ErrOutside) {
		t.Errorf("escape: %v, expected a refusal to leave the folder", v.Err)
	}
}

// TestGrowing reads virtual datasets that are as long as their sources, and 0 in the file itself.
func TestGrowing(t *testing.T) {
	root, main := openFixture(t, "linked/growing.h5").Root(), openFixture(t, "linked/main.h5").Root()
	for name, want := range map[string]string{
		"numbered": printed(t, main.Var("numbered")),
		"second":   "[-9 0 -9 1 -9 2 -9 3 -9 4]",
		"gone":     "[]",
	} {
		if got := printed(t, root.Var(name)); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}

// TestNotFollowed opens the same file without an opener.
func TestNotFollowed(t *testing.T) {
	b, err := os.ReadFile("../fixtures/netcdf/linked/main.h5")
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rows", "numbered", "mixed", "gone", "raw", "escape"} {
		if v := f.Root().Var(name); !errors.Is(v.Err, hdf5.ErrNoOpener) {
			t.Errorf("%s: %v, expected that other files are not opened", name, v.Err)
		}
	}
	if f.Root().Var("here").Err != nil {
		t.Error("what lies in the file itself cannot be read")
	}
}

// TestVirtualSelf reads a virtual dataset whose source is in the same file.
func TestVirtualSelf(t *testing.T) {
	root := openFixture(t, "made/vdsself.h5").Root()
	if got, want := printed(t, root.Var("v")), printed(t, root.Var("src")); got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// TestInFolder opens files by names that lead out of the folder.
func TestInFolder(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "in")
	if err := os.MkdirAll(filepath.Join(inside, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"out.h5", "in/a.h5", "in/deep/b.h5"} {
		if err := os.WriteFile(filepath.Join(dir, p), []byte("12345"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{"in/.key", "in/.ssh/id", "in/deep/.b/c"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, p), []byte("12345"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"toout.h5": "../out.h5", "tokey.h5": ".key", "inside.h5": "deep/b.h5", "folder": ".ssh"} {
		if err := os.Symlink(to, filepath.Join(inside, link)); err != nil {
			t.Fatal(err)
		}
	}
	open := InFolder(inside)
	for name, ok := range map[string]bool{
		"a.h5": true, "deep/b.h5": true, "deep/../a.h5": true, filepath.Join(inside, "a.h5"): true,
		"../out.h5": false, "toout.h5": false, "inside.h5": true, "tokey.h5": false, "folder/id": false,
		".key": false, ".ssh/id": false, "deep/.b/c": false, "deep/../.key": false, filepath.Join(inside, ".ssh/id"): false, filepath.Join(dir, "out.h5"): false, "deep": false, "none": false, "": false,
	} {
		r, size, err := open(name)
		if (err == nil) != ok || ok && size != 5 {
			t.Errorf("%q: %d bytes, %v", name, size, err)
		}
		if c, is := r.(*os.File); is && err == nil {
			c.Close()
		}
	}
}
