package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A sent counts the bytes of answers.
type sent struct {
	http.ResponseWriter
	bytes *int
}

func (s sent) Write(p []byte) (int, error) {
	*s.bytes += len(p)
	return s.ResponseWriter.Write(p)
}

// TestGRIBHeadsByAddress demands of a large file on a server the output for the file on disk, and
// only the heads of its messages where they suffice.
func TestGRIBHeadsByAddress(t *testing.T) {
	one, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	const copies = 30
	data := append(bytes.Repeat(one, copies), "GRIB\x00\x00\x00\x02 cut off"...)
	path := filepath.Join(t.TempDir(), "many.grib2")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  string
		heads bool
	}{
		{"grib ls", true}, {"grib ls -p shortName,level -w count>20", true}, {"grib get -m", true}, {"grib count -f", true},
		{"grib get -p max", false},
	} {
		total := 0
		answer := make(chan struct{}, 1) // one at a time, so that they can be counted
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer <- struct{}{}
			defer func() { <-answer }()
			http.ServeContent(sent{w, &total}, r, "", time.Time{}, bytes.NewReader(data))
		}))
		got, code := output(t, append(strings.Fields(c.args), server.URL)...)
		server.Close()
		want, wantCode := output(t, append(strings.Fields(c.args), path)...)
		want = strings.ReplaceAll(want, path, server.URL)
		if got != want || code != wantCode {
			t.Errorf("%s: exit code %d, expected %d; found\n%s\nexpected\n%s", c.args, code, wantCode, got, want)
		}
		if limit := len(data) / 2; (total < limit) != c.heads {
			t.Errorf("%s: %d bytes were sent of %d", c.args, total, len(data))
		}
	}
}

// output is the text that a command prints, and its exit code.
func output(t *testing.T, args ...string) (string, int) {
	root := rootOf(args)
	var stdout, stderr bytes.Buffer
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	code := run(t.Context(), root, args, &stderr)
	return stdout.String() + stderr.String(), code
}
