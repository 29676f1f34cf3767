package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/importers"
)

// TestProgressOfReads demands that a bar appears when inputs are read for long, as far as they were
// read, and goes away.
func TestProgressOfReads(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := &progress{terminal: out}
	p.read("a", 0, 10, 100)
	if p.bar != nil {
		t.Error("a bar appears at once")
	}
	p.since = time.Now().Add(-quietTime)
	p.read("b", 0, 50, 300)
	p.read("a", 0, 5, 100) // again
	if p.bar == nil || p.bar.Current() != 60 || p.total != 400 {
		t.Errorf("bar %v of %d, expected 60 of 400", p.bar, p.total)
	}
	p.update(importers.Progress{BytesIn: 20})
	if p.bar.Current() != 60 {
		t.Errorf("the bar went back to %d", p.bar.Current())
	}
	p.end()
	if p.bar != nil {
		t.Error("the bar stays")
	}
	p.silence()
	p.read("a", 0, 100, 100)
	if p.bar != nil {
		t.Error("a bar appears without a terminal")
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		{map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, false},
		{map[string]string{}, false}, // no terminal
	} {
		for _, name := range []string{"CLICOLOR_FORCE", "NO_COLOR", "TERM"} {
			t.Setenv(name, c.env[name])
		}
		if got := wantsColours(new(bytes.Buffer)); got != c.want {
			t.Errorf("%v: %v, expected %v", c.env, got, c.want)
		}
	}
}

// TestErrorAsJSON demands that a command with --json that fails prints the error as JSON.
func TestErrorAsJSON(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.nc")
	for _, args := range [][]string{
		{"convert", "--json", "-o", none + ".tgm", none}, {"stats", "--json", none}, {"tet", "info", "--json", none},
		{"to-zarr", "--json", "-o", none + ".zarr", none}, {"stats", "--json", "--bins", "0", none},
		{"grib", "ls", "--json", none}, {"grib", "ls", "--json", "-B", "step", none}, {"grib", "ls", "--json", "-l", "1,1", none}, {"grib", "dump", "--json", none},
	} {
		root := newRoot()
		var stdout, stderr bytes.Buffer
		root.SetOut(&stdout)
		root.SetErr(&stderr)
		code := run(t.Context(), root, args, &stderr)
		var got struct {
			Error    string `json:"error"`
			ExitCode int    `json:"exit_code"`
		}
		decoder := json.NewDecoder(&stdout)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil || code == 0 || got.ExitCode != code || got.Error == "" {
			t.Errorf("%v: exit code %d, JSON %+v: %v", args, code, got, err)
		}
		if !strings.Contains(stderr.String(), got.Error) {
			t.Errorf("%v: %q is not on standard error: %s", args, got.Error, &stderr)
		}
	}
}
