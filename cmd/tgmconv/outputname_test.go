package main

import (
	"errors"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputNames refuses the names of other formats before anything is read, by every verb with an
// output.
func TestOutputNames(t *testing.T) {
	for _, c := range []struct{ args, verb string }{
		{"convert -o x.npy a.grib2", "values"},
		{"convert-grib -o x.zarr.zip a.grib2", "to-zarr"},
		{"convert-netcdf -o x.zarr/ a.nc", "to-zarr"},
		{"convert-tet -o https://example.org/a.tet?sig=1 a.tet", "to-tet"},
		{"to-netcdf -o x.grib2 a.tgm", "to-grib"},
		{"to-grib -o x.csv a.tgm", "values"},
		{"to-zarr -o x.tgm a.tgm", "convert"},
		{"to-tet -o x.nc a.tgm", "to-netcdf"},
		{"refs -o x.nc a.nc", "to-netcdf"},
		{"plot -o x.grib a.tgm", "to-grib"},
		{"values -o x.nc a.tgm", "to-netcdf"},
		{"copy a.tgm x.nc", "to-netcdf"},
		{"merge -o x.parquet a.tgm b.tgm", "extract"},
		{"split -o [name].nc a.tgm", "to-netcdf"},
		{"grib copy a.grib x.tgm", "convert"},
		{"tet query -o x.nc a.tet t[0]", "to-netcdf"},
	} {
		root := newRoot()
		root.SetArgs(strings.Fields(c.args))
		root.SilenceErrors, root.SilenceUsage = true, true
		err := root.ExecuteContext(t.Context())
		var usage *cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), "the name is one of") || !strings.Contains(err.Error(), "tgmconv "+c.verb+" ") {
			t.Errorf("%s: %v, expected that %s writes it", c.args, err, c.verb)
		}
	}
	for _, name := range []string{"a.tgm", "a", "out/", "-", "", "a.nc.tgm", "a.data"} {
		if k := cli.KindOf(name); k != nil && k != cli.TensogramFiles {
			t.Errorf("%s is one of %s", name, k.Name)
		}
	}
}

// TestLongNamesInFolder converts an input whose name leaves no room for the suffix of the output.
func TestLongNamesInFolder(t *testing.T) {
	input := filepath.Join(t.TempDir(), strings.Repeat("a", 255))
	copyFixture(t, "netcdf/made/missing.nc", input)
	out := t.TempDir()
	runs(t, "convert", "-q", "-o", out+"/", input)
	runs(t, "to-netcdf", "-q", "-o", out+"/", input)
	for _, suffix := range []string{".tgm", ".nc"} {
		if found, err := filepath.Glob(filepath.Join(out, "aaa*~*"+suffix)); err != nil || len(found) != 1 {
			t.Errorf("found %q, %v, expected one file with a short name and the suffix %s", found, err, suffix)
		}
	}
}
