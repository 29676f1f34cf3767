package archive_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

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
