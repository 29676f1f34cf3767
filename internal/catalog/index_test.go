package catalog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
)

func indexed(t testing.TB, c *Catalog) []byte {
	t.Helper()
	b, err := c.AppendIndex(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestIndex(t *testing.T) {
	for _, c := range []*Catalog{
		listed(t, fromgrib.New(inputs("grib/gfs_2p50_f000.grib2"), fromgrib.Options{})),
		listed(t, fromnetcdf.New(inputs("netcdf/nc4_groups.nc"), fromnetcdf.Options{})),
		listed(t, fromtet.New(inputs("tet/tetpy/weather.tet"), fromtet.Options{})),
		new(Catalog),
	} {
		for _, f := range c.Files() {
			f.Size, f.Version, f.Notes = 7, "v", []string{"a note"}
			c.SetFile(f)
		}
		b := indexed(t, c)
		got, err := ParseIndex(b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Files(), c.Files()) || got.Len() != c.Len() {
			t.Fatalf("%d entries of %v, expected %d of %v", got.Len(), got.Files(), c.Len(), c.Files())
		}
		if !bytes.Equal(indexed(t, got), b) && c.Len() > 0 {
			again, err := ParseIndex(indexed(t, got))
			if err != nil || again.Len() != c.Len() {
				t.Error(again.Len(), err)
			}
		}
		for i, want := range c.All() {
			e := got.Entry(i)
			if e.Labels.Step != want.Labels.Step || e.Name != want.Name || !reflect.DeepEqual(e.Shape, want.Shape) || e.Where() != want.Where() ||
				e.Base.LevelType() != want.Base.LevelType() || e.Record != want.Record || e.Coordinate != want.Coordinate {
				t.Fatalf("entry %d is %+v, expected %+v", i, e, want)
			}
		}
	}
}

func TestAddFrom(t *testing.T) {
	c := listed(t, fromgrib.New(append(inputs("grib/2t.grib2"), inputs("grib/q_150.grib2")...), fromgrib.Options{}))
	part := new(Catalog)
	if err := part.CopyFrom(c).Add(inputs("grib/q_150.grib2")[0].Name, c.Files()[1]); err != nil {
		t.Fatal(err)
	}
	if part.Len() != 1 || part.Entry(0).Name != "q" {
		t.Errorf("%d entries, the first %v", part.Len(), part.Entry(0).Name)
	}
}

func TestDamagedIndexes(t *testing.T) {
	b := indexed(t, listed(t, fromgrib.New(inputs("grib/2t.grib2"), fromgrib.Options{})))
	for at := range b {
		damaged := bytes.Clone(b)
		damaged[at] ^= 1
		var reason *IndexError
		if _, err := ParseIndex(damaged); !errors.As(err, &reason) {
			t.Fatalf("byte %d changed: %v, expected an IndexError", at, err)
		}
	}
	if _, err := ParseIndex(b[:12]); err == nil {
		t.Error("12 bytes are an index")
	}
}

// FuzzIndex reads any bytes after the hash of an index, so that damage gets further.
func FuzzIndex(f *testing.F) {
	f.Add(indexed(f, listed(f, fromgrib.New(inputs("grib/2t.grib2"), fromgrib.Options{})))[16:])
	f.Fuzz(func(t *testing.T, b []byte) {
		index := binary.LittleEndian.AppendUint64([]byte(indexMagic), xxh3.Hash(b))
		if c, err := ParseIndex(append(index, b...)); err == nil {
			for range c.All() {
			}
		}
	})
}
