package viewer_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/viewer"
	"github.com/tgmconv/tgmconv/internal/plot/coast"
	"github.com/tgmconv/tgmconv/internal/plot/colour"
)

// get returns a file as it is sent, and unpacked.
func get(t *testing.T, name string) (sent, data []byte) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/@viewer/"+name, nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	viewer.File(name).ServeHTTP(w, r)
	if w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("%s: status %d, coding %q", name, w.Code, w.Header().Get("Content-Encoding"))
	}
	sent = w.Body.Bytes()
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return sent, data
}

// TestFilesAreSmall: all that the viewer reads beside maps is less than 120 kB, and asks no other host.
func TestFilesAreSmall(t *testing.T) {
	total := 0
	for _, name := range []string{"viewer.js", "viewer.css", "tables.json", "coast-110m.bin"} {
		sent, data := get(t, name)
		total += len(sent)
		for _, address := range regexp.MustCompile(`https?://[\w.]+`).FindAll(data, -1) {
			if string(address) != "http://www.w3.org" { // a namespace
				t.Errorf("%s names %s", name, address)
			}
		}
	}
	if total > 120_000 {
		t.Errorf("%d bytes", total)
	}
}

func TestCoast(t *testing.T) {
	for name, d := range map[string]coast.Detail{"coast-110m.bin": coast.Scale110m, "coast-50m.bin": coast.Scale50m, "coast-10m.bin": coast.Scale10m} {
		lines, err := coast.Lines(d)
		if err != nil {
			t.Fatal(err)
		}
		_, data := get(t, name)
		next := func() int {
			v := int(int32(binary.LittleEndian.Uint32(data)))
			data = data[4:]
			return v
		}
		for i, l := range lines {
			if border, n := next() == 1, next(); border != l.Border || n != len(l.Points) {
				t.Fatalf("%s: line %d: border %v of %d points, expected %v of %d", name, i, border, n, l.Border, len(l.Points))
			}
			lon, lat := 0, 0
			for _, p := range l.Points {
				lon, lat = lon+next(), lat+next()
				if float64(lon)/coast.Unit != p.Lon || float64(lat)/coast.Unit != p.Lat {
					t.Fatalf("%s: line %d: %d, %d, expected %v", name, i, lon, lat, p)
				}
			}
		}
		if len(data) > 0 {
			t.Errorf("%s: %d bytes are left", name, len(data))
		}
	}
}

func TestTables(t *testing.T) {
	_, data := get(t, "tables.json")
	var tables []struct{ Name, Colours string }
	if err := json.Unmarshal(data, &tables); err != nil {
		t.Fatal(err)
	}
	for i, name := range colour.Names() {
		c, err := base64.StdEncoding.DecodeString(tables[i].Colours)
		if err != nil || len(c) != 3*256 || tables[i].Name != name {
			t.Fatalf("%s: %d bytes: %v", tables[i].Name, len(c), err)
		}
		if want := colour.Named(name).At(0); c[0] != want.R || c[1] != want.G || c[2] != want.B {
			t.Errorf("%s begins with %v, expected %v", name, c[:3], want)
		}
	}
}

// TestImportsRunOneWay looks for circles of imports in src, where only main knows who must react to a change.
func TestImportsRunOneWay(t *testing.T) {
	sources, err := filepath.Glob("src/*.ts")
	if err != nil || len(sources) == 0 {
		t.Fatalf("%d sources: %v", len(sources), err)
	}
	imports := make(map[string][]string)
	pattern := regexp.MustCompile(`(?:from|import) *\(?"\./(\w+)"`)
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".ts")
		for _, m := range pattern.FindAllSubmatch(text, -1) {
			imports[name] = append(imports[name], string(m[1]))
		}
	}
	seen := make(map[string]bool)
	var visit func(name string, above []string)
	visit = func(name string, above []string) {
		if i := slices.Index(above, name); i >= 0 {
			t.Errorf("a circle of imports: %s", strings.Join(append(above[i:], name), " → "))
		}
		if seen[name] {
			return
		}
		seen[name] = true
		for _, next := range imports[name] {
			visit(next, append(slices.Clip(above), name))
		}
	}
	visit("main", nil)
	if len(seen) != len(sources) {
		t.Errorf("main imports %d of %d sources", len(seen), len(sources))
	}
}
