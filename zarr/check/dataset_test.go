package check_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
	"github.com/tgmconv/tgmconv/zarr/check"
)

// damagedFields are fields one of which reads other values.
type damagedFields struct {
	*archive.Archive
	ref int
}

// Read implements dataset.Fields.
func (d damagedFields) Read(ctx context.Context, ref int, buffer []byte) (*tgm.Array, error) {
	a, err := d.Archive.Read(ctx, ref, buffer)
	if err == nil && ref == d.ref {
		a.Data[len(a.Data)-1] ^= 1
	}
	return a, err
}

func TestDatasetForms(t *testing.T) {
	for _, test := range []struct {
		file   string
		opts   zarr.DatasetOptions
		passed int
	}{
		{"grib/cfgrib/fields_with_missing_values.grib", zarr.DatasetOptions{}, 0},
		{"grib/sanity.grib2", zarr.DatasetOptions{Single: true, Chunks: map[string]uint64{"latitude": 7}}, 0},
		{"netcdf/record_with_char.nc", zarr.DatasetOptions{}, 1},
		{"netcdf/empty_unlimited.nc", zarr.DatasetOptions{}, 0},
		{"netcdf/cf_temperature_deflate.nc", zarr.DatasetOptions{Codec: zarr.WireZstd}, 0},
	} {
		a, err := archive.Open(t.Context(), []string{"../../fixtures/" + test.file}, archive.Options{Index: archive.IndexNone, Dataset: dataset.Options{Unpack: true}})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		store := zarr.NewStore(zarr.NewDatasetView(a.Set, a, test.opts), zarr.StoreOptions{})
		var arrays []check.Array
		collect := func(a check.Array) error {
			arrays = append(arrays, a)
			return nil
		}
		result, err := check.Dataset(t.Context(), store, a.Set, a, collect)
		if err == nil {
			err = result.Err()
		}
		if err != nil || result.NotCompared != test.passed || result.Arrays == 0 || result.Arrays != len(arrays) {
			t.Errorf("%s: %+v, %v, expected %d passed\n%v", test.file, result, err, test.passed, arrays)
		}
	}
}

func TestDatasetDiffers(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{"../../fixtures/grib/sanity.grib2"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	store := zarr.NewStore(zarr.NewDatasetView(a.Set, a, zarr.DatasetOptions{}), zarr.StoreOptions{})
	var wrong []string
	result, err := check.Dataset(t.Context(), store, a.Set, damagedFields{a, 0}, func(a check.Array) error {
		if a.Err != nil && !errors.Is(a.Err, check.ErrNotCompared) {
			wrong = append(wrong, a.Path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, v := range a.Set.Groups[0].Variables {
		if slices.Contains(v.Refs(), 0) {
			fields++
		}
	}
	if len(wrong) != fields || result.Err() == nil {
		t.Errorf("%v differ, %+v; expected the %d of object 0", wrong, result, fields)
	}
}
