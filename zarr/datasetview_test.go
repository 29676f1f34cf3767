package zarr

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/archive"
)

// datasetStore serves the dataset of a fixture.
func datasetStore(t *testing.T, path string, opts DatasetOptions) Store {
	t.Helper()
	a, err := archive.Open(t.Context(), []string{"../fixtures/" + path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return NewStore(NewDatasetView(a.Set, a, opts), StoreOptions{})
}

// readArray reads a whole array through the client of this package.
func readArray(t *testing.T, s Store, path string) (*ArrayMetadata, []byte) {
	t.Helper()
	a, err := OpenArray(context.Background(), s, path)
	if err != nil {
		t.Fatal(path, err)
	}
	n, err := a.meta.Bytes()
	if err != nil {
		t.Fatal(path, err)
	}
	data := make([]byte, n)
	if err := a.Read(context.Background(), data); err != nil {
		t.Fatal(path, err)
	}
	return a.meta, data
}

// Chunks that are cut, and values as float32, are those of the fields.
func TestCutChunks(t *testing.T) {
	const path = "grib/cfgrib/era5-levels-members.grib"
	whole, want := readArray(t, datasetStore(t, path, DatasetOptions{}), "t")
	cut, got := readArray(t, datasetStore(t, path, DatasetOptions{Chunks: map[string]uint64{"latitude": 25, "longitude": 50}}), "t")
	if shape := cut.ChunkShape; !slices.Equal(shape[len(shape)-2:], []uint64{25, 50}) || !slices.Equal(cut.Shape, whole.Shape) {
		t.Errorf("chunks are %v of %v", cut.ChunkShape, cut.Shape)
	}
	if !bytes.Equal(got, want) {
		t.Error("the values of cut chunks differ")
	}
	single, narrow := readArray(t, datasetStore(t, path, DatasetOptions{Single: true}), "t")
	if single.DataType != Float32 || len(narrow) != len(want)/2 {
		t.Fatalf("%s of %d bytes, expected float32 of %d", single.DataType, len(narrow), len(want)/2)
	}
	for i := range len(narrow) / 4 {
		value := math.Float64frombits(binary.LittleEndian.Uint64(want[8*i:]))
		if float32(value) != math.Float32frombits(binary.LittleEndian.Uint32(narrow[4*i:])) {
			t.Fatalf("value %d differs from %v", i, value)
		}
	}
}

// Characters are bytes of a fixed length, strings are UTF-8 with their lengths.
func TestTexts(t *testing.T) {
	for path, want := range map[string]struct {
		array, dtype string
		shape        []uint64
		chunk        string
	}{
		"netcdf/multi_var.nc":             {"description", "null_terminated_bytes", []uint64{}, "fixture1"},
		"netcdf/h5py/vlen_string_dset.h5": {"DS1", "string", []uint64{4}, "\x04\x00\x00\x00\x07\x00\x00\x00Parting\x07\x00\x00\x00is such\x05\x00\x00\x00sweet\x07\x00\x00\x00sorrow."},
	} {
		s := datasetStore(t, path, DatasetOptions{})
		doc, err := ReadAll(t.Context(), s, want.array+"/zarr.json", 1<<20)
		if err != nil || !bytes.Contains(doc, []byte(want.dtype)) {
			t.Errorf("%s: %s, %v", path, doc, err)
		}
		key := "/c"
		for range want.shape {
			key += "/0"
		}
		chunk, err := ReadAll(t.Context(), s, want.array+key, 1<<20)
		if err != nil || string(chunk) != want.chunk {
			t.Errorf("%s: chunk %q, %v; expected %q", path, chunk, err, want.chunk)
		}
	}
}

// Records of a netCDF file are chunks, or one if small chunks are joined; the values are the same.
func TestJoinSmall(t *testing.T) {
	const path = "netcdf/record_with_char.nc"
	apart, want := readArray(t, datasetStore(t, path, DatasetOptions{}), "values")
	joined, got := readArray(t, datasetStore(t, path, DatasetOptions{JoinSmall: true}), "values")
	if !slices.Equal(apart.ChunkShape, []uint64{1, 3}) || !slices.Equal(joined.ChunkShape, []uint64{2, 3}) || !bytes.Equal(got, want) {
		t.Errorf("chunks are %v, and %v joined", apart.ChunkShape, joined.ChunkShape)
	}
}
