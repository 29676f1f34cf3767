//go:build interop

package keys_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/cases"
)

// A group is a kind of messages that keys_make.py derives. One message of every few is
// compared; with TGMCONV_CASES=all in the environment all are, some 60 000.
type group struct {
	name  string
	every int
	known // the difference
}

// known are keys that differ and why. The field most is how many of them differ at most when
// all messages are compared.
type known struct {
	keys []string
	most int
	why  string
}

var groups = []group{
	{"centres", 16, known{}},
	{"grids", 1, known{}},
	{"levels", 12, known{}},
	{"locals", 2, known{}},
	{"marsbytes", 32, garbage},
	{"marskw", 24, known{}},
	{"mutated", 80, known{[]string{"avg", "const", "kurt", "max", "min", "sd", "skew"}, 60, "ecCodes refuses the values of some second-order fields"}},
	{"packings", 1, known{[]string{"avg", "const", "kurt", "max", "min", "sd", "skew", "numberOfMissing"}, 60,
		"ecCodes gives no values of run-length fields without levels; they are missing"}},
	{"params", 60, known{}},
	{"rawlocal", 60, garbage},
	{"steps", 3, known{[]string{"step", "stepUnits", "stepRange", "startStep", "endStep", "validityDate", "validityTime"}, 23,
		"ecCodes reads behind the end of its own table for units of time 192 and 255 of edition 1"}},
	{"templates", 12, known{}},
	{"versions", 1, known{}},
}

var garbage = known{[]string{"numberOfDataPoints", "numberOfValues"}, 42, "ecCodes gives numbers of the order of 5e18, which are not in the message"}

// oracle runs the Python programs that ask ecCodes.
type oracle struct{ python, memfs string }

func findOracle(t *testing.T) oracle {
	t.Helper()
	venv, err := filepath.Abs("../../.interop/venv")
	if err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(venv + "/lib/python3*/site-packages/eccodeslib/lib64/libeccodes_memfs.so")
	if len(found) == 0 {
		t.Skip("ecCodes for Python (.interop/venv) is not installed: make interop-setup")
	}
	return oracle{venv + "/bin/python", found[0]}
}

func run(t *testing.T, env string, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), env)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return out
}

// compare asks ecCodes for the keys of all messages of some files and reports the differences.
func (o oracle) compare(t *testing.T, r *report, names ...string) {
	t.Helper()
	said := run(t, "", o.python, append([]string{"interop/grib/keys_dump.py"}, names...)...)
	got, err := check(new(keys.Reader).Handle, bytes.NewReader(said), os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	r.add(got)
}

// add adds another report to r.
func (r *report) add(other *report) {
	r.messages += other.messages
	r.compared += other.compared
	for key, n := range other.byKey {
		r.differ += n
		r.byKey[key] += n
		if _, ok := r.example[key]; !ok {
			r.example[key] = other.example[key]
		}
	}
}

// TestDerivedAnew derives messages from the samples of ecCodes and compares all their keys.
func TestDerivedAnew(t *testing.T) {
	t.Parallel()
	o := findOracle(t)
	dir := t.TempDir()
	run(t, "", "go", "run", "./grib/keys/internal/gen", "-export", dir, "-memfs", o.memfs)
	args := []string{"interop/grib/keys_make.py", dir}
	for _, g := range groups {
		args = append(args, g.name)
	}
	run(t, "KEYS_DEFINITIONS="+dir+"/definitions", o.python, args...)
	all := newReport()
	var mu sync.Mutex
	t.Run("groups", func(t *testing.T) {
		for _, g := range groups {
			t.Run(g.name, func(t *testing.T) {
				t.Parallel()
				r := o.compareGroup(t, g, filepath.Join(dir, g.name+".grib"))
				mu.Lock()
				defer mu.Unlock()
				all.add(r)
			})
		}
	})
	t.Logf("keys: all groups: %v", all)
	if all.messages < 3000 {
		t.Errorf("only %d messages", all.messages)
	}
}

// compareGroup compares the messages of a group, and reports differences that are not known.
func (o oracle) compareGroup(t *testing.T, g group, file string) *report {
	thin(t, file, g.every)
	r := newReport()
	o.compare(t, r, file)
	t.Logf("keys: %s: %v", g.name, r)
	left := r.without(g.keys)
	switch n := r.differ - left.differ; {
	case left.differ > 0:
		t.Errorf("%s: not explained: %v", g.name, left)
	case n > g.most:
		t.Errorf("%s: %d keys differ, at most %d are explained: %s", g.name, n, g.most, g.why)
	case n > 0:
		t.Logf("keys: %s: %d keys differ: %s", g.name, n, g.why)
	}
	return r
}

// TestSampleFilesAnew compares the keys of the sample files and of the files in .interop/corpus.
func TestSampleFilesAnew(t *testing.T) {
	t.Parallel()
	o := findOracle(t)
	var names []string
	for _, pattern := range []string{"fixtures/grib/*.gr*b*", "fixtures/grib/*/*.gr*b*", ".interop/corpus/grib/*"} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			st, err := os.Stat(file)
			if err != nil || st.Size() > 300<<10 || strings.Contains(file, "malformed") {
				continue
			}
			if file, err = filepath.Abs(file); err != nil {
				t.Fatal(err)
			}
			names = append(names, file)
		}
	}
	r := newReport()
	o.compare(t, r, names...)
	t.Logf("keys: sample files: %v", r)
	if r.differ > 0 || r.messages < 500 {
		t.Error(r)
	}
}

// thin keeps every n-th message of a file. It keeps all when n is 0 or all are asked for.
func thin(t *testing.T, file string, n int) {
	t.Helper()
	if n < 2 || cases.Of(t).All() {
		return
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kept []byte
	for i, at := 0, 0; at < len(b); i++ {
		size := int(b[at+4])<<16 | int(b[at+5])<<8 | int(b[at+6])
		if b[at+7] == 2 {
			size = int(b[at+12])<<24 | int(b[at+13])<<16 | int(b[at+14])<<8 | int(b[at+15])
		}
		if i%n == 0 {
			kept = append(kept, b[at:at+size]...)
		}
		at += size
	}
	if err := os.WriteFile(file, kept, 0o600); err != nil {
		t.Fatal(err)
	}
}

// without leaves out keys; the label of a key is its name or namespace.name.
func (r *report) without(names []string) *report {
	out := newReport()
	out.messages, out.compared = r.messages, r.compared
	for key, n := range r.byKey {
		if _, name, ok := strings.Cut(key, "."); slices.Contains(names, key) || ok && slices.Contains(names, name) {
			continue
		}
		out.differ += n
		out.byKey[key], out.example[key] = n, r.example[key]
	}
	return out
}
