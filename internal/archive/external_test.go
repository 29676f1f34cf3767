package archive_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/storage"
)

// Files that interop/netcdf/typed.py made. links.h5 refers to target.h5 by external links x and z and
// by the virtual dataset both, to raw.bin by raw, and by both to later.h5, which is not there.
// target.h5 refers to deep.h5.
const elsewhere = "testdata/elsewhere"

// withExternal opens a copy of the files, where other files are read.
func withExternal(t *testing.T, dir string, opts archive.Options) *archive.Archive {
	t.Helper()
	opts.Client, opts.Index = &storage.Client{External: true}, archive.IndexNone
	return open(t, opts, filepath.Join(dir, "links.h5"))
}

func copyOf(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(elsewhere)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func floats(t *testing.T, a *archive.Archive, name string) ([]float64, error) {
	t.Helper()
	v := a.Set.Variable(name)
	if v == nil {
		t.Fatalf("no variable %s", name)
	}
	values, _, err := a.Set.Select(name).Floats(t.Context(), a)
	return values, err
}

// TestExternalRefused opens a file that refers to others, which nobody asked for.
func TestExternalRefused(t *testing.T) {
	a := open(t, archive.Options{Index: archive.IndexNone}, elsewhere+"/links.h5")
	for name, file := range map[string]string{"x": "target.h5", "z": "target.h5", "raw": "raw.bin", "both": "target.h5"} {
		if a.Set.Variable(name) != nil {
			t.Errorf("%s is shown", name)
		}
		said := slices.ContainsFunc(a.Bad, func(line string) bool {
			return strings.HasPrefix(line, elsewhere+"/links.h5: "+name+": ") && strings.Contains(line, "file "+file) && strings.Contains(line, "--external")
		})
		if !said {
			t.Errorf("%s: no line in %q names %s and the flag", name, a.Bad, file)
		}
	}
	if values, err := floats(t, a, "own"); err != nil || len(values) != 200 {
		t.Errorf("own: %d values, %v", len(values), err)
	}
	if !errors.Is(a.Refused(), storage.ErrExternal) {
		t.Errorf("refused: %v", a.Refused())
	}
}

// TestExternalExtents holds that the chunks of arrays in other files have their place there.
func TestExternalExtents(t *testing.T) {
	a := withExternal(t, elsewhere, archive.Options{})
	for name, want := range map[string]struct {
		file   string
		first  float64
		values int
		chunks int
	}{
		"own": {"links.h5", 0, 200, 1}, "x": {"target.h5", 1000, 12, 1}, "z": {"target.h5", 2000, 24, 3}, "raw": {"raw.bin", 3001, 5, 1},
	} {
		values, err := floats(t, a, name)
		if err != nil || len(values) != want.values || values[0] != want.first {
			t.Fatalf("%s: %v, %v", name, values, err)
		}
		l, err := a.Layout(t.Context(), int(a.Set.Variable(name).Refs()[0]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		whole, err := os.ReadFile(filepath.Join(elsewhere, want.file))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.chunks {
			e, ok, _ := l.Extent([]uint64{uint64(i)})
			if !ok || e.File.Location != filepath.Join(elsewhere, want.file) {
				t.Fatalf("%s: chunk %d in %v, expected %s", name, i, e.File, want.file)
			}
			got := make([]byte, e.Length)
			if _, err := e.File.ReadAt(got, e.Offset); err != nil && err != io.EOF || !bytes.Equal(got, whole[e.Offset:][:e.Length]) {
				t.Errorf("%s: chunk %d: %v, or other bytes than those in %s", name, i, err, want.file)
			}
		}
	}
	var unportable *importers.UnportableError
	if _, err := a.Layout(t.Context(), int(a.Set.Variable("both").Refs()[0])); !errors.As(err, &unportable) {
		t.Errorf("layout of a virtual dataset: %v", err)
	}
	both, err := floats(t, a, "both")
	if err != nil || len(both) != 20 || both[0] != 4000 || both[7] != 4007 || both[8] != -1 {
		t.Errorf("both: %v, %v", both, err)
	}
}

// TestExternalStates changes each of the files that an input refers to: reads of the open archive
// fail, and versions are others afterwards.
func TestExternalStates(t *testing.T) {
	for name, of := range map[string]string{"target.h5": "x", "raw.bin": "raw", "deep.h5": "both", "later.h5": "both"} {
		t.Run(name, func(t *testing.T) {
			dir := copyOf(t)
			path := filepath.Join(dir, name)
			a := withExternal(t, dir, archive.Options{})
			ref := int(a.Set.Variable(of).Refs()[0])
			before, state := a.Version(ref), a.State()
			if _, err := floats(t, a, of); err != nil {
				t.Fatal(err)
			}
			if changed, err := a.Changed(t.Context()); changed || err != nil {
				t.Fatalf("changed: %v, %v", changed, err)
			}
			b, err := os.ReadFile(path)
			if name == "later.h5" {
				b, err = os.ReadFile(filepath.Join(dir, "target.h5"))
			}
			if err == nil {
				err = os.WriteFile(path, b, 0o600)
			}
			if err == nil {
				err = os.Chtimes(path, time.Time{}, time.Unix(1, 0))
			}
			if err != nil {
				t.Fatal(err)
			}
			var changed *archive.ChangedError
			if _, err := floats(t, a, of); !errors.As(err, &changed) || changed.File != path {
				t.Errorf("read: %v, expected that %s changed", err, name)
			}
			if is, err := a.Changed(t.Context()); !is || err != nil {
				t.Errorf("changed: %v, %v", is, err)
			}
			next, err := a.Again(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer next.Close()
			if next.Version(int(next.Set.Variable(of).Refs()[0])) == before || next.State() == state {
				t.Errorf("version %s as before the change", before)
			}
			values, err := floats(t, next, of)
			if err != nil || name == "later.h5" && values[8] != 1000 {
				t.Errorf("%v, %v", values, err)
			}
		})
	}
}

// TestExternalChunkChanges changes a file between two reads of a chunk that lies in it.
func TestExternalChunkChanges(t *testing.T) {
	dir := copyOf(t)
	a := withExternal(t, dir, archive.Options{})
	ref := int(a.Set.Variable("z").Refs()[0])
	l, err := a.Layout(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	if a.Version(ref) == "" {
		t.Error("no version, expected one")
	}
	e, _, _ := l.Extent([]uint64{0})
	b := make([]byte, e.Length)
	if _, err := e.File.ReadAt(b, e.Offset); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "target.h5"), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	var changed *archive.ChangedError
	if _, err := e.File.ReadAt(b, e.Offset); !errors.As(err, &changed) {
		t.Errorf("%v, expected that the file changed", err)
	}
	if version := a.Version(ref); version != "" {
		t.Errorf("version %s of a file that changed, expected none", version)
	}
}

// TestOnlyInputs opens an input that refers to files that are inputs themselves, and to others.
func TestOnlyInputs(t *testing.T) {
	dir := copyOf(t)
	a := withExternal(t, dir, archive.Options{OnlyInputs: true})
	if a.Set.Variable("x") != nil || a.Set.Variable("raw") != nil || a.Set.Variable("own") == nil || len(a.Bad) != 4 || !strings.Contains(a.Bad[0], "only files that are served") {
		t.Errorf("%q; expected that what lies in other files is left out", a.Bad)
	}
	opts := archive.Options{Client: &storage.Client{External: true}, Index: archive.IndexNone, OnlyInputs: true}
	has := func(a *archive.Archive, name string) bool {
		for ref, e := range a.Catalog.All() {
			if filepath.Base(e.File) == "links.h5" && e.Name == name {
				_, err := dataset.Read(t.Context(), a, ref, nil)
				return err == nil
			}
		}
		return false
	}
	for _, names := range [][]string{
		{dir}, {filepath.Join(dir, "links.h5"), filepath.Join(dir, "target.h5"), filepath.Join(dir, "deep.h5")},
	} {
		b := open(t, opts, names...)
		if !has(b, "x") || !has(b, "both") || has(b, "raw") != (len(names) == 1) {
			t.Errorf("%q: left out: %q", names, b.Bad)
		}
	}
	// The file that a source of a source lies in is not served.
	c := open(t, opts, filepath.Join(dir, "links.h5"), filepath.Join(dir, "target.h5"))
	if has(c, "both") || !has(c, "z") {
		t.Errorf("%q; expected that the virtual dataset is left out, and nothing that target.h5 has", c.Bad)
	}
}

// TestExternalHidden renames a file, and its name in the file that refers to it, to a hidden one.
func TestExternalHidden(t *testing.T) {
	dir := copyOf(t)
	path := filepath.Join(dir, "links.h5")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b, []byte("raw.bin")); n != 1 {
		t.Fatalf("the name is in the file %d times", n)
	}
	if err := errors.Join(os.WriteFile(path, bytes.Replace(b, []byte("raw.bin"), []byte(".aw.bin"), 1), 0o600),
		os.Rename(filepath.Join(dir, "raw.bin"), filepath.Join(dir, ".aw.bin"))); err != nil {
		t.Fatal(err)
	}
	a := withExternal(t, dir, archive.Options{})
	if a.Set.Variable("raw") != nil || a.Set.Variable("x") == nil {
		t.Error("a variable in a hidden file is shown")
	}
}

// TestLinksOut opens a folder with symbolic links that lead out of it.
func TestLinksOut(t *testing.T) {
	dir := t.TempDir()
	outside, served := filepath.Join(dir, "outside"), filepath.Join(dir, "served")
	if err := errors.Join(os.Mkdir(outside, 0o700), os.Mkdir(served, 0o700)); err != nil {
		t.Fatal(err)
	}
	copied(t, served, "netcdf/simple_2d.nc", "a.nc")
	copied(t, outside, "netcdf/nc3_classic.nc", "b.nc")
	for name, to := range map[string]string{"c.nc": "a.nc", "out.nc": "../outside/b.nc"} {
		if err := os.Symlink(to, filepath.Join(served, name)); err != nil {
			t.Fatal(err)
		}
	}
	left := open(t, archive.Options{NoLinks: true, Index: archive.IndexNone}, served)
	all := open(t, archive.Options{Index: archive.IndexNone}, served)
	if len(left.Catalog.Files()) != 2 || len(left.Bad) != 1 || !strings.Contains(left.Bad[0], "out.nc: a symbolic link") || len(all.Catalog.Files()) != 3 {
		t.Errorf("%d files, left out %q; of %d", len(left.Catalog.Files()), left.Bad, len(all.Catalog.Files()))
	}
	if changed, err := left.Changed(t.Context()); changed || err != nil {
		t.Errorf("changed: %v, %v", changed, err)
	}
}

// TestExternalIndex holds that an index made with other files is not used where these are not read.
// An index made without them is not used where they are.
func TestExternalIndex(t *testing.T) {
	dir := copyOf(t)
	path := filepath.Join(dir, "links.h5")
	for i, external := range []bool{false, true, false, true} {
		a := open(t, archive.Options{Client: &storage.Client{External: external}, Index: archive.IndexBeside}, path)
		if (a.Set.Variable("x") != nil) != external || (len(a.Bad) == 0) != external || a.Set.Variable("own") == nil {
			t.Errorf("%d: with other files %v: left out %q", i, external, a.Bad)
		}
		if _, err := os.Stat(path + ".tgmidx"); err != nil {
			t.Fatal(err)
		}
	}
}
