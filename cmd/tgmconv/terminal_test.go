package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

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
