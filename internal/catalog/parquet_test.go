package catalog

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
)

func parquetOf(t testing.TB, c *Catalog) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.WriteParquet(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestParquet checks that a catalogue comes back from a Parquet file as it was.
func TestParquet(t *testing.T) {
	for _, c := range []*Catalog{
		listed(t, fromgrib.New(append(inputs("grib/gfs_2p50_f000.grib2"), inputs("grib/2t.grib2")...), fromgrib.Options{})),
		listed(t, fromnetcdf.New(inputs("netcdf/nc4_groups.nc"), fromnetcdf.Options{})),
		listed(t, fromnetcdf.New(inputs("netcdf/made/choose.nc"), fromnetcdf.Options{})),
		new(Catalog),
	} {
		if c.Len() > 1 {
			c.SetValueIndex(1, []byte("values"))
		}
		b := parquetOf(t, c)
		got, err := ReadParquet(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(rowsOf(got), rowsOf(c)) || !reflect.DeepEqual(got.Files(), c.Files()) {
			t.Errorf("%d entries of %v, expected %d of %v", got.Len(), got.Files(), c.Len(), c.Files())
		}
		if !bytes.Equal(parquetOf(t, got), b) {
			t.Error("the same catalogue is another file")
		}
	}
}

// rowsOf returns the rows of a catalogue.
func rowsOf(c *Catalog) (rows []row) {
	for _, r := range c.rows.all() {
		rows = append(rows, r)
	}
	return rows
}

// TestDamagedParquet checks that a damaged file is an error, or still the same catalogue.
func TestDamagedParquet(t *testing.T) {
	c := listed(t, fromgrib.New(inputs("grib/2t.grib2"), fromgrib.Options{}))
	b := parquetOf(t, c)
	for at := range b {
		damaged := bytes.Clone(b)
		damaged[at] ^= 1
		got, err := ReadParquet(bytes.NewReader(damaged), int64(len(damaged)))
		var reason *IndexError
		if err != nil && !errors.As(err, &reason) {
			t.Fatalf("byte %d changed: %v, expected an IndexError", at, err)
		}
		if err == nil && !reflect.DeepEqual(rowsOf(got), rowsOf(c)) {
			t.Fatalf("byte %d changed: another catalogue", at)
		}
	}
	for n := range len(b) {
		if _, err := ReadParquet(bytes.NewReader(b[:n]), int64(n)); err == nil {
			t.Fatalf("%d of %d bytes are a catalogue", n, len(b))
		}
	}
}

// FuzzParquet reads damaged catalogues.
func FuzzParquet(f *testing.F) {
	f.Add(parquetOf(f, listed(f, fromgrib.New(inputs("grib/2t.grib2"), fromgrib.Options{}))))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := ReadParquet(bytes.NewReader(b), int64(len(b))); err == nil {
			for range c.All() {
			}
		}
	})
}
