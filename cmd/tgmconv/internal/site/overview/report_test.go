package overview_test

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/overview"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestReportNamesArrays: the report has the names of arrays, not of variables.
func TestReportNamesArrays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.nc")
	number := func(name string) []*ncwrite.Var {
		return []*ncwrite.Var{{Name: name, Type: ncwrite.Atomic(netcdf.Int)}}
	}
	nctest.Write(t, path, netcdf.NetCDF4, &ncwrite.Group{Vars: number("a#b"), Groups: []*ncwrite.Group{{Name: "g?", Vars: number("c")}}}, nil)
	a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	w := httptest.NewRecorder()
	overview.NewReport(a.Set, nil, a.Relative).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	for _, want := range []string{`"array":"a_b"`, `"array":"g_/c"`, `"object":"a.nc`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s in %s", want, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), filepath.Dir(path)) {
		t.Errorf("the path on the server is in %s", w.Body)
	}
}
