package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestGRIBLsFrozen compares lists with stored output of grib_ls of ecCodes 2.50. The file is
// written by interop/grib/check_ls.py --freeze, which compares many more lists.
func TestGRIBLsFrozen(t *testing.T) {
	b, err := os.ReadFile("testdata/grib_ls.json")
	if err != nil {
		t.Fatal(err)
	}
	var lists []struct {
		Args []string
		Text string
	}
	if err := json.Unmarshal(b, &lists); err != nil {
		t.Fatal(err)
	}
	if len(lists) < 80 {
		t.Fatalf("%d lists", len(lists))
	}
	t.Chdir("../..")
	for _, list := range lists {
		if got, want := gribOutput(t, append([]string{"ls"}, list.Args...)), list.Text; got != want {
			t.Errorf("grib ls %s:\n%s", strings.Join(list.Args, " "), firstDifference(got, want))
		}
	}
}

func gribOutput(t *testing.T, args []string) string {
	t.Helper()
	var out, problems bytes.Buffer
	root := rootOf([]string{"grib"})
	root.SetOut(&out)
	root.SetErr(&problems)
	if code := run(t.Context(), root, append([]string{"grib"}, args...), &problems); code != 0 {
		t.Errorf("grib %q: exit code %d: %s", args, code, &problems)
	}
	return out.String()
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "found    " + g[i] + "\nexpected " + w[i]
		}
	}
	return "lines are missing or too many"
}
