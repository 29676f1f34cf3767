package archive

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// writeTimes writes a netCDF file with a variable a(time) of n numbers: first, first+1, …
func writeTimes(t *testing.T, path string, n uint64, first int) {
	t.Helper()
	v := &ncwrite.Var{Name: "a", Type: ncwrite.Atomic(netcdf.Double), Dims: []string{"time"}, ChunkShape: []uint64{n}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}}, Vars: []*ncwrite.Var{v}}
	var data []byte
	for i := range int(n) {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(first+i)))
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return w.Write(t.Context(), v, []uint64{0}, []uint64{n}, data)
	})
}

// TestPartsOfDamagedObject reads a chunk of the objects of two files, one whole and one in part. It reads the
// same again with a damaged byte.
func TestPartsOfDamagedObject(t *testing.T) {
	const first, second = 60_000, 100_000
	dir := t.TempDir()
	a, b, path := filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc"), filepath.Join(dir, "joined.tgm")
	writeTimes(t, a, first, 0)
	writeTimes(t, b, second, first)
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	src := fromnetcdf.New([]importers.Input{{Name: a}, {Name: b}}, fromnetcdf.Options{})
	defer src.Close()
	if _, err := importers.Convert(t.Context(), src, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	read := func() ([]float64, error) {
		t.Helper()
		a, err := Open(t.Context(), []string{path}, Options{Index: IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		refs := a.Set.Variable("a").Refs()
		if len(refs) != 2 || len(a.Set.Parts(int(refs[0]))) != 2 || len(a.Set.Parts(int(refs[1]))) != 1 || a.Version(int(refs[0])) == a.Version(int(refs[1])) {
			t.Fatalf("chunks %v, expected one of two parts and one of another", refs)
		}
		values, _, err := a.Set.Select("a").Floats(t.Context(), a)
		return values, err
	}
	values, err := read()
	if err != nil || len(values) != first+second {
		t.Fatalf("%d values: %v", len(values), err)
	}
	for i, v := range values {
		if v != float64(i) {
			t.Fatalf("value %d is %v", i, v)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-second*4] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(); err == nil || !strings.Contains(err.Error(), "joined.tgm: message 1, object 0") {
		t.Errorf("%v, expected an error about message 1", err)
	}
}
