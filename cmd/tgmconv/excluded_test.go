package main

import (
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestExcludedObjects reads one object of a file of hundreds at an address: its metadata exclude all others before
// anything of them is read.
func TestExcludedObjects(t *testing.T) {
	dir := t.TempDir()
	runs(t, "convert", "-q", "-o", filepath.Join(dir, "all.tgm"), "../../fixtures/grib/gfs_2p50_f000.grib2")
	var requests atomic.Int64
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, verb := range []string{"ls", "values --lat 50 --lon 8", "values --index 10,20 -w name=gust", "stats", "extract --at 50,8", "get -p name"} {
		args := append(strings.Fields(verb), "-w", "object=3")
		requests.Store(0)
		remote, code := output(t, append(args, server.URL+"/all.tgm")...)
		if n := requests.Load(); n == 0 || n > 5 {
			t.Errorf("%s: %d requests, expected at most 5", verb, n)
		}
		local, localCode := output(t, append(args, filepath.Join(dir, "all.tgm"))...)
		if code != cli.ExitOK || localCode != cli.ExitOK || remote != local || !strings.Contains(remote, "gust") {
			t.Errorf("%s: exit code %d\n%s\nexpected that of the file:\n%s", verb, code, remote, local)
		}
	}
}
