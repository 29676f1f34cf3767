package archive_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// TestWithoutVariables shows a netCDF file without variables, and its conversion, as a dataset with
// attributes. It does so with an index too.
func TestWithoutVariables(t *testing.T) {
	const source = "../../fixtures/netcdf/empty_file.nc"
	path := filepath.Join(t.TempDir(), "empty.tgm")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	src := fromnetcdf.New([]importers.Input{{Name: source}}, fromnetcdf.Options{})
	defer src.Close()
	if _, err := importers.Convert(t.Context(), src, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		name    string
		index   archive.IndexMode
		indexed int
	}{{source, archive.IndexNone, 0}, {path, archive.IndexNone, 0}, {path, archive.IndexBeside, 0}, {path, archive.IndexBeside, 1}} {
		a, err := archive.Open(t.Context(), []string{test.name}, archive.Options{Index: test.index})
		if err != nil {
			t.Fatal(i, err)
		}
		attrs := make(map[string]any)
		for _, attr := range a.Set.Groups[0].Attrs {
			attrs[attr.Key] = attr.Value
		}
		if len(a.Set.Groups) != 1 || len(attrs) != 3 || attrs["title"] != "Empty fixture" || a.Indexed != test.indexed || len(a.Bare()) != 1 {
			t.Errorf("%d: %d groups, attributes %v, %d files from the index", i, len(a.Set.Groups), attrs, a.Indexed)
		}
		a.Close()
	}
}
