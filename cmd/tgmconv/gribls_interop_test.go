//go:build interop

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
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

// TestGRIBLsIsGRIBLs lists every sample file with grib_ls of ecCodes 2.50 and with grib ls, in many
// ways, and compares the lines. Blanks at the ends of lines do not count.
func TestGRIBLsIsGRIBLs(t *testing.T) {
	tool, err := filepath.Abs(eccodesFolder + "/bin/grib_ls")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tool); err != nil {
		t.Skip("no grib_ls of ecCodes 2.50: ", tool)
	}
	var files []string
	for _, pattern := range []string{"*.grib*", "*/*.grib*"} {
		found, err := filepath.Glob("../../fixtures/grib/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.Contains(name, "malformed") })
	if len(files) < 50 {
		t.Fatalf("%d files", len(files))
	}
	files = append(files, corpusFiles(t, 15)...)
	for i, flags := range [][]string{
		nil,
		{"-m"},
		{"-n", "time"},
		{"-n", "vertical"},
		{"-n", "parameter"},
		{"-n", "statistics"},
		{"-p", "count,edition:i,shortName:s,level:d,step,stepRange,number,Ni:i,Ni,marsParam,absent,bitsPerValue,referenceValue,totalLength"},
		{"-p", "max:d,min,average,numberOfMissing", "-F", "%.3f"},
		{"-P", "units,validityDate", "-W", "15"},
		{"-w", "level=500/850/0", "-p", "shortName,level"},
		{"-w", "edition:i=2,shortName!=t", "-p", "shortName,level"},
		{"-w", "absent!=1,count!=2", "-p", "name"},
		{"-B", "shortName desc, level", "-p", "level,shortName"},
		{"-l", "50.3,10.2", "-p", "level"},
		{"-l", "50.3,359.7,1"},
		{"-l", "-3,-7.1,1", "-F", "%.3e"},
		{"-i", "3", "-p", "shortName,level"},
		{"-j"},
		{"-j", "-p", "dataTime,level,paramId,expver,stepUnits,referenceValue"},
	} {
		for k, file := range files {
			if i > 1 && (i+k)%3 > 0 {
				continue // a thousand runs of grib_ls take two minutes
			}
			if len(flags) > 0 && flags[0] == "-l" && (strings.Contains(file, "alternate-scanning") || large(t, file)) {
				continue // grib_ls takes the values of the points of rows that run backwards from their other ends
			}
			compareLists(t, tool, append(slices.Clone(flags), file))
		}
	}
	compareLists(t, tool, files[:10])
}

func compareLists(t *testing.T, tool string, args []string) {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+eccodesFolder+"/lib64")
	var failures bytes.Buffer
	cmd.Stderr = &failures
	want, err := cmd.Output()
	if err != nil {
		t.Logf("grib_ls %q: %v", args, err)
		return
	}
	var out, problems bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetErr(&problems)
	code := run(t.Context(), root, append([]string{"grib", "ls"}, args...), &problems)
	if args[0] == "-l" && bytes.Contains(failures.Bytes(), []byte("ERROR")) {
		if code == 0 {
			t.Errorf("grib ls %q: no error, where grib_ls says: %s", args, &failures)
		}
		return
	}
	if code != 0 {
		t.Errorf("grib ls %q: exit code %d: %s", args, code, &problems)
		return
	}
	if args[0] == "-j" {
		compareJSON(t, args, out.Bytes(), want)
		return
	}
	got, wanted := linesOf(out.String()), linesOf(string(want))
	if args[0] == "-l" {
		got, wanted = nearLines(got), nearLines(wanted)
	}
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Errorf("grib ls %q, line %d:\n%q, expected\n%q", args, i+1, at(got, i), at(wanted, i))
			return
		}
	}
}

// large reports whether it takes long to decode all fields of a file.
func large(t *testing.T, name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size() > 1<<20
}

// nearLines are the lines of a list with the values near a place, in an order that does not depend
// on which of them comes first: on grids without rows along parallels ecCodes has no rule for it
// that one could name.
func nearLines(lines []string) []string {
	end := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Input Point") })
	if end < 0 {
		return lines
	}
	for i, line := range lines[:end] {
		words := strings.Fields(line)
		slices.Sort(words)
		lines[i] = strings.Join(words, " ")
	}
	return lines[:end]
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func linesOf(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

func compareJSON(t *testing.T, args []string, got, want []byte) {
	t.Helper()
	var g, w struct{ Messages []map[string]any }
	if err := json.Unmarshal(want, &w); err != nil {
		t.Logf("grib_ls %q writes no JSON: %v", args, err)
		return
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Errorf("grib ls %q writes no JSON: %v", args, err)
		return
	}
	if len(g.Messages) != len(w.Messages) {
		t.Errorf("grib ls %q: %d messages, expected %d", args, len(g.Messages), len(w.Messages))
		return
	}
	for i := range w.Messages {
		// grib_ls writes numbers with an exponent as texts.
		for key, value := range w.Messages[i] {
			text, _ := value.(string)
			if number, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, "e") {
				w.Messages[i][key] = number
			}
		}
		if !reflect.DeepEqual(g.Messages[i], w.Messages[i]) {
			t.Errorf("grib ls %q, message %d:\n%v, expected\n%v", args, i, g.Messages[i], w.Messages[i])
			return
		}
	}
}
