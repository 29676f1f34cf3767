//go:build interop

package grib_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// A line is the output of grib/values.py for a field.
type line struct {
	File    string
	Message int
	Offset  int64
	Packing string
	Points  int
	Missing int
	Values  string
	Error   string
}

func python(t *testing.T) string {
	t.Helper()
	p, err := filepath.Abs("../.interop/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p); err != nil {
		t.Skip("python with ecCodes is not installed: make interop-setup")
	}
	return p
}

// script runs one of the scripts under interop.
func script(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(python(t), append([]string{filepath.Join("..", "interop", name)}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func readIndex(t *testing.T, dir string) []line {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []line
	for s := bufio.NewScanner(f); s.Scan(); {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// compareDump decodes every field that ecCodes dumped to dir. Values must be the same float64
// within ulps(packing).
func compareDump(t *testing.T, dir string) {
	t.Helper()
	byFile := map[string][]line{}
	for _, l := range readIndex(t, dir) {
		byFile[l.File] = append(byFile[l.File], l)
	}
	names := make([]string, 0, len(byFile))
	for name := range byFile {
		names = append(names, name)
	}
	sort.Strings(names)
	tally := map[string]int{}
	for _, name := range names {
		compareFile(t, dir, name, byFile[name], tally)
	}
	t.Logf("fields with equal values, by packing: %v", tally)
}

func compareFile(t *testing.T, dir, name string, lines []line, tally map[string]int) {
	t.Helper()
	f, err := grib.Open(name)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	defer f.Close()
	next := 0
	for m, err := range f.Messages() {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		for _, field := range m.Fields() {
			if next >= len(lines) {
				t.Errorf("%s: more fields than the %d of ecCodes", name, len(lines))
				return
			}
			l := lines[next]
			next++
			if compareField(t, dir, field, l) {
				tally[l.Packing]++
			}
		}
	}
	if next != len(lines) {
		t.Errorf("%s: %d fields, ecCodes has %d", name, next, len(lines))
	}
}

// tolerance is how far value v of a field may be from ecCodes' value. Where exp or pow is part of
// the formula, its last bit is the C library's, which is not always the nearest float64: this
// allows one unit in the last place. All other values are the same to the bit.
func tolerance(field *grib.Field, packing string, v float64) float64 {
	switch packing {
	case "grid_simple_log_preprocessing": // exp(q) - offset
		v += float64(math.Float32frombits(binary.BigEndian.Uint32(field.Section(5)[20:])))
	case "spectral_complex", "bifourier_complex":
	default:
		return 0
	}
	v = math.Abs(v)
	return math.Nextafter(v, math.Inf(1)) - v
}

func compareField(t *testing.T, dir string, field *grib.Field, l line) bool {
	t.Helper()
	values, missing, err := field.Decode(nil)
	if l.Error != "" {
		if err == nil {
			t.Errorf("%s: field of message %d (%s): ecCodes says %q, no error here", l.File, l.Message, l.Packing, l.Error)
		}
		return false
	}
	if err != nil {
		t.Errorf("%s: message %d (%s): %v", l.File, l.Message, l.Packing, err)
		return false
	}
	want, err := os.ReadFile(filepath.Join(dir, l.Values))
	if err != nil {
		t.Fatal(err)
	}
	if len(values)*8 != len(want) || missing.Count() != l.Missing {
		t.Errorf("%s: message %d (%s): %d values, %d missing, expected %d, %d", l.File, l.Message, l.Packing, len(values), missing.Count(), l.Points, l.Missing)
		return false
	}
	for i, v := range values {
		w := math.Float64frombits(binary.LittleEndian.Uint64(want[8*i:]))
		if math.IsNaN(w) != math.IsNaN(v) || missing.Get(i) && !math.IsNaN(w) {
			t.Errorf("%s: message %d (%s): value %d is %v, expected %v", l.File, l.Message, l.Packing, i, v, w)
			return false
		}
		if v != w && !math.IsNaN(w) && !(math.Abs(v-w) <= tolerance(field, l.Packing, w)) {
			t.Errorf("%s: message %d (%s): value %d is %v, expected %v", l.File, l.Message, l.Packing, i, v, w)
			return false
		}
	}
	testQuantised(t, field, expectation{file: l.File, message: l.Message, packing: l.Packing, points: l.Points, missing: l.Missing}, values)
	return true
}

func TestInteropFixtures(t *testing.T) {
	dir := t.TempDir()
	script(t, "grib/values.py", append([]string{"dump", dir}, fixtures(t)...)...)
	compareDump(t, dir)
}

// TestInteropDerived decodes every sample of ecCodes and every packing it writes.
func TestInteropDerived(t *testing.T) {
	made, dir := t.TempDir(), t.TempDir()
	script(t, "grib/values_derive.py", made)
	files, err := filepath.Glob(filepath.Join(made, "*.grib"))
	if err != nil || len(files) < 150 {
		t.Fatalf("%d files were made (%v)", len(files), err)
	}
	script(t, "grib/values.py", append([]string{"dump", dir}, files...)...)
	compareDump(t, dir)
}
