package importers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
)

func TestNamesIn(t *testing.T) {
	in := func(folder bool, names ...string) (list []importers.Input) {
		for _, n := range names {
			list = append(list, importers.Input{Name: n, FromFolder: folder})
		}
		return list
	}
	for _, c := range []struct {
		inputs []importers.Input
		want   string
	}{
		{in(false, "x/a.grib2", "y/b.NC.gz"), "out/a.tgm out/b.tgm"},
		{in(false, "a.grib", "a.nc"), "out/a.grib.tgm out/a.nc.tgm"},
		{in(false, ".grib", "grib"), "out/.grib.tgm out/grib.tgm"},
		{in(true, "dir/a.nc", "dir/sub/a.nc"), "out/a.tgm out/sub/a.tgm"},
		{in(false, "https://host/p/a.nc?key=x/y", "s3://bucket/p/b.grib"), "out/a.tgm out/b.tgm"},
	} {
		got, err := importers.NamesIn("out/", c.inputs, []string{"dir"})
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, %v, expected %s", c.inputs, got, err, c.want)
		}
	}
	if _, err := importers.NamesIn("out", in(false, "x/a.nc", "y/a.nc"), nil); err == nil || !strings.Contains(err.Error(), "both be written to out/a.nc.tgm") {
		t.Errorf("two inputs, one output: %v", err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "a.tgm")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(name, filepath.Join(dir, "a.nc")); err != nil {
		t.Fatal(err)
	}
	if _, err := importers.NamesIn(dir, in(false, filepath.Join(dir, "a.nc")), nil); err == nil || !strings.Contains(err.Error(), "would replace an input") {
		t.Errorf("an output that is its input: %v", err)
	}
}

// TestNamesInShort shortens names that file systems refuse, each to another.
func TestNamesInShort(t *testing.T) {
	long := strings.Repeat("a", 254)
	names, err := importers.NamesIn("out/", []importers.Input{{Name: "d/s/" + long + "x", FromFolder: true}, {Name: "d/s/" + long + "y", FromFolder: true}}, []string{"d"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		base, ok := strings.CutPrefix(name, "out/s/")
		if !ok || len(base) > 255 || !strings.HasSuffix(base, ".tgm") {
			t.Errorf("%s has %d bytes after out/s/, expected at most 255 that end in .tgm", name, len(base))
		}
	}
	if names[0] == names[1] {
		t.Errorf("two inputs have the output %s", names[0])
	}
}
