package viewer_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/tgmconv/tgmconv/internal/plot/coast"
	"github.com/tgmconv/tgmconv/internal/plot/colour"
	"github.com/tgmconv/tgmconv/serve/viewer"
)

// get returns a file as it is sent, and as it is.
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

// TestFilesAreSmall: all that the viewer reads beside maps is less than 100 kB, and asks no other host.
func TestFilesAreSmall(t *testing.T) {
	total := 0
	for _, name := range []string{"viewer.js", "viewer.css", "tables.json", "coast.bin"} {
		sent, data := get(t, name)
		total += len(sent)
		for _, address := range regexp.MustCompile(`https?://[\w.]+`).FindAll(data, -1) {
			if string(address) != "http://www.w3.org" { // a namespace
				t.Errorf("%s names %s", name, address)
			}
		}
	}
	if total > 100_000 {
		t.Errorf("%d bytes", total)
	}
}

func TestCoast(t *testing.T) {
	lines, err := coast.Lines()
	if err != nil {
		t.Fatal(err)
	}
	_, data := get(t, "coast.bin")
	next := func() int {
		v := int(int16(binary.LittleEndian.Uint16(data)))
		data = data[2:]
		return v
	}
	for i, l := range lines {
		if border, n := next() == 1, next(); border != l.Border || n != len(l.Points) {
			t.Fatalf("line %d: border %v of %d points, expected %v of %d", i, border, n, l.Border, len(l.Points))
		}
		for _, p := range l.Points {
			if lon, lat := float64(next())/100, float64(next())/100; lon != p.Lon || lat != p.Lat {
				t.Fatalf("line %d: %v, %v, expected %v", i, lon, lat, p)
			}
		}
	}
	if len(data) > 0 {
		t.Errorf("%d bytes are left", len(data))
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
