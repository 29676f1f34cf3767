package site_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// shownSite is a site of a file.
func shownSite(t *testing.T, opts site.Options, name string) *site.Site {
	t.Helper()
	a, err := archive.Open(t.Context(), []string{name}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	s := site.New(opts)
	if err := s.Show(t.Context(), a); err != nil {
		a.Close()
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestMaps: the page names the snapshot whose fields, tiles and series a viewer asks for.
func TestMaps(t *testing.T) {
	s := shownSite(t, site.Options{}, gribFile)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	root := "/" + s.Snapshot()
	if page := w.Body.String(); !strings.Contains(page, `data-maps="`+s.Snapshot()+`"`) || !strings.Contains(page, `src="@viewer/viewer.js"`) {
		t.Error("the page has no viewer")
	}
	rules := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(rules, "default-src 'none'") || strings.Contains(rules, "unsafe") || strings.Contains(rules, "http") {
		t.Errorf("Content-Security-Policy: %s", rules)
	}
	code, text := get(s, root+"/@fields.json", "*/*")
	var fields struct {
		Fields []struct {
			Path string
			Lead []struct {
				Name, Dimension string
				Length          int
			}
		}
		Dimensions map[string]struct{ Values []any }
	}
	if err := json.Unmarshal([]byte(text), &fields); err != nil || code != http.StatusOK || len(fields.Fields) == 0 {
		t.Fatalf("status %d: %s: %v", code, text, err)
	}
	for _, f := range fields.Fields {
		for _, a := range f.Lead {
			if len(fields.Dimensions[a.Dimension].Values) != a.Length {
				t.Errorf("%s: %d labels along %s, of length %d", f.Path, len(fields.Dimensions[a.Dimension].Values), a.Name, a.Length)
			}
		}
	}
	for path, want := range map[string]int{
		"/@map/t/zarr.json": 200, "/@map/t/0/t/c/0/0/0/0/0": 200, "/@map/t/0/t/c/99/0/0/0/0": 410, "/@map/nothing/zarr.json": 404,
		"/@series.json?variable=t&latitude=50&longitude=10&along=number&at=0,0,0":    200,
		"/@series.json?variable=t&latitude=50&longitude=10&along=number&at=0,0":      400,
		"/@series.json?variable=t&latitude=NaN&longitude=10&along=number&at=0,0,0":   400,
		"/@series.json?variable=t&latitude=50&longitude=x&along=number&at=0,0,0":     400,
		"/@series.json?variable=t&latitude=50&longitude=10&along=number&at=0,0,9999": 400,
		"/@series.json": 400,
		"/@series.json?variable=t&latitude=50&longitude=10&along=time&at=0,0,0&over=number": 200,
		"/@series.json?variable=t&latitude=50&longitude=10&along=time&at=0,0,0&over=x":      400,
		"/@box.json?variable=t&north=50&west=0&south=40&east=10&at=0,0,0":                   200,
		"/@head.json?variable=t":                                           200,
		"/@tile.bin?variable=t&halved=0&row=0&col=0&at=0,0,0":              200,
		"/@tile.bin?variable=t&halved=9&row=0&col=0&at=0,0,0":              400,
		"/@tile.bin?variable=t&halved=0&row=0&col=7&at=0,0,0":              400,
		"/@tile.bin?variable=t&halved=0&row=0&at=0,0,0":                    400,
		"/@head.json?variable=none":                                        400,
		"/@box.json?variable=t&north=40&west=0&south=50&east=10&at=0,0,0":  400,
		"/@box.json?variable=t&north=50&west=0&south=40&east=Inf&at=0,0,0": 400,
	} {
		if code, text := get(s, root+path, "*/*"); code != want {
			t.Errorf("%s: status %d, expected %d: %.200s", path, code, want, text)
		}
	}
	for _, name := range []string{"viewer.js", "viewer.css", "tables.json", "coast-110m.bin"} {
		if code, text := get(s, "/@viewer/"+name, "*/*"); code != http.StatusOK || len(text) < 1000 {
			t.Errorf("%s: status %d, %d bytes", name, code, len(text))
		}
	}
	if code, _ := get(s, "/@viewer/other", "*/*"); code != http.StatusNotFound {
		t.Errorf("another file of the viewer: status %d", code)
	}
}

// TestNoViewer: without the viewer there is nothing of it.
func TestNoViewer(t *testing.T) {
	s := shownSite(t, site.Options{Views: site.ViewsOptions{NoViewer: true}}, gribFile)
	if _, page := get(s, "/", "text/html"); strings.Contains(page, "<script") || strings.Contains(page, "@viewer") {
		t.Error("the page has the viewer")
	}
	for _, path := range []string{"/@viewer/viewer.js", "/" + s.Snapshot() + "/@fields.json", "/" + s.Snapshot() + "/@map/t/zarr.json"} {
		if code, _ := get(s, path, "*/*"); code < 400 {
			t.Errorf("%s: status %d", path, code)
		}
	}
}
