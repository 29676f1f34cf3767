package archive_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// everySecond are options to use every second message, and to keep the index.
func everySecond(mode archive.IndexMode) archive.Options {
	return archive.Options{
		Index: mode, KeepIndex: true, SelectIndexed: true, Select: func(o *dataset.Object) bool { return o.Message%2 == 0 },
	}
}

// pointOf reads a point of each field.
func pointOf(t *testing.T, a *archive.Archive, fields int) (values []byte) {
	t.Helper()
	if a.Catalog.Len() != fields {
		t.Fatalf("%d objects, expected %d", a.Catalog.Len(), fields)
	}
	for ref := range fields {
		of, err := a.Array(t.Context(), ref)
		value := make([]byte, 8)
		if err == nil {
			err = array.Pick(t.Context(), of, []uint64{400*1440 + 700}, value)
		}
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, value...)
	}
	return values
}

// TestFirstUse reads a point of some fields on a server twice: the first use writes the index, by which the second
// reads nothing but the points.
func TestFirstUse(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	field, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	const messages = 8
	file := bytes.Repeat(field, messages)
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(countingWriter{w, &sent}, r, "a.grib2", time.Time{}, bytes.NewReader(file))
	}))
	defer server.Close()
	names := []string{server.URL + "/a.grib2"}
	var values [][]byte
	for range 2 {
		sent.Store(0)
		a, err := archive.List(t.Context(), names, everySecond(archive.IndexAuto))
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, pointOf(t, a, messages/2))
		a.SaveIndex(t.Context())
		a.Close()
	}
	if !bytes.Equal(values[0], values[1]) {
		t.Errorf("%x with the index, %x without", values[1], values[0])
	}
	if most := int64(1<<10 + messages/2*6<<10); sent.Load() > most {
		t.Errorf("%d bytes were sent for %d points, expected at most %d", sent.Load(), messages/2, most)
	}
	// The index has the objects that were not chosen.
	a, err := archive.List(t.Context(), names, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Catalog.Len() != messages || a.Indexed != 1 {
		t.Errorf("%d objects of %d indexed files, expected %d of 1", a.Catalog.Len(), a.Indexed, messages)
	}
}

// TestFirstUseOfFolder writes the index of a folder beside its files, and none for a small folder by itself.
func TestFirstUseOfFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	field, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"a.grib2", "b.grib2"} {
		if err := os.WriteFile(filepath.Join(folder, name), bytes.Repeat(field, 2), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		mode    archive.IndexMode
		indexed int
	}{{archive.IndexAuto, 0}, {archive.IndexAuto, 0}, {archive.IndexBeside, 0}, {archive.IndexAuto, 2}} {
		a, err := archive.List(t.Context(), []string{folder}, everySecond(c.mode))
		if err != nil {
			t.Fatal(err)
		}
		pointOf(t, a, 2)
		a.SaveIndex(t.Context())
		if a.Close(); a.Indexed != c.indexed {
			t.Errorf("use %d: %d files came from the index, expected %d", i, a.Indexed, c.indexed)
		}
	}
}
