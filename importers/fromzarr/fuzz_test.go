package fromzarr_test

import (
	"testing"
	"testing/fstest"

	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// FuzzModel makes files of documents of any content: each variable has its dimensions, and its
// elements can be read, or give an error.
func FuzzModel(f *testing.F) {
	f.Add([]byte(groupDocument(`{"a":[1,"b"],"c":{"d":null}}`).Data), []byte(document("[2,3]", "[2,2]", `,"dimension_names":["y",null],"attributes":{"_FillValue":-1}`).Data))
	f.Add([]byte(`{"zarr_format":3,"node_type":"group","consolidated_metadata":{"kind":"inline","metadata":{"a/b":{}}}}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, root, array []byte) {
		files := fstest.MapFS{"zarr.json": {Data: root}, "g/t/zarr.json": {Data: array}, "g/zarr.json": groupDocument(`{}`), "g/t/c/0/0": {Data: make([]byte, 8)}}
		m, err := fromzarr.Model(t.Context(), zarr.NewDir(files), "one")
		if err != nil {
			return
		}
		var look func(g *netcdf.Group)
		look = func(g *netcdf.Group) {
			for _, v := range g.Vars {
				for _, d := range v.Dims {
					if d == nil || d.Name == "" {
						t.Errorf("%s: dimensions %v", v.Path, v.Dims)
					}
				}
				if v.Err == nil && v.Size() < 1<<16 && v.Type.Size > 0 {
					_ = v.Read(t.Context(), make([]byte, v.Size()), nil, nil) // damage is an error, no panic
				}
			}
			for _, sub := range g.Groups {
				look(sub)
			}
		}
		look(m.Root())
	})
}
