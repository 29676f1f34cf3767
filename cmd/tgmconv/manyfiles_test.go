//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// mostOfMany is the limit of a verb for 2000 small files: the same as for a few.
const mostOfMany = 160 << 20

// TestMemoryOfManyFiles converts, and looks into, 2000 files of a format.
func TestMemoryOfManyFiles(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	const files = 2000
	some, n := cases.Of(t), 0
	convert := [][]string{{"convert", "-q", "-o", "out/"}, {"convert", "-q", "-o", "out.tgm"}}
	look := [][]string{{"ls"}, {"validate", "--full"}, {"info"}, {"stats"}, {"info", "--dataset"}}
	for _, format := range []struct {
		fixture string
		verbs   [][]string
	}{
		{"grib/hindcast_edition1.grib", convert}, {"netcdf/simple_2d.nc", convert}, {"tet/sample.tet", convert},
		{"tgm/named_axes.tgm", look},
	} {
		verbs := slices.DeleteFunc(slices.Clone(format.verbs), func([]string) bool { n++; return !some.Has(n, 6) })
		if len(verbs) == 0 {
			continue
		}
		t.Run(format.fixture, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join("..", "..", "fixtures", format.fixture))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			in := filepath.Join(dir, "in")
			if err := os.Mkdir(in, 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range files {
				if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%04d%s", i, filepath.Ext(format.fixture))), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, verb := range verbs {
				cmd := exec.Command(program, append(verb, in)...)
				cmd.Dir = dir
				if most := peakMemory(t, cmd); most > mostOfMany {
					t.Errorf("%v of %d files took %d MB, expected at most %d", verb, files, most>>20, int64(mostOfMany)>>20)
				} else {
					t.Logf("%v: %d MB", verb, most>>20)
				}
			}
			if out, _ := filepath.Glob(filepath.Join(dir, "out", "*.tgm")); slices.Contains(verbs[0], "out/") && len(out) != files {
				t.Errorf("%d outputs, expected %d", len(out), files)
			}
		})
	}
}
