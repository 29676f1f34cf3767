package unpack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/storage"
)

// refsTo is a file of references, some of them to data.bin.
const refsTo = `{"version":1,"refs":{".zgroup":"{}",".zattrs":"{}","t/.zarray":"{}","t/0.0":["data.bin",2,3],"t/0.1":["data.bin"],
"t/1.0":"base64:AAE=","t/1.1":["gone.bin",0,1],"t/2.0":["data.bin",8,100],"t/2.1":["data.bin",99,1],"g/.zgroup":"{}","g/u/.zarray":"{}","../x":"y"}}`

// TestReferences opens references as a folder, and a group in them.
func TestReferences(t *testing.T) {
	dir, c := folder(t, file{"refs.json", refsTo}, file{"refs.json.gz", gzipped(refsTo)}, file{"data.bin", "0123456789"}, file{"a.tar", tarred(file{"refs.json", refsTo})})
	c.External = true
	read := func(f storage.Folder, name string) (string, error) {
		b, err := f.Open(t.Context(), name)
		if err != nil {
			return "", err
		}
		defer b.Close()
		data, err := io.ReadAll(io.NewSectionReader(storage.ReaderAt(t.Context(), b), 0, b.Size()))
		return string(data), err
	}
	for _, name := range []string{"refs.json", "refs.json.gz"} {
		found, err := c.Find(t.Context(), filepath.Join(dir, name))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: found %v, %v", name, found, err)
		}
		b, err := c.Open(t.Context(), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f := storage.FolderOf(b)
		if f == nil || f.Document() != ".zgroup" || !f.Refers() {
			t.Fatalf("%s is no folder of references", name)
		}
		for key, want := range map[string]string{
			".zgroup": "{}", "t/0.0": "234", "t/0.1": "0123456789", "t/1.0": "\x00\x01", "t/2.0": "89", "t/1.1": "!file gone.bin: there is no such file",
			"t/2.1": "!from byte 99 on, and has 10 bytes", "t/3.0": "!", "../x": "!",
		} {
			got, err := read(f, key)
			if text, bad := strings.CutPrefix(want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), text) || (text == "") != errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %v, expected %q", key, err, text)
				}
			} else if err != nil || got != want {
				t.Errorf("%s: %q, %v, expected %q", key, got, err, want)
			}
		}
		var entries []string
		for entry, err := range f.List(t.Context(), "") {
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, entry)
		}
		if want := []string{".zattrs", ".zgroup", "g/", "t/"}; !slices.Equal(entries, want) {
			t.Errorf("found %q, expected %q", entries, want)
		}
		b.Close()
		inner, err := c.Open(t.Context(), filepath.Join(dir, name)+"::g")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(storage.FolderOf(inner), "u/.zarray"); err != nil || got != "{}" {
			t.Errorf("in a group: %q, %v", got, err)
		}
		inner.Close()
	}
	b, err := c.Open(t.Context(), filepath.Join(dir, "a.tar"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(storage.FolderOf(b), "t/0.0"); err == nil || !strings.Contains(err.Error(), "unpack") {
		t.Errorf("references in an archive: %v", err)
	}
	b.Close()
	c.External = false
	b, err = c.Open(t.Context(), filepath.Join(dir, "refs.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(storage.FolderOf(b), "t/0.0"); !errors.Is(err, storage.ErrExternal) {
		t.Errorf("not allowed: %v", err)
	}
	b.Close()
}

// TestChangedTarget holds that a file that references are about is read in one state.
func TestChangedTarget(t *testing.T) {
	dir, c := folder(t, file{"refs.json", refsTo}, file{"data.bin", "0123456789"})
	c.External = true
	b, err := c.Open(t.Context(), filepath.Join(dir, "refs.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f := storage.FolderOf(b)
	chunk, err := f.Open(t.Context(), "t/0.0")
	if err != nil {
		t.Fatal(err)
	}
	chunk.Close()
	if err := os.WriteFile(filepath.Join(dir, "data.bin"), []byte("another content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Open(t.Context(), "t/0.0"); !errors.Is(err, storage.ErrChanged) {
		t.Errorf("after a change: %v", err)
	}
}

// TestManifests opens chunks by the manifest beside the document of their array.
func TestManifests(t *testing.T) {
	manifest := `{"0.1":{"path":"data.bin","offset":1,"length":2}}`
	dir, c := folder(t, file{"data.bin", "0123456789"})
	for name, text := range map[string]string{"zarr.json": "{}", "t/zarr.json": "{}", "t/manifest.json": manifest, "t/c/1/1": "own",
		"s/manifest.json": `{"0":{"path":"data.bin","offset":0,"length":1}}`, "bad/manifest.json": "[]"} {
		path := filepath.Join(dir, "m", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.External = true
	b, err := c.Open(t.Context(), filepath.Join(dir, "m"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f := storage.FolderOf(b)
	for key, want := range map[string]string{"t/c/0/1": "12", "t/0.1": "12", "t/0/1": "12", "t/c.0.1": "12", "t/c/1/1": "own", "s/c": "0", "s/0": "0", "t/c/5/5": "!", "u/c/0": "!", "t/x": "!"} {
		chunk, err := f.Open(t.Context(), key)
		if want == "!" {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", key, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		data, err := io.ReadAll(io.NewSectionReader(storage.ReaderAt(t.Context(), chunk), 0, chunk.Size()))
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", key, data, err)
		}
		chunk.Close()
	}
	if _, err := f.Open(t.Context(), "bad/c/0"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bad manifest: %v", err)
	}
}

// TestTargetNames checks the meanings of file names in references.
func TestTargetNames(t *testing.T) {
	f := &targets{client: NewClient(&storage.Client{External: true}), input: "refs.json"}
	if a, b := fmt.Sprint(f.namesOf("file:///a%20b")), fmt.Sprint(f.namesOf("x%20y")); a != "[/a%20b /a b]" || b != "[x%20y]" {
		t.Errorf("found %s and %s", a, b)
	}
	f.input = "https://host/refs/a.json?x=/y"
	if got := f.namesOf("data/b.nc"); got[0] != "https://host/refs/data/b.nc" {
		t.Errorf("found %s", got)
	}
}
