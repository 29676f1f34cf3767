package dataset_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
)

// Fields read as float32 are those read as float64, rounded: in any order of rows and with missing
// points. Those of GRIB files are read at once, in the memory that is given.
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

func checkSingle(t *testing.T, name string, fields interface {
	dataset.Fields
	dataset.SingleSource
}, ref int) {
	t.Helper()
	want, err := fields.Read(t.Context(), ref, nil)
	var buffer []byte
	if err == nil {
		buffer = make([]byte, len(want.Data)+128) // with room for what a source may need beyond the values
	}
	got, errSingle := fields.ReadSingle(t.Context(), ref, buffer)
	if (err == nil) != (errSingle == nil) || err != nil && err.Error() != errSingle.Error() {
		t.Fatalf("%s: %v, as float32 %v", name, err, errSingle)
	}
	if err != nil {
		return
	}
	if strings.Contains(name, ".grib") && (got.DType != tgm.Float32 || len(got.Data) > 0 && &got.Data[0] != &buffer[0]) {
		t.Fatalf("%s: field %d of %d bytes is read as %s, not as float32 in the memory that was given", name, ref, len(want.Data), got.DType)
	}
	if got.DType == tgm.Float64 {
		if !bytes.Equal(got.Data, want.Data) {
			t.Fatalf("%s: field %d differs", name, ref)
		}
		return
	}
	if len(got.Data) != len(want.Data)/2 {
		t.Fatalf("%s: field %d has %d bytes as float32, %d as float64", name, ref, len(got.Data), len(want.Data))
	}
	for i := range len(got.Data) / 4 {
		value := float32(math.Float64frombits(binary.LittleEndian.Uint64(want.Data[8*i:])))
		if bits := binary.LittleEndian.Uint32(got.Data[4*i:]); bits != math.Float32bits(value) {
			t.Fatalf("%s: value %d of field %d is %#x as float32, expected %v", name, i, ref, bits, value)
		}
	}
}
