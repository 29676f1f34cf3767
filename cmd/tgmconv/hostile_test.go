package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

const (
	hostileName = "t\u202eemp\u2066"
	hostileText = "K\x1b]0;owned\x07\u009b31m\u200f\x7f\u2028"
)

// hostileFiles makes files whose names, attributes and metadata would control a terminal.
func hostileFiles(t *testing.T) (nc, tgm, tet string) {
	t.Helper()
	nc = filepath.Join(t.TempDir(), "a\u202e.nc")
	if runtime.GOOS != "windows" {
		nc = filepath.Join(t.TempDir(), "a\u202e\x1b[2J.nc")
	}
	text := func(name, value string) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Char), Value: value}
	}
	axis := func(name, units string) *ncwrite.Var {
		return &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Double), Dims: []string{name}, Attrs: []netcdf.Attr{text("units", units)}}
	}
	root := &ncwrite.Group{
		Dims:  []*netcdf.Dim{{Name: "lat", Len: 2}, {Name: "lon", Len: 2}},
		Attrs: []netcdf.Attr{text("title", hostileText), text("a"+hostileName, hostileText)},
		Vars: []*ncwrite.Var{axis("lat", "degrees_north"), axis("lon", "degrees_east"), {
			Name: hostileName, Type: ncwrite.Atomic(netcdf.Double), Dims: []string{"lat", "lon"},
			Attrs: []netcdf.Attr{text("units", hostileText), text("long_name", hostileText), text("note", hostileText)},
		}},
	}
	nctest.Write(t, nc, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		var all error
		for i, values := range [][]float64{{0, 1}, {0, 1}, {1, 2, 3, 4}} {
			v := root.Vars[i]
			all = errors.Join(all, w.WriteValues(t.Context(), v, make([]uint64, len(v.Dims)), []uint64{2, 2}[:len(v.Dims)], values))
		}
		return all
	})
	dir := t.TempDir()
	tgm, tet = filepath.Join(dir, "a.tgm"), filepath.Join(dir, "a.tet")
	runs(t, "convert", "-q", "-o", tgm, nc)
	runs(t, "to-tet", "-q", "-o", tet, tgm)
	return nc, tgm, tet
}

// TestHostileTexts looks for control characters, and characters that change the direction of
// writing, in the output of each verb. JSON and CSV say the same texts, escaped.
func TestHostileTexts(t *testing.T) {
	nc, tgm, tet := hostileFiles(t)
	for _, c := range []struct {
		args  string
		files []string
	}{
		{"ls", []string{tgm}}, {"ls --json", []string{tgm}}, {"info", []string{tgm}}, {"ls", []string{nc}}, {"info --json", []string{tgm}},
		{"info --dataset", []string{tgm, nc}}, {"dump", []string{tgm}}, {"dump --json", []string{tgm}},
		{"get -p name,netcdf.units,netcdf.long_name -w name=" + hostileName, []string{tgm}}, {"get --json -p name", []string{tgm}}, {"stats", []string{tgm, nc}}, {"stats --json", []string{nc}},
		{"values", []string{tgm, nc}}, {"values --format json", []string{tgm}}, {"validate", []string{tgm}}, {"validate --json", []string{tgm}},
		{"plot --terminal ascii -w name=" + hostileName, []string{tgm}}, {"netcdf ls", []string{nc}}, {"netcdf ls --json", []string{nc}}, {"netcdf dump", []string{nc}},
		{"tet info", []string{tet}}, {"tet info --json", []string{tet}}, {"tet verify", []string{tet}}, {"tet verify --json", []string{tet}},
		{"tet query", []string{tet, hostileName}}, {"checksum --check", []string{"no\u202e\x1b[31m.sum"}}, {"grib ls", []string{nc}}, {"grib get -p a", []string{nc}}, {"grib dump", []string{nc}},
		{"refs --json -o " + filepath.Join(t.TempDir(), "out.json"), []string{nc}}, {"convert --json -o " + filepath.Join(t.TempDir(), "out.tgm"), []string{nc}},
	} {
		args := append(strings.Fields(c.args), c.files...)
		root := rootOf(args)
		var stdout bytes.Buffer
		root.SetOut(&stdout)
		stderr, written := pipedError(t)
		root.SetErr(stderr)
		code := run(t.Context(), root, args, stderr)
		errorText := written()
		if code != cli.ExitOK && !(c.args == "ls" && c.files[0] == nc) && !strings.HasPrefix(c.args, "grib") && !strings.HasPrefix(c.args, "checksum") {
			t.Errorf("%s: exit code %d: %s", c.args, code, errorText)
			continue
		}
		for _, text := range []string{stdout.String(), errorText} {
			if i := strings.IndexFunc(text, commands); i >= 0 {
				t.Errorf("%s: found %q in %.300q", c.args, text[i:min(i+8, len(text))], text)
			}
		}
		switch {
		case strings.Contains(c.args, "json"):
			decoder := json.NewDecoder(&stdout)
			for {
				var v any
				if err := decoder.Decode(&v); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", c.args, err)
				}
			}
		case c.args == "values":
			rows, err := csv.NewReader(&stdout).ReadAll()
			if want := `t\u202eemp\u2066`; err != nil || rows[1][0] != want && rows[len(rows)-1][0] != want {
				t.Errorf("%s: %v, expected the name %s in %q", c.args, err, want, rows)
			}
		}
	}
	exact, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer exact.Close()
	root := newRoot()
	root.SetOut(exact)
	if code := run(t.Context(), root, []string{"copy", tgm, "-"}, io.Discard); code != cli.ExitOK {
		t.Fatalf("copy to standard output: exit code %d", code)
	}
	got, err := os.ReadFile(exact.Name())
	want, _ := os.ReadFile(tgm)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("copy to standard output has %d bytes, expected the %d of the file", len(got), len(want))
	}
}

// commands reports whether terminals take r for a command, other than a line feed or a tab.
func commands(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
}

// pipedError is standard error of the command, and returns the text when it is asked for.
func pipedError(t *testing.T) (*terminal.Messages, func() string) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	return terminal.NewMessages(f), func() string {
		f.Close()
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
}
