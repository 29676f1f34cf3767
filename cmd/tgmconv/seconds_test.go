package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"
)

// TestSecondsHaveTheDownload demands that the seconds of a report cover the whole command, with the
// time in which a server waits before it answers.
func TestSecondsHaveTheDownload(t *testing.T) {
	const wait = 300 * time.Millisecond
	dir, files := t.TempDir(), http.NewServeMux()
	files.Handle("/grib/", http.FileServer(http.Dir("../../fixtures")))
	files.Handle("/made/", http.StripPrefix("/made/", http.FileServer(http.Dir(dir))))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(wait)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, args := range [][]string{
		{"convert", "--json", "-q", "-o", filepath.Join(dir, "a.tgm"), server.URL + "/grib/sanity.grib2"},
		{"to-netcdf", "--json", "-q", "-o", filepath.Join(dir, "a.nc"), server.URL + "/grib/sanity.grib2"},
		{"to-grib", "--json", "-q", "-o", filepath.Join(dir, "a.grib"), server.URL + "/made/a.tgm"},
		{"to-zarr", "--json", "-q", "-o", filepath.Join(dir, "a.zarr"), server.URL + "/grib/sanity.grib2"},
	} {
		root := rootOf(args)
		var stdout, stderr bytes.Buffer
		root.SetOut(&stdout)
		root.SetErr(&stderr)
		code := run(t.Context(), root, args, &stderr)
		var report struct{ Seconds float64 }
		if err := json.Unmarshal(stdout.Bytes(), &report); err != nil || code != 0 {
			t.Errorf("%s: exit code %d, %v: %s", args[0], code, err, &stderr)
			continue
		}
		if report.Seconds < wait.Seconds() {
			t.Errorf("%s: %v seconds, the server alone takes %v", args[0], report.Seconds, wait)
		}
	}
}
