package serve

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// packedFloats converts netCDF files of packed floating-point numbers and opens the result, and the
// files themselves. The second file has fewer records than the first.
func packedFloats(t *testing.T, files int) (converted, direct *archive.Archive) {
	t.Helper()
	b, err := os.ReadFile("../fixtures/netcdf/made/packed_floats.nc")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var message bytes.Buffer
	var sources []string
	for _, name := range []string{"a", "b"}[:files] {
		path := filepath.Join(folder, name+".nc")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		src := fromnetcdf.New([]importers.Input{{Name: path}}, fromnetcdf.Options{})
		if _, err := importers.Convert(t.Context(), src, &message, importers.Options{}); err != nil {
			t.Fatal(err)
		}
		src.Close()
		sources = append(sources, path)
		b[7]-- // the number of records
	}
	path := filepath.Join(t.TempDir(), "a.tgm")
	if err := os.WriteFile(path, message.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(paths ...string) *archive.Archive {
		a, err := archive.Open(t.Context(), paths, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	return open(path), open(sources...)
}

// sameFloats reports whether values are the same, whatever bits NaN has.
func sameFloats(t zarr.DataType, a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	dtype, err := tgm.ParseDType(string(t))
	if err != nil {
		return false
	}
	at, size := dtype.Number(), dtype.Size()
	for i := 0; i < len(a); i += size {
		if x, y := at(a[i:]), at(b[i:]); x != y && (x == x || y == y) {
			return false
		}
	}
	return true
}

// Packed floating-point numbers whose values have the same type are shown as values. This holds also where
// the last chunk is shorter, chunks are cut, and float64 is shown as float32.
func TestPackedFloats(t *testing.T) {
	for files := 1; files <= 2; files++ {
		converted, direct := packedFloats(t, files)
		for _, opts := range []DatasetOptions{{}, {Single: true}, {Chunks: map[string]uint64{"time": 3, "x": 4}}} {
			got, want := NewStore(NewDatasetView(converted.Set, converted, opts), StoreOptions{}), NewStore(NewDatasetView(direct.Set, direct, opts), StoreOptions{})
			for _, name := range []string{"x", "f32", "f64"} {
				meta, data := readArray(t, got, name)
				as, values := readArray(t, want, name)
				if meta.DataType != as.DataType || !reflect.DeepEqual(meta.Attributes, as.Attributes) || !reflect.DeepEqual(meta.Shape, as.Shape) || !sameFloats(meta.DataType, data, values) {
					t.Errorf("%d files, %+v, %s: %s %v with %v, expected %s %v with %v, or other values", files, opts, name,
						meta.DataType, meta.Shape, meta.Attributes, as.DataType, as.Shape, as.Attributes)
				}
			}
		}
	}
}

// References are to the packed numbers, which attributes describe.
func TestLocatePackedFloats(t *testing.T) {
	converted, _ := packedFloats(t, 1)
	l, err := NewDatasetView(converted.Set, converted, DatasetOptions{}).Locate(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"scale_factor": float64(float32(0.1)), "add_offset": 3.0}
	if l.Array.DataType != zarr.Float32 || !reflect.DeepEqual(l.Array.Attributes, want) {
		t.Errorf("%s with %v, expected %v", l.Array.DataType, l.Array.Attributes, want)
	}
}

// A selection has the values, also where the last object has fewer records.
func TestPackedFloatsSelected(t *testing.T) {
	converted, direct := packedFloats(t, 2)
	for _, name := range []string{"f32", "f32_to_f64", "f64"} {
		got, _, err := converted.Set.Select(name).Floats(t.Context(), converted)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := direct.Set.Select(name).Floats(t.Context(), direct)
		if err != nil || len(got) != 42 || len(got) != len(want) {
			t.Fatalf("%s: %d values, expected %d, %v", name, len(got), len(want), err)
		}
		for i, v := range got {
			if v != want[i] && !(math.IsNaN(v) && math.IsNaN(want[i])) {
				t.Errorf("%s: value %d is %v, expected %v", name, i, v, want[i])
			}
		}
	}
}
