package storage

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExternalFrom holds which files an input may refer to.
func TestExternalFrom(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	input := write("in/refs.json")
	write("in/a.nc")
	other, hidden := write("data/b.nc"), write("data/.ssh/id")
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	c := &Client{External: true, ExternalFrom: []string{filepath.Join(dir, "data"), server.URL + "/data/"}}
	defer c.Close()
	for name, want := range map[string]string{
		"a.nc": "in/a.nc", "../data/b.nc": "data/b.nc", other: "data/b.nc", "file://" + other: "data/b.nc",
		server.URL + "/data/b.nc": "data/b.nc", hidden: "!hidden", filepath.Join(dir, "x"): "!--external=FOLDER", "/etc/passwd": "!--external=FOLDER",
		server.URL + "/in/a.nc": "!--external=ADDRESS", server.URL + "/data/../in/a.nc": "!--external=ADDRESS",
		server.URL + "/data/%2e%2e/in/a.nc": "!--external=ADDRESS", server.URL + "/datax/b.nc": "!--external=ADDRESS", "s3://b/k": "!--external=ADDRESS",
		"http://example.org/data/b.nc": "!--external=ADDRESS",
	} {
		location, blob, err := c.OpenExternal(t.Context(), input, name)
		if text, refused := strings.CutPrefix(want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, expected %q", name, err, text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := io.ReadAll(io.NewSectionReader(ReaderAt(t.Context(), blob), 0, blob.Size()))
		if err != nil || string(got) != want || !strings.HasSuffix(location, want) {
			t.Errorf("%s: %s has %q, %v", name, location, got, err)
		}
		blob.Close()
	}
	// Files that an input on a server may refer to lie beside it.
	alone := &Client{External: true}
	defer alone.Close()
	if _, blob, err := alone.OpenExternal(t.Context(), server.URL+"/data/refs.json", server.URL+"/data/b.nc"); err != nil {
		t.Error(err)
	} else {
		blob.Close()
	}
	if _, _, err := alone.OpenExternal(t.Context(), server.URL+"/data/refs.json", other); !errors.Is(err, errNotLocal) {
		t.Errorf("a local file of a server's input: %v", err)
	}
	if _, _, err := (&Client{}).OpenExternal(t.Context(), input, "a.nc"); !errors.Is(err, ErrExternal) {
		t.Errorf("without External: %v", err)
	}
}
