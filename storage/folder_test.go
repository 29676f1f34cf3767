package storage

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// names are the locations of inputs below a folder.
func names(t *testing.T, c *Client, folder string, locations ...string) []string {
	t.Helper()
	found, err := c.Find(t.Context(), locations...)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, in := range found {
		list = append(list, strings.TrimPrefix(filepath.ToSlash(in.Name), filepath.ToSlash(folder)+"/"))
	}
	return list
}

// inFolder reads a file of the folder at a location, and lists the names below it.
func inFolder(t *testing.T, c *Client, location, file string) (text string, below []string) {
	t.Helper()
	b := open(t, c, location)
	f := FolderOf(b)
	if f == nil {
		t.Fatalf("%s is no folder", location)
	}
	for name, err := range f.List(t.Context(), "") {
		if errors.Is(err, errors.ErrUnsupported) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		below = append(below, name)
	}
	if _, err := f.Open(t.Context(), "none/of/it"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: a file that is not there: %v", location, err)
	}
	blob, err := f.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	return contents(t, blob), below
}

// A folder with a document is one input, wherever it lies. Nothing in it is an input of its own.
func TestFoldersThatAreOneInput(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.nc", "b.zarr/.zgroup", "b.zarr/t/.zarray", "b.zarr/t/0.0", "c/d/zarr.json", "c/d/x/c/0", "e/f"} {
		write(t, filepath.Join(dir, name), "{"+name)
	}
	c := new(Client)
	if got, want := names(t, c, dir, dir), []string{"a.nc", "b.zarr", "c/d", "e/f"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
	if got, want := names(t, c, dir, filepath.Join(dir, "*")), []string{"a.nc", "b.zarr"}; !slices.Equal(got, want) {
		t.Errorf("a pattern found %q, expected %q", got, want)
	}
	if got, want := names(t, c, dir, filepath.Join(dir, "b.zarr", "t")), []string{"b.zarr/t"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
	text, below := inFolder(t, c, filepath.Join(dir, "b.zarr"), "t/0.0")
	if want := []string{".zgroup", "t/"}; text != "{b.zarr/t/0.0" || !slices.Equal(below, want) {
		t.Errorf("%q, below %q, expected %q", text, below, want)
	}
	b := open(t, c, filepath.Join(dir, "b.zarr"))
	if _, err := b.ReadAt(t.Context(), make([]byte, 600), 0); !errors.Is(err, errIsFolder) {
		t.Errorf("reading it as a file: %v", err)
	}
	if want := int64(len("{b.zarr/.zgroup" + "{b.zarr/t/.zarray" + "{b.zarr/t/0.0")); FolderOf(b).Size() != want {
		t.Errorf("%d bytes, expected %d", FolderOf(b).Size(), want)
	}
	if state := FolderState(filepath.Join(dir, "b.zarr")); state == "" || !strings.HasPrefix(b.ETag(), state+"-") {
		t.Errorf("entity tag %q of state %q", b.ETag(), state)
	}
}

// No link leads out of a folder that is one input.
func TestFolderKeepsWithin(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret"), "x")
	write(t, filepath.Join(dir, "a.zarr/zarr.json"), "{}")
	if err := os.Symlink("../secret", filepath.Join(dir, "a.zarr/out")); err != nil {
		t.Skip(err)
	}
	f := FolderOf(open(t, new(Client), filepath.Join(dir, "a.zarr")))
	for _, name := range []string{"out", "../secret"} {
		if b, err := f.Open(t.Context(), name); err == nil {
			b.Close()
			t.Errorf("%s was opened", name)
		}
	}
}

func TestFoldersInObjectStores(t *testing.T) {
	newFakeStore(t)
	c := new(Client)
	for _, name := range []string{"in/a.nc", "in/b.zarr/zarr.json", "in/b.zarr/t/c/0", "in/z", "plain/zarr.json"} {
		if err := store(t, c, "s3://bucket/"+name, []byte("{"+name)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := names(t, c, "s3://bucket", "s3://bucket/in/"), []string{"in/a.nc", "in/b.zarr", "in/z"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
	if got, want := names(t, c, "s3://bucket", "s3://bucket/in/*.zarr"), []string{"in/b.zarr"}; !slices.Equal(got, want) {
		t.Errorf("a pattern found %q, expected %q", got, want)
	}
	for _, location := range []string{"s3://bucket/in/b.zarr", "s3://bucket/in/b.zarr/"} {
		text, below := inFolder(t, c, location, "t/c/0")
		if want := []string{"t/", "zarr.json"}; text != "{in/b.zarr/t/c/0" || !slices.Equal(below, want) {
			t.Errorf("%q, below %q, expected %q", text, below, want)
		}
	}
	if text, _ := inFolder(t, c, "s3://bucket/plain", "zarr.json"); text != "{plain/zarr.json" {
		t.Errorf("%q", text)
	}
}

// A web server has no lists. A server that answers with a page for any name has no folders either.
func TestFoldersOnServers(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.zarr/.zgroup"), "{}")
	write(t, filepath.Join(dir, "b.zarr/t/.zarray"), "{}")
	write(t, filepath.Join(dir, "b.zarr/t/0"), "abc")
	files := http.FileServerFS(os.DirFS(dir))
	server := httptest.NewServer(files)
	defer server.Close()
	c := new(Client)
	for _, location := range []string{"/b.zarr", "/b.zarr/"} {
		if text, below := inFolder(t, c, server.URL+location, "t/0"); text != "abc" || below != nil {
			t.Errorf("%q, below %q", text, below)
		}
	}
	if text, _ := inFolder(t, c, server.URL+"/b.zarr/t", "0"); text != "abc" { // where the server has a page with a list
		t.Errorf("%q", text)
	}
	any := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) }))
	defer any.Close()
	b, err := c.Open(context.Background(), any.URL+"/x.zarr")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if FolderOf(b) != nil {
		t.Error("a page became a folder")
	}
}
