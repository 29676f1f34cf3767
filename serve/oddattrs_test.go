package serve

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestEmptyTextsAndLargeIntegers shows files with odd variables and groups: characters along an empty
// dimension, and a group with attributes and no variable. Integers above 2^63-1 are numbers, as clients
// expect of a fill value.
func TestEmptyTextsAndLargeIntegers(t *testing.T) {
	large := ncwrite.Atomic(netcdf.UInt64)
	list := netcdf.Attr{Name: "list", Type: large, Value: []uint64{1, math.MaxUint64}}
	v := &ncwrite.Var{Name: "v", Type: large, Dims: []string{"x"}, Attrs: []netcdf.Attr{
		{Name: "_FillValue", Type: large, Value: []uint64{math.MaxUint64}}, list,
		{Name: "text", Type: ncwrite.Atomic(netcdf.Char), Value: "18446744073709551615"},
	}}
	empty := &ncwrite.Var{Name: "empty", Type: ncwrite.Atomic(netcdf.Char), Dims: []string{"x", "none"}}
	sub := &ncwrite.Group{Name: "g", Attrs: []netcdf.Attr{list}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 2}, {Name: "none", Unlimited: true}}, Vars: []*ncwrite.Var{v, empty},
		Attrs: []netcdf.Attr{list}, Groups: []*ncwrite.Group{sub}}
	path := filepath.Join(t.TempDir(), "source.nc")
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return w.Write(t.Context(), v, nil, nil, make([]byte, 16))
	})
	a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	s := NewStore(NewDatasetView(a.Set, a, DatasetOptions{}), StoreOptions{})
	const list64 = `"list":[1,18446744073709551615]`
	for key, parts := range map[string][]string{
		"zarr.json":       {list64},
		"g/zarr.json":     {list64},
		"v/zarr.json":     {list64, `"_FillValue":18446744073709551615`, `"text":"18446744073709551615"`},
		"empty/zarr.json": {`"shape":[2]`, `"length_bytes":1`},
	} {
		for _, part := range parts {
			if doc := get(t, s, key); !bytes.Contains(doc, []byte(part)) {
				t.Errorf("%s has no %s: %s", key, part, doc)
			}
		}
	}
}
