package unpack

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/storage"
)

// TestPlace reads the bytes of a client at the place reported for them.
func TestPlace(t *testing.T) {
	const data = "some bytes that are found in a file"
	other := file{"other", "before"}
	dir := t.TempDir()
	for name, b := range map[string]string{
		"plain": data, "a.gz": gzipped(data), "stored.zip": zipped(zip.Store, other, file{"m", data}), "deflated.zip": zipped(zip.Deflate, other, file{"m", data}),
		"a.tar": tarred(other, file{"m", data}), "a.tar.gz": gzipped(tarred(other, file{"m", data})),
		"nested.tar": tarred(other, file{"in.zip", zipped(zip.Store, other, file{"m", data})}), "only.zip": zipped(zip.Store, file{"m", data}),
		"packed.zip": zipped(zip.Store, file{"m.gz", gzipped(data)}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := NewClient(new(storage.Client))
	defer c.Close()
	for location, placed := range map[string]bool{
		"plain": true, "a.gz": false, "stored.zip::m": true, "deflated.zip::m": false, "a.tar::m": true, "a.tar.gz::m": false,
		"nested.tar::in.zip::m": true, "only.zip": true, "packed.zip::m.gz": false,
	} {
		path, at, err := c.Place(t.Context(), filepath.Join(dir, location))
		if !placed {
			if err == nil || !strings.Contains(err.Error(), location) {
				t.Errorf("%s: %s at %d, %v, expected an error that names it", location, path, at, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", location, err)
			continue
		}
		whole, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(whole[at:]), data) {
			t.Errorf("%s: at %d of %s: %v, or other bytes", location, at, path, err)
		}
	}
	if _, _, err := c.Place(t.Context(), storage.Stdin); err == nil {
		t.Error("standard input has a place")
	}
}
