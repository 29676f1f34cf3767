package site_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/overview"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/serve"
)

const (
	// Its chunks have shuffle and deflate.
	groupsFile = "../../../../fixtures/netcdf/tetration_groups_3d.nc"
	gribFile   = "../../../../fixtures/grib/cfgrib/era5-levels-members.grib"
	tgmFile    = "../../../../fixtures/tgm/v0.20/multi_message.tgm"
)

// handler serves the views of files.
func handler(t testing.TB, opts site.ViewsOptions, names ...string) http.Handler {
	t.Helper()
	a, err := archive.Open(t.Context(), names, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	v, err := site.NewViews(a, opts)
	if err != nil {
		t.Fatal(err)
	}
	return serve.NewHandler(v.Store(), serve.HandlerOptions{Page: v.Page})
}

// get is the status and the body of a request that accepts a type.
func get(h http.Handler, path, accept string) (int, string) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(body)
}

// sameCopies copies the Tensogram fixture to files of one name in two folders.
func sameCopies(t *testing.T) (names []string) {
	t.Helper()
	b, err := os.ReadFile(tgmFile)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		name := filepath.Join(t.TempDir(), "a.tgm")
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// TestFolders: every view has the documents of its folder, and the root is one of them.
func TestFolders(t *testing.T) {
	twice := sameCopies(t)
	for _, c := range []struct {
		name          string
		root          site.Root
		files         []string
		found, absent []string
		like          string // the folder that the root shows
	}{
		{"GRIB", site.Dataset, []string{gribFile}, nil, []string{"/@messages/zarr.json"}, "/@dataset"},
		{"GRIB as a tree", site.Tree, []string{gribFile}, nil, []string{"/@messages/zarr.json"}, "/@tree"},
		{"one Tensogram file", site.Dataset, []string{tgmFile}, []string{"/@messages/zarr.json", "/@messages/0/zarr.json"}, nil, "/@dataset"},
		{"two of one name", site.Dataset, twice, []string{"/@messages/a.tgm/zarr.json", "/@messages/a.tgm_1/zarr.json"}, []string{"/@messages/zarr.json"}, "/@dataset"},
	} {
		h := handler(t, site.ViewsOptions{Root: c.root}, c.files...)
		for _, path := range append(c.found, "/zarr.json", "/@dataset/zarr.json", "/@tree/zarr.json") {
			if code, _ := get(h, path, "*/*"); code != http.StatusOK {
				t.Errorf("%s: %s has status %d, expected 200", c.name, path, code)
			}
		}
		for _, path := range c.absent {
			if code, _ := get(h, path, "*/*"); code != http.StatusNotFound {
				t.Errorf("%s: %s has status %d, expected 404", c.name, path, code)
			}
		}
		_, root := get(h, "/zarr.json", "*/*")
		if _, like := get(h, c.like+"/zarr.json", "*/*"); root != like {
			t.Errorf("%s: the root is not what %s shows", c.name, c.like)
		}
	}
}

// TestPage: people see a page with a link to each view, programs the store.
func TestPage(t *testing.T) {
	for name, messages := range map[string]bool{gribFile: false, tgmFile: true} {
		h := handler(t, site.ViewsOptions{Title: "what is shown"}, name)
		code, page := get(h, "/", "text/html")
		if code != http.StatusOK || !strings.Contains(page, "what is shown") || !strings.Contains(page, `"/@tree/"`) {
			t.Errorf("%s: status %d, expected a page with the title and a link to the tree", name, code)
		}
		if strings.Contains(page, `"/@messages/"`) != messages {
			t.Errorf("%s: a link to the messages: %v, expected %v", name, !messages, messages)
		}
		if code, report := get(h, "/"+overview.ReportName, "*/*"); code != http.StatusOK || report == "" {
			t.Errorf("%s: status %d of the report, expected 200", name, code)
		}
	}
}

// TestPageOfRoot wants every array that the page links to at its address, and arrays to open that are
// there.
func TestPageOfRoot(t *testing.T) {
	links := regexp.MustCompile(`href="(/[^"@]*/zarr\.json)"`)
	for _, test := range []struct {
		file, opened string
		root         site.Root
	}{
		{gribFile, `open_zarr(`, site.Dataset},
		{gribFile, `open_datatree(`, site.Tree},
		{groupsFile, `# GDAL does not decode`, site.Dataset},
		{groupsFile, `# GDAL does not decode`, site.Tree},
	} {
		h := handler(t, site.ViewsOptions{Root: test.root}, test.file)
		_, page := get(h, "/", "text/html")
		found := links.FindAllStringSubmatch(page, -1)
		if len(found) == 0 || !strings.Contains(page, test.opened) {
			t.Errorf("%s: %d links, or no %q", test.file, len(found), test.opened)
		}
		for _, link := range found {
			if code, _ := get(h, html.UnescapeString(link[1]), "*/*"); code != http.StatusOK {
				t.Errorf("%s: %s has status %d", test.file, link[1], code)
			}
		}
	}
}

func Example() {
	a, err := archive.Open(context.Background(), []string{gribFile}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	shown, err := site.NewViews(a, site.ViewsOptions{Title: "members"})
	if err != nil {
		fmt.Println(err)
		return
	}
	h := serve.NewHandler(shown.Store(), serve.HandlerOptions{Page: shown.Page})
	for _, path := range []string{"/t/zarr.json", "/@tree/isobaricInhPa/t/zarr.json", "/@messages/zarr.json"} {
		code, _ := get(h, path, "*/*")
		fmt.Println(code, path)
	}
	// Output:
	// 200 /t/zarr.json
	// 200 /@tree/isobaricInhPa/t/zarr.json
	// 404 /@messages/zarr.json
}
