package unpack

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/storage"
)

// A folder in an archive that is one input is opened as a folder. So is a folder in it. Hidden files
// that such folders do not have are left out.
func TestFoldersInArchives(t *testing.T) {
	inner := []file{{".zgroup", "{}"}, {".zattrs", "{}"}, {"t/.zarray", "{}"}, {"t/0", gzipped("a chunk")}, {".DS_Store", "x"}}
	var below []file
	for _, f := range inner {
		below = append(below, file{"a.zarr/" + f.name, f.data})
	}
	dir, c := folder(t,
		file{"whole.zip", zipped(zip.Deflate, inner...)}, file{"one.tar", tarred(below...)},
		file{"many.zip", zipped(zip.Store, append(below, file{"f.nc", "CDF"})...)})
	for location, want := range map[string][]string{
		"whole.zip": {"whole.zip"}, "whole.zip::t": {"whole.zip::t"}, "one.tar": {"one.tar::a.zarr"},
		"many.zip": {"many.zip::a.zarr", "many.zip::f.nc"}, "many.zip::a.zarr/t/": {"many.zip::a.zarr/t"},
	} {
		found, err := c.Find(t.Context(), filepath.Join(dir, location))
		var got []string
		for _, in := range found {
			rel, _ := filepath.Rel(dir, in.Name)
			got = append(got, rel)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: found %q, %v, expected %q", location, got, err, want)
		}
	}
	for location, chunk := range map[string]string{"whole.zip": "t/0", "one.tar": "t/0", "many.zip::a.zarr": "t/0", "many.zip::a.zarr/t": "0", "whole.zip::t": "0"} {
		b, err := c.Open(t.Context(), filepath.Join(dir, location))
		if err != nil {
			t.Fatal(err)
		}
		f := storage.FolderOf(b)
		if f == nil {
			t.Fatalf("%s is no folder", location)
		}
		blob, err := f.Open(t.Context(), chunk)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(io.NewSectionReader(storage.ReaderAt(t.Context(), blob), 0, blob.Size()))
		if err != nil || string(data) != inner[3].data { // and not its unpacked bytes
			t.Errorf("%s: %q, %v", location, data, err)
		}
		if _, err := f.Open(t.Context(), ".DS_Store"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: .DS_Store: %v", location, err)
		}
		blob.Close()
		b.Close()
	}
}
