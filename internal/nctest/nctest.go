// Package nctest writes netCDF files for the tests of other packages.
package nctest

import (
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// Write makes a file at path of the groups and variables of root, whose elements fill writes. A nil
// fill writes none. It fails the test if that cannot be done.
func Write(t testing.TB, path string, kind netcdf.Kind, root *ncwrite.Group, fill func(*ncwrite.Writer) error) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := ncwrite.Create(out, kind, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if fill != nil {
		if err := fill(w); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
