package overview_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/overview"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// named is a dataset of one variable.
func named(name string) (*dataset.Dataset, error) {
	base := map[string]any{"name": name, "reference_time": "2026-01-01T00:00:00Z", "mars": map[string]any{"class": "<script>"}}
	return dataset.Build(func(yield func(dataset.Object, error) bool) {
		yield(dataset.Object{Base: mapping.Read(base), Shape: []uint64{2}, DType: tgm.Float32}, nil)
	}, dataset.Options{})
}

func get(t *testing.T, p *overview.Page, host string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("status %d, type %s", w.Code, w.Header().Get("Content-Type"))
	}
	return w.Body.String()
}

// Texts from files and requests are text in the page, and never markup.
func TestPageIsEscaped(t *testing.T) {
	const evil = `<script>alert("1")</script>`
	set, err := named(evil)
	if err != nil {
		t.Fatal(err)
	}
	p := overview.New(set, overview.Options{Title: evil, Links: []overview.Link{{"/@report.json", evil}}, Bad: []string{evil}})
	page := get(t, p, "example.org")
	if strings.Contains(page, "<script") {
		t.Error("the page has a script")
	}
	for _, want := range []string{"&lt;script&gt;alert", `xarray.open_zarr(&#34;http://example.org&#34;)`, "zarrita", `name="viewport"`} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %s in the page", want)
		}
	}
}

func TestWanted(t *testing.T) {
	for _, test := range []struct {
		path, accept string
		want         bool
	}{
		{"/", "text/html,application/xhtml+xml", true}, {"/", "*/*", false}, {"/index.html", "*/*", true},
		{"/zarr.json", "text/html", false}, {"/?list-type=2", "text/html", false},
	} {
		r := httptest.NewRequest(http.MethodGet, test.path, nil)
		r.Header.Set("Accept", test.accept)
		if got := overview.Wanted(r); got != test.want {
			t.Errorf("%s with %s: %v", test.path, test.accept, got)
		}
	}
}

func Example() {
	set, err := named("t")
	if err != nil {
		fmt.Println(err)
		return
	}
	page := overview.New(set, overview.Options{Title: "forecast.tgm"})
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Println(w.Code, strings.Contains(w.Body.String(), "<h1>forecast.tgm</h1>"))
	// Output: 200 true
}
