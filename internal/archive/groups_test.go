package archive_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestEmptyGroups shows the empty groups of a netCDF file, as xarray does, with an index too. Groups whose
// variables are left out are not shown.
func TestEmptyGroups(t *testing.T) {
	number := func() []*ncwrite.Var { return []*ncwrite.Var{{Name: "n", Type: ncwrite.Atomic(netcdf.Int)}} }
	dir := t.TempDir()
	source, all, one := filepath.Join(dir, "a.nc"), filepath.Join(dir, "a.tgm"), filepath.Join(dir, "one.tgm")
	nctest.Write(t, source, netcdf.NetCDF4, &ncwrite.Group{Vars: number(), Groups: []*ncwrite.Group{
		{Name: "full", Vars: number(), Groups: []*ncwrite.Group{{Name: "inner"}}},
		{Name: "left", Vars: number()},
		{Name: "empty", Groups: []*ncwrite.Group{{Name: "inner"}}},
	}}, nil)
	for path, chosen := range map[string][]string{all: nil, one: {"/n"}} {
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		src := fromnetcdf.New([]importers.Input{{Name: source}}, fromnetcdf.Options{Variables: chosen})
		_, err = importers.Convert(t.Context(), src, out, importers.Options{})
		src.Close()
		out.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, test := range []struct {
		path  string
		index archive.IndexMode
		want  []string
	}{
		{source, archive.IndexNone, []string{"", "full", "empty", "full/inner", "empty/inner", "left"}},
		{all, archive.IndexNone, []string{"", "full", "empty", "full/inner", "empty/inner", "left"}},
		{all, archive.IndexBeside, []string{"", "full", "empty", "full/inner", "empty/inner", "left"}},
		{all, archive.IndexBeside, []string{"", "full", "empty", "full/inner", "empty/inner", "left"}},
		{one, archive.IndexNone, []string{"", "full", "empty", "full/inner", "empty/inner"}},
	} {
		a, err := archive.Open(t.Context(), []string{test.path}, archive.Options{Index: test.index})
		if err != nil {
			t.Fatal(i, err)
		}
		var groups []string
		for _, g := range a.Set.Groups {
			groups = append(groups, g.Name)
		}
		slices.Sort(groups)
		slices.Sort(test.want)
		if !slices.Equal(groups, test.want) {
			t.Errorf("%d: groups %q, expected %q", i, groups, test.want)
		}
		a.Close()
	}
}
