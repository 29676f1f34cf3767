package ncwrite_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// samples returns files that the netCDF library and h5py wrote.
func samples(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"../testdata/odd/*.gz", "../../fixtures/netcdf/*.nc", "../../fixtures/netcdf/*/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

// uncopied are samples that hold values that netCDF does not have, or refer to other files.
var uncopied = []string{"linked/", "made/dag", "made/vds", "made/typed.h5", "made/h5types.h5", "types_latest", "types_earliest",
	"phony_zero", "x_", "external", "virtual"}

func TestCopy(t *testing.T) {
	copies := 0
	for _, path := range samples(t) {
		b := readFile(t, path)
		in, err := netcdf.NewFile(bytes.NewReader(b), int64(len(b)))
		if err != nil || len(b) > 4<<20 {
			continue
		}
		if contains(path, uncopied) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			out, err := copied(in.Kind, in)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, describeFile(t, open(t, out)), describeFile(t, in))
		})
		in.Close()
		copies++
	}
	if copies < 60 {
		t.Errorf("%d files were copied, expected at least 60", copies)
	}
}

func contains(path string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(path, p) {
			return true
		}
	}
	return false
}

// TestCopyClassicBytes demands the bytes that the netCDF library wrote.
func TestCopyClassicBytes(t *testing.T) {
	files, err := filepath.Glob("../testdata/odd/*_nc[3567].nc.gz")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	same := 0
	for _, path := range files {
		want := readFile(t, path)
		in := open(t, want)
		if in.Kind == netcdf.NetCDF4 || in.Kind == netcdf.NetCDF4Classic {
			continue
		}
		got, err := copied(in.Kind, in)
		switch {
		case err != nil:
			t.Errorf("%s: %v", path, err)
		case !bytes.Equal(got, want):
			t.Errorf("%s: %d bytes differ from the %d of the library", path, len(got), len(want))
		default:
			same++
		}
	}
	if same < 10 {
		t.Errorf("%d files have the same bytes, expected at least 10", same)
	}
}

// TestCopyBetweenFormats writes files of one format in another.
func TestCopyBetweenFormats(t *testing.T) {
	b := readFile(t, "../testdata/odd/classic_nc3.nc.gz")
	in := open(t, b)
	want := describeFile(t, in)[1:]
	for _, kind := range []netcdf.Kind{netcdf.CDF2, netcdf.CDF5, netcdf.NetCDF4, netcdf.NetCDF4Classic} {
		out, err := copied(kind, in)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		f := open(t, out)
		if f.Kind != kind {
			t.Errorf("%s: read as %s", kind, f.Kind)
		}
		compare(t, describeFile(t, f)[1:], want)
	}
	var e *ncwrite.ModelError
	if _, err := copied(netcdf.CDF5, open(t, readFile(t, "../testdata/odd/kitchen.nc.gz"))); !errors.As(err, &e) {
		t.Errorf("groups in CDF-5: error %v, expected a ModelError", err)
	}
}
