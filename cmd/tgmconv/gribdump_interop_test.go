//go:build interop

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// eccodesFolder has the tools of ecCodes 2.50, whichever Python they were installed with.
var eccodesFolder = func() string {
	const pattern = "../../.interop/venv/lib/python3*/site-packages/eccodeslib"
	if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
		return found[0]
	}
	return pattern
}()

// corpusFiles are files of moderate size from the corpus of other projects' samples, if that was
// fetched.
func corpusFiles(t *testing.T, n int) (list []string) {
	t.Helper()
	all, err := filepath.Glob("../../.interop/corpus/grib/*.gr*b*")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range all {
		info, err := os.Stat(name)
		if err == nil && info.Size() < 200<<10 && i%3 == 0 && len(list) < n {
			list = append(list, name)
		}
	}
	return list
}

// TestGRIBDumpIsGRIBDump shows the first message of every sample file, and of a part of the corpus,
// with grib_dump of ecCodes 2.50 and with grib dump, and compares the lines. Blanks do not count.
func TestGRIBDumpIsGRIBDump(t *testing.T) {
	tool, err := filepath.Abs(eccodesFolder + "/bin/grib_dump")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tool); err != nil {
		t.Skip("no grib_dump of ecCodes 2.50: ", tool)
	}
	files, err := filepath.Glob("../../fixtures/grib/*/*.grib*")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.Contains(name, "malformed") })
	if len(files) < 50 {
		t.Fatalf("%d files", len(files))
	}
	files = append(files, corpusFiles(t, 25)...)
	compared := 0
	for _, file := range files {
		for _, flags := range [][]string{{"-w", "count=1"}, {"-O", "-w", "count=1"}, {"-j", "-w", "count=1"}} {
			if compareDumps(t, tool, append(flags, file)) {
				compared++
			}
		}
	}
	t.Logf("%d dumps", compared)
	if compared < 150 {
		t.Errorf("only %d dumps were compared", compared)
	}
}

func compareDumps(t *testing.T, tool string, args []string) bool {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+eccodesFolder+"/lib64")
	want, err := cmd.Output()
	if err != nil {
		t.Logf("grib_dump %q: %v", args, err)
		return false
	}
	var out, problems bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetErr(&problems)
	if code := run(t.Context(), root, append([]string{"grib", "dump"}, args...), &problems); code != 0 {
		t.Errorf("grib dump %q: exit code %d: %s", args, code, &problems)
		return false
	}
	if args[0] == "-j" {
		compareDumpJSON(t, args, out.Bytes(), want)
		return true
	}
	got, wanted := wordsOfDump(out.String()), wordsOfDump(string(want))
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Errorf("grib dump %q, line %d:\n%.300q, expected\n%.300q", args, i+1, at(got, i), at(wanted, i))
			break
		}
	}
	return true
}

// wordsOfDump are the lines of a text with single blanks. The bytes of bitmaps and padding are left
// out: grib_dump ends them a byte early.
func wordsOfDump(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		if hexBytes := strings.Trim(line, "0123456789abcdef, ") == ""; line != "" && !(hexBytes && len(line) > 1 && !strings.Contains(line, ".")) {
			lines = append(lines, line)
		}
	}
	return lines
}

// whileDumping is the value to which grib_dump -j sets the key missingValue.
const whileDumping = -1e100

type dumpedKey struct {
	Key   string
	Value any
}

func compareDumpJSON(t *testing.T, args []string, got, want []byte) {
	t.Helper()
	var g, w struct{ Messages [][]dumpedKey }
	if err := json.Unmarshal(want, &w); err != nil {
		t.Logf("grib_dump %q writes no JSON: %v", args, err)
		return
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Errorf("grib dump %q writes no JSON: %v", args, err)
		return
	}
	if len(g.Messages) != 1 || len(w.Messages) != 1 {
		t.Errorf("grib dump %q: %d messages, grib_dump %d", args, len(g.Messages), len(w.Messages))
		return
	}
	a, b := g.Messages[0], w.Messages[0]
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			t.Errorf("grib dump %q: %d keys, grib_dump %d", args, len(a), len(b))
			return
		}
		wanted := b[i].Value
		if list, ok := wanted.([]any); ok {
			wanted = list[:min(len(list), 100)]
			for i, v := range list {
				if v == whileDumping {
					list[i] = nil // the last element is not written as null as the others
				}
			}
		}
		if b[i].Key == "missingValue" && wanted == whileDumping {
			continue
		}
		if a[i].Key != b[i].Key || !reflect.DeepEqual(a[i].Value, wanted) {
			t.Errorf("grib dump %q: %.200s, expected %.200s", args, fmt.Sprint(a[i]), fmt.Sprint(b[i]))
			return
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
