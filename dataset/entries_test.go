package dataset_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
)

// The catalogue gives the same dataset as the objects themselves.
func TestBuildCatalog(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"grib/*.grib2", "grib/cfgrib/*.grib", "grib/earthkit/*", "netcdf/*.nc", "netcdf/xarray/*.nc"} {
		found, err := filepath.Glob(filepath.Join("../fixtures", pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		inputs := []importers.Input{{Name: path}}
		var src importers.Source = fromgrib.New(inputs, fromgrib.Options{SkipBad: true})
		if filepath.Ext(path) == ".nc" {
			src = fromnetcdf.New(inputs, fromnetcdf.Options{})
		}
		defer src.Close()
		var c catalog.Catalog
		var objects []dataset.Object
		c.Keep = func(e *catalog.Entry, known *mapping.Known) bool {
			objects = append(objects, dataset.Object{Ref: c.Len(), Where: e.Where(), File: e.File, Base: known.Entry, Shape: e.Shape, DType: e.DType})
			return true
		}
		if err := c.AddSource(t.Context(), src, func(*importers.BadInput) error { return nil }); err != nil {
			t.Fatal(path, err)
		}
		if c.Len() == 0 {
			continue // a file without variables, of which there are no objects
		}
		whole, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
		if err != nil {
			t.Fatal(path, err)
		}
		catalogued, err := dataset.BuildCatalog(&c, dataset.Options{})
		if err != nil {
			t.Fatal(path, err)
		}
		var want, got strings.Builder
		whole.Print(t.Context(), &want, nil)
		catalogued.Print(t.Context(), &got, nil)
		if want.String() != got.String() {
			t.Errorf("%s: the dataset of the catalogue is\n%s\nexpected\n%s", path, &got, &want)
		}
		for _, g := range whole.Groups {
			other := catalogued.Group(g.Name)
			for i, v := range g.Variables {
				for j, a := range v.Attrs {
					if b := other.Variables[i].Attrs; j >= len(b) || b[j].Key != a.Key {
						t.Errorf("%s: %s has attributes %v, expected %v", path, v.Name, b, v.Attrs)
						break
					}
				}
			}
		}
	}
}
