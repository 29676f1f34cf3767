package site_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/serve"
)

// Neither the page nor the report says where files lie on the server: names are relative to the
// served folder.
func TestNoPathsOfServer(t *testing.T) {
	dir := t.TempDir()
	folder, other := filepath.Join(dir, "secret", "served"), filepath.Join(dir, "secret", "other.grib2")
	if err := os.MkdirAll(filepath.Join(folder, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeGRIB(t, filepath.Join(folder, "deep", "a.grib2"), 6, 1)
	writeGRIB(t, filepath.Join(folder, "deep", "b.grib2"), 6, 2) // at the same position
	writeGRIB(t, other, 12, 1)
	if err := os.WriteFile(filepath.Join(folder, "broken.nc"), []byte("CDF\x01 broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		names  []string
		prefix string
	}{{[]string{folder}, ""}, {[]string{folder, other}, "served/"}} {
		a, err := archive.Open(t.Context(), c.names, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		shown, err := site.NewViews(a, site.ViewsOptions{Title: "served"})
		if err != nil {
			t.Fatal(err)
		}
		h := serve.NewHandler(shown.Store(), serve.HandlerOptions{Page: shown.Page})
		for path, want := range map[string][]string{
			"/": {c.prefix + "broken.nc"}, "/@report.json": {`"` + c.prefix + "broken.nc", `"` + c.prefix + "deep/a.grib2", "as " + c.prefix + "deep/b.grib2"},
		} {
			r := httptest.NewRequest("GET", path, nil)
			r.Header.Set("Accept", "text/html")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if body := w.Body.String(); strings.Contains(body, "secret") {
				t.Errorf("%v: %s has a path of the server: %s", c.names, path, body)
			}
			for _, text := range want {
				if !strings.Contains(w.Body.String(), text) {
					t.Errorf("%v: %s has no %s: %s", c.names, path, text, w.Body)
				}
			}
		}
	}
}
