package zarrcheck_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/zarrcheck"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/serve"
)

// damagedFields are fields; one of them reads other values.
type damagedFields struct {
	*archive.Archive
	ref int
}

// Array implements dataset.Arrays.
func (d damagedFields) Array(ctx context.Context, ref int) (array.Array, error) {
	a, err := d.Archive.Array(ctx, ref)
	if err == nil && ref == d.ref {
		a = damaged{a}
	}
	return a, err
}

// damaged changes the last byte of reads.
type damaged struct{ array.Array }

func (d damaged) Read(ctx context.Context, r array.Region, dst []byte) error {
	err := d.Array.Read(ctx, r, dst)
	dst[len(dst)-1] ^= 1
	return err
}

func TestDatasetForms(t *testing.T) {
	for _, test := range []struct {
		file   string
		opts   serve.DatasetOptions
		passed int
	}{
		{"grib/cfgrib/fields_with_missing_values.grib", serve.DatasetOptions{}, 0},
		{"grib/sanity.grib2", serve.DatasetOptions{Single: true, Chunks: map[string]uint64{"latitude": 7}}, 0},
		{"netcdf/record_with_char.nc", serve.DatasetOptions{}, 1},
		{"netcdf/empty_unlimited.nc", serve.DatasetOptions{}, 0},
		{"netcdf/cf_temperature_deflate.nc", serve.DatasetOptions{Codec: serve.WireZstd}, 0},
	} {
		a, err := archive.Open(t.Context(), []string{"../../../../fixtures/" + test.file}, archive.Options{Index: archive.IndexNone, Dataset: dataset.Options{Unpack: true}})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		store := serve.NewStore(serve.NewDatasetView(a.Set, a, test.opts), serve.StoreOptions{})
		var arrays []zarrcheck.Array
		collect := func(a zarrcheck.Array) error {
			arrays = append(arrays, a)
			return nil
		}
		result, err := zarrcheck.Dataset(t.Context(), store, a.Set, a, collect)
		if err == nil {
			err = result.Err()
		}
		if err != nil || result.NotCompared != test.passed || result.Arrays == 0 || result.Arrays != len(arrays) {
			t.Errorf("%s: %+v, %v, expected %d passed\n%v", test.file, result, err, test.passed, arrays)
		}
	}
}

func TestDatasetDiffers(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{"../../../../fixtures/grib/sanity.grib2"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	store := serve.NewStore(serve.NewDatasetView(a.Set, a, serve.DatasetOptions{}), serve.StoreOptions{})
	var wrong []string
	result, err := zarrcheck.Dataset(t.Context(), store, a.Set, damagedFields{a, 0}, func(a zarrcheck.Array) error {
		if a.Err != nil && !errors.Is(a.Err, zarrcheck.ErrNotCompared) {
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
