package archive_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// A countingWriter counts the bytes of bodies.
type countingWriter struct {
	http.ResponseWriter
	n *atomic.Int64
}

// Write implements http.ResponseWriter.
func (w countingWriter) Write(p []byte) (int, error) {
	w.n.Add(int64(len(p)))
	return w.ResponseWriter.Write(p)
}

// TestRemoteHeads opens a GRIB file on a server: little more than the heads of its messages is
// sent.
func TestRemoteHeads(t *testing.T) {
	field, err := os.ReadFile("../../fixtures/grib/q_150.grib2")
	if err != nil {
		t.Fatal(err)
	}
	const messages = 20
	file := bytes.Repeat(field, messages)
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(countingWriter{w, &sent}, r, "a.grib2", time.Time{}, bytes.NewReader(file))
	}))
	defer server.Close()
	a := open(t, archive.Options{Index: archive.IndexNone}, server.URL+"/a.grib2")
	if a.Catalog.Len() != messages {
		t.Errorf("%d objects, expected %d", a.Catalog.Len(), messages)
	}
	if limit := int64(messages*2<<10 + 128<<10); sent.Load() > limit {
		t.Errorf("%d bytes were sent for %d messages, expected at most %d", sent.Load(), messages, limit)
	}
}

// TestRemotePoints reads a point of each field of a GRIB file on a server. There is an index with the places
// of the values.
func TestRemotePoints(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	field, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	const messages = 20
	file := bytes.Repeat(field, messages)
	var sent, requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(countingWriter{w, &sent}, r, "a.grib2", time.Time{}, bytes.NewReader(file))
	}))
	defer server.Close()
	address := server.URL + "/a.grib2"
	a, err := archive.List(t.Context(), []string{address}, archive.Options{Index: archive.IndexCache})
	if err != nil {
		t.Fatal(err)
	}
	const point = 400*1440 + 700
	want := make([]byte, 8)
	first, err := a.Array(t.Context(), 0)
	if err == nil {
		err = array.Pick(t.Context(), first, []uint64{point}, want)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n, path, err := a.WriteIndex(t.Context()); err != nil || n != messages {
		t.Fatalf("%d fields in %s: %v", n, path, err)
	} else if st, err := os.Stat(path); err != nil || st.Size() > messages*2000 {
		t.Errorf("an index of %d bytes, expected at most 2000 a field: %v", st.Size(), err)
	}
	a.Close()
	sent.Store(0)
	requests.Store(0)
	if a, err = archive.List(t.Context(), []string{address}, archive.Options{Index: archive.IndexCache}); err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for ref := range messages {
		of, err := a.Array(t.Context(), ref)
		got := make([]byte, 8)
		if err == nil {
			err = array.Pick(t.Context(), of, []uint64{point}, got)
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("field %d: %x, expected %x: %v", ref, got, want, err)
		}
	}
	t.Logf("%d bytes in %d requests", sent.Load(), requests.Load())
	if sent.Load() > messages*12<<10 || requests.Load() > messages+4 {
		t.Errorf("%d bytes in %d requests for a point of %d fields", sent.Load(), requests.Load(), messages)
	}
}
