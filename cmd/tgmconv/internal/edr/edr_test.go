package edr_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/edr"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// ask answers requests for a dataset of a field of 0.25 degrees.
func ask(t *testing.T, opts edr.Options) func(path string) (int, string) {
	t.Helper()
	a, err := archive.Open(t.Context(), []string{"../../../../fixtures/grib/2t.grib2"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	h := edr.New(a.Set, a, opts)
	return func(path string) (int, string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/edr"+path, nil)
		if !edr.Answers(r) {
			t.Fatalf("%s is for others", path)
		}
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
}

// collectionOf is the path of the only collection.
func collectionOf(t *testing.T, ask func(string) (int, string)) string {
	t.Helper()
	code, text := ask("/collections")
	var list struct{ Collections []struct{ ID string } }
	if err := json.Unmarshal([]byte(text), &list); code != http.StatusOK || err != nil || len(list.Collections) != 1 {
		t.Fatalf("%d %s: %v", code, text, err)
	}
	return "/collections/" + list.Collections[0].ID
}

func TestPosition(t *testing.T) {
	ask := ask(t, edr.Options{Locations: []extract.Place{{Name: "Frankfurt", Lat: 50.1, Lon: 8.7}}})
	c := collectionOf(t, ask)
	const want = "284.0926055908203"
	for _, path := range []string{
		"/position?coords=POINT(8.7+50.1)", "/position?coords=point(8.7+50.1)&datetime=2026-04-04T00:00:00Z&z=2&parameter-name=t2m,t2m",
		"/position?coords=POINT(8.7+50.1)&datetime=../2026-04-04", "/position?coords=MULTIPOINT((8.7+50.1))&crs=CRS84", "/locations/Frankfurt",
	} {
		for _, format := range []string{"", "CSV", "GeoJSON", "CoverageJSON"} {
			join := "?f="
			if strings.Contains(path, "?") {
				join = "&f="
			}
			p := c + path
			if format != "" {
				p += join + format
			}
			if strings.Contains(p, "parameter-name") {
				p = strings.ReplaceAll(p, "t2m,t2m", parameterOf(t, ask, c))
			}
			if code, text := ask(p); code != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("%s: %d %s", p, code, text)
			}
		}
	}
	code, text := ask(c + "/cube?bbox=-0.25,48.25,0,48.5&f=CSV")
	if rows, err := csv.NewReader(strings.NewReader(text)).ReadAll(); code != http.StatusOK || err != nil || len(rows) != 5 {
		t.Errorf("a cube of four points: %d %s %v", code, text, err)
	}
	code, text = ask(c + "/area?f=CSV&coords=" + url.QueryEscape("POLYGON((-0.3 48.2, 0.1 48.2, 0.1 48.6, -0.3 48.6, -0.3 48.2))"))
	if rows, err := csv.NewReader(strings.NewReader(text)).ReadAll(); code != http.StatusOK || err != nil || len(rows) != 5 {
		t.Errorf("an area of four points: %d %s %v", code, text, err)
	}
	if code, text = ask(c + "/locations"); code != http.StatusOK || !strings.Contains(text, `"id":"Frankfurt"`) {
		t.Errorf("%d %s", code, text)
	}
}

// parameterOf is the name of the only parameter.
func parameterOf(t *testing.T, ask func(string) (int, string), c string) string {
	t.Helper()
	_, text := ask(c)
	var of struct {
		Parameters map[string]any `json:"parameter_names"`
	}
	if err := json.Unmarshal([]byte(text), &of); err != nil || len(of.Parameters) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	for name := range of.Parameters {
		return name
	}
	return ""
}

// TestRefused expects errors that name the fault.
func TestRefused(t *testing.T) {
	ask := ask(t, edr.Options{MaxPoints: 10, MaxBytes: 100_000})
	c := collectionOf(t, ask)
	for _, test := range []struct {
		path string
		code int
		text string
	}{
		{"/nothing", 404, "no such resource"}, {"/collections/x", 404, "no collection"}, {c + "/trajectory?coords=POINT(1+2)", 404, "no such query"},
		{c + "/position", 400, "well-known text"}, {c + "/position?coords=POINT(1)", 400, "well-known text"}, {c + "/position?coords=POINT(8+95)", 400, "degrees"},
		{c + "/position?coords=POINT(NaN+1)", 400, "well-known"}, {c + "/position?coords=POLYGON((1+2,3+4,5+6,1+2))", 400, "expected POINT"},
		{c + "/position?coords=" + strings.Repeat("x", 1<<17), 413, "bytes"},
		{c + "/position?coords=POINT(1+2)&f=xml", 400, "expected CoverageJSON"}, {c + "/position?coords=POINT(1+2)&crs=EPSG:3857", 400, "crs"},
		{c + "/position?coords=POINT(1+2)&datetime=today", 400, "datetime"}, {c + "/position?coords=POINT(1+2)&datetime=2020-01-02/2020-01-01", 400, "datetime"},
		{c + "/position?coords=POINT(1+2)&datetime=1999-01-01", 404, "no field"}, {c + "/position?coords=POINT(1+2)&z=x", 400, "z is"},
		{c + "/position?coords=POINT(1+2)&z=850", 404, "no field"}, {c + "/position?coords=POINT(1+2)&parameter-name=x", 400, "has no parameter"},
		{c + "/area?coords=POINT(1+2)", 400, "expected POLYGON"}, {c + "/cube?bbox=1,2,3", 400, "bbox"}, {c + "/cube?bbox=0,0,10,100", 400, "bbox"},
		{c + "/cube?bbox=0,0,10,10", 413, "more than 10 points (--max-points of the server)"}, {c + "/cube?bbox=0.05,0.05,0.1,0.1", 404, "no point"}, {c + "/locations/x", 404, "no location"},
		{c + "/position?coords=MULTIPOINT(" + strings.Repeat("1+2,", 10) + "1+2)", 413, "11 points, expected at most 10 (--max-points"},
	} {
		code, text := ask(test.path)
		if code != test.code || !strings.Contains(text, test.text) || !json.Valid([]byte(text)) {
			t.Errorf("%.100s: %d %s, expected %d %s", test.path, code, text, test.code, test.text)
		}
	}
}
