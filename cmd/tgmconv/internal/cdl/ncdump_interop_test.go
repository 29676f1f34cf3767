//go:build interop

package cdl_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
)

// TestNcdump compares the text with ncdump's, for the fixtures and the files of the corpus.
func TestNcdump(t *testing.T) {
	paths := files("fixtures/netcdf/*", "fixtures/netcdf/*/*", ".interop/corpus/netcdf/*")
	compared := 0
	for _, path := range paths {
		if st, err := os.Stat(path); err != nil || st.Size() > 4<<20 || foreign(path) {
			continue
		}
		for flag, data := range flags {
			want, ok := ncdump(t, flag, path)
			if !ok {
				continue
			}
			got, err := dump(path, data)
			if err != nil {
				t.Errorf("%s %s: %v", flag, path, err)
				continue
			}
			compared++
			if !bytes.Equal(got, want) {
				t.Errorf("%s %s: %s", flag, path, firstDifference(string(got), string(want)))
			}
		}
	}
	t.Logf("%d texts of ncdump compared", compared)
}

// TestFreeze writes down the output of ncdump for the fixtures, when FREEZE is set.
func TestFreeze(t *testing.T) {
	if os.Getenv("FREEZE") == "" {
		t.Skip("FREEZE is not set")
	}
	texts := make(map[string]string)
	for _, path := range files("fixtures/netcdf/*", "fixtures/netcdf/*/*") {
		if foreign(path) {
			continue
		}
		for flag := range flags {
			text, ok := ncdump(t, flag, path)
			if name, err := filepath.Rel("../../../../fixtures/netcdf", path); ok && err == nil && len(text) < 64<<10 {
				texts[flag+" "+name] = string(text)
			}
		}
	}
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err := json.NewEncoder(z).Encode(texts); err != nil {
		t.Fatal(err)
	}
	z.Close()
	if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts", len(texts))
}

func files(patterns ...string) (paths []string) {
	for _, pattern := range patterns {
		found, _ := filepath.Glob("../../" + pattern)
		for _, path := range found {
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// ncdump is its output; false if it fails.
func ncdump(t *testing.T, flag, path string) ([]byte, bool) {
	t.Helper()
	program, err := exec.LookPath("ncdump")
	if err != nil {
		t.Skip("not installed: ncdump")
	}
	text, err := exec.Command(program, flag, path).Output()
	return text, err == nil
}

// foreign reports whether a file has parts that the netCDF library did not write, and that its releases show
// differently: types without names, groups with two names.
func foreign(path string) bool {
	f, err := netcdf.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	return foreignGroup(f.Root())
}

func foreignGroup(g *netcdf.Group) bool {
	attrs := g.Attrs
	types := []*netcdf.Type{}
	for _, v := range g.Vars {
		attrs = append(attrs[:len(attrs):len(attrs)], v.Attrs...)
		types = append(types, v.Type)
	}
	for _, a := range attrs {
		types = append(types, a.Type)
	}
	for _, t := range types {
		if t.Class > netcdf.Compound || t.Class > netcdf.String && (t.Name == "" || strings.HasPrefix(t.Name, "_Anonymous")) {
			return true
		}
	}
	for _, c := range g.Groups {
		if foreignGroup(c) {
			return true
		}
	}
	return len(g.Aliases) > 0 || len(g.Skipped) > 0
}
