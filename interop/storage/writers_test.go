//go:build interop

package storage

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWriters has every verb that writes do so to S3, and compares the objects with the files that
// it writes to a folder.
func TestWriters(t *testing.T) {
	s := s3Server(t)
	c := &tgmconv{build(t), s.env}
	dir := t.TempDir()
	gfs, nc := filepath.Join(dir, "gfs.tgm"), filepath.Join(dir, "nc.tgm")
	c.must(t, "convert", "-q", "--reproducible", "-w", "shortName=t/u", "-o", gfs, fixtures+"/grib/gfs_2p50_f000.grib2")
	c.must(t, "convert", "-q", "--reproducible", "-o", nc, fixtures+"/netcdf/multi_var.nc")
	era5 := fixtures + "/grib/cfgrib/era5-levels-members.grib"
	for _, v := range [][]string{ // the place is put in place of "OUT"
		{"to-grib", "-q", "-o", "OUT.grib2", gfs},
		{"to-netcdf", "-q", "-o", "OUT.nc", nc},
		{"to-netcdf", "-q", "-o", "OUT.nc", era5},
		{"to-zarr", "-q", "-o", "OUT.zarr", era5},
		{"to-zarr", "-q", "-o", "OUT.zip", era5},
		{"to-tet", "-q", "-o", "OUT.tet", era5},
		{"refs", "-q", "-o", "OUT.json", fixtures + "/netcdf/multi_var.nc"},
		{"values", "-w", "shortName=t", "--format", "csv", "-o", "OUT.csv", gfs},
		{"plot", "-w", "shortName=t,level=500", "-o", "OUT.png", gfs},
		{"grib", "copy", "-w", "shortName=t", fixtures + "/grib/gfs_2p50_f000.grib2", "OUT.grib2"},
		{"set", "-s", "a.b=1", "-o", "OUT.tgm", gfs},
		{"copy", "-w", "shortName=t", "-o", "OUT.tgm", gfs},
		{"copy", "-o", "OUT-[mars.param].tgm", gfs},
		{"split", "-o", "OUT-[index].tgm", nc},
		{"merge", "-o", "OUT.tgm", gfs, nc},
		{"reshuffle", "-o", "OUT.tgm", gfs},
		{"cat", "-o", "OUT.tgm", gfs, nc},
		{"repair", "-o", "OUT.tgm", gfs},
	} {
		local := filepath.Join(t.TempDir(), v[0])
		c.must(t, placed(v, local)...)
		c.must(t, placed(v, "s3://data/"+filepath.Base(filepath.Dir(local))+"/"+v[0])...)
		compareFolders(t, v, filepath.Dir(local), filepath.Join(s.folder, filepath.Base(filepath.Dir(local))))
		os.RemoveAll(filepath.Join(s.folder, filepath.Base(filepath.Dir(local))))
	}
}

// placed is a command that writes to out.
func placed(args []string, out string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if rest, ok := strings.CutPrefix(a, "OUT"); ok {
			args[i] = out + rest
		}
	}
	return args
}

// compareFolders compares all files below two folders. Times of creation, which .tet, netCDF and
// edited files hold, are of the same length.
func compareFolders(t *testing.T, args []string, want, got string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(want, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		name, _ := filepath.Rel(want, path)
		a, b := read(t, path), read(t, filepath.Join(got, name))
		if len(a) != len(b) {
			t.Errorf("%q: %s has %d bytes in S3, %d as a file", args, name, len(b), len(a))
		} else if differ := differences(a, b); differ > 200 {
			t.Errorf("%q: %s differs in %d of %d bytes", args, name, differ, len(a))
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%q: %d files, error %v", args, files, err)
	}
}

func differences(a, b []byte) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
