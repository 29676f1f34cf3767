package dataset_test

import (
	"encoding/binary"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/tgm"
)

// Fields read as float32 equal fields read as float64, rounded, in any order of rows and with missing points.
// GRIB files are read at once.
func TestReadSingle(t *testing.T) {
	var names []string
	err := filepath.WalkDir("../fixtures/grib", func(path string, entry fs.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), ".grib") {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range append(names, "../fixtures/netcdf/nc3_classic.nc") {
		a, err := archive.Open(t.Context(), []string{name}, archive.Options{Index: archive.IndexNone})
		if err != nil {
			continue
		}
		for _, g := range a.Set.Groups {
			for _, v := range g.Variables {
				for _, ref := range v.Refs() {
					if ref >= 0 && v.DType == tgm.Float64 && !v.Coordinate {
						checkSingle(t, name, a, int(ref))
						checked++
					}
				}
			}
		}
		a.Close()
	}
	if checked < 500 {
		t.Errorf("%d fields were read", checked)
	}
}

func checkSingle(t *testing.T, name string, arrays dataset.Arrays, ref int) {
	t.Helper()
	a, err := arrays.Array(t.Context(), ref)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if strings.Contains(name, ".grib") && a.Single() == nil {
		t.Fatalf("%s: field %d is not read as float32 at once", name, ref)
	}
	want, err := array.Read(t.Context(), a, a.Info().Whole(), nil)
	got, errSingle := array.Read(t.Context(), array.Single(a), a.Info().Whole(), nil)
	if (err == nil) != (errSingle == nil) || err != nil && err.Error() != errSingle.Error() {
		t.Fatalf("%s: %v, as float32 %v", name, err, errSingle)
	}
	if err != nil {
		return
	}
	for i := range len(got) / 4 {
		value := float32(math.Float64frombits(binary.LittleEndian.Uint64(want[8*i:])))
		if bits := binary.LittleEndian.Uint32(got[4*i:]); bits != math.Float32bits(value) {
			t.Fatalf("%s: value %d of field %d is %#x as float32, expected %v", name, i, ref, bits, value)
		}
	}
}
