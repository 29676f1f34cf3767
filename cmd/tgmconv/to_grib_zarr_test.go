package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// TestGRIBThroughZarr wants the messages of a file again after to-zarr, convert and to-grib.
func TestGRIBThroughZarr(t *testing.T) {
	some := cases.Of(t)
	for i, name := range []string{
		"2t.grib2", "sanity.grib2", "cfgrib/cfrzr_and_cprat.grib", "cfgrib/era5-levels-members.grib", "cfgrib/regular_ll_wrong_increment.grib",
		"earthkit/t_pl.grib", "earthkit/test_single_with_missing.grib", "earthkit/O32_global.grib2", "earthkit/chem-cams.grib",
		"earthkit/ll_sn_scanning_mode.grib", "cfgrib/step_60m.grib", "cfgrib/spherical_harmonics.grib", "cfgrib/soil-surface-level-mix.grib",
	} {
		if !some.Has(i, 3) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			source := filepath.Join("../../fixtures/grib", filepath.FromSlash(name))
			if _, err := os.Stat(source); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			store, file, back := filepath.Join(dir, "a.zarr"), filepath.Join(dir, "a.tgm"), filepath.Join(dir, "a.grib")
			runs(t, "to-zarr", "-q", "-o", store, source)
			runs(t, "convert", "-q", "-o", file, store)
			for _, in := range []string{store, file} {
				runs(t, "to-grib", "-q", "-o", back, in)
				if got, want := sortedMessages(t, back), sortedMessages(t, source); !slices.EqualFunc(got, want, bytes.Equal) {
					t.Errorf("%s: %d messages, expected the %d of the source", filepath.Base(in), len(got), len(want))
				}
			}
		})
	}
}

// TestGRIBThroughZarrHoles wants positions without a field to be no fields, and values of fields in complex packing again.
func TestGRIBThroughZarrHoles(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"cfgrib/uv_on_different_levels.grib", "gfs_2p50_f000.grib2"} {
		source := filepath.Join("../../fixtures/grib", filepath.FromSlash(name))
		if _, err := os.Stat(source); err != nil {
			t.Skip(err)
		}
		store, back := filepath.Join(dir, "a.zarr"), filepath.Join(dir, "a.grib")
		os.RemoveAll(store)
		runs(t, "to-zarr", "-q", "-o", store, source)
		runs(t, "to-grib", "-q", "-o", back, store)
		if got, want := len(sortedMessages(t, back)), []int{16, 352}[i]; got != want {
			t.Errorf("%s: %d messages, expected %d", name, got, want)
		}
	}
}

// sortedMessages returns the messages of a file in the order of their bytes.
func sortedMessages(t *testing.T, name string) (list [][]byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for {
		at := bytes.Index(data, []byte("GRIB"))
		if at < 0 {
			break
		}
		data = data[at:]
		n := int(data[4])<<16 | int(data[5])<<8 | int(data[6])
		if data[7] == 2 {
			n = int(binary.BigEndian.Uint64(data[8:]))
		}
		list, data = append(list, data[:n]), data[n:]
	}
	slices.SortFunc(list, bytes.Compare)
	return list
}
