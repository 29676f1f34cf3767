package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// datasetStore serves the dataset of a fixture.
func datasetStore(t *testing.T, path string, opts DatasetOptions) zarr.Store {
	t.Helper()
	a, err := archive.Open(t.Context(), []string{"../fixtures/" + path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return NewStore(NewDatasetView(a.Set, a, opts), StoreOptions{})
}

// readArray reads a whole array through the client of this package.
func readArray(t *testing.T, s zarr.Store, path string) (*zarr.ArrayMetadata, []byte) {
	t.Helper()
	a, err := zarr.OpenArray(context.Background(), s, path)
	if err != nil {
		t.Fatal(path, err)
	}
	n, err := a.Metadata().Bytes()
	if err != nil {
		t.Fatal(path, err)
	}
	data := make([]byte, n)
	if err := a.Read(context.Background(), data); err != nil {
		t.Fatal(path, err)
	}
	return a.Metadata(), data
}

// Chunks that are cut, and values as float32, equal the fields.
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
	if single.DataType != zarr.Float32 || len(narrow) != len(want)/2 {
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
		doc, err := zarr.ReadAll(t.Context(), s, want.array+"/zarr.json", 1<<20)
		if err != nil || !bytes.Contains(doc, []byte(want.dtype)) {
			t.Errorf("%s: %s, %v", path, doc, err)
		}
		key := "/c"
		for range want.shape {
			key += "/0"
		}
		chunk, err := zarr.ReadAll(t.Context(), s, want.array+key, 1<<20)
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

// Chunks with shuffle and deflate are served as they are, or decoded for clients without numcodecs.
func TestNoNumcodecs(t *testing.T) {
	const path, array = "netcdf/tetration_cf_3d.nc", "f32"
	stored, want := readArray(t, datasetStore(t, path, DatasetOptions{}), array)
	if len(stored.Codecs) != 3 || stored.Codecs[1].Name != zarr.ShuffleName || stored.Codecs[2].Name != zarr.ZlibName {
		t.Errorf("codecs %v, expected bytes, shuffle and zlib", stored.Codecs)
	}
	for codec, names := range map[WireCodec][]string{WireNone: {"bytes"}, WireZstd: {"bytes", "zstd"}} {
		decoded, got := readArray(t, datasetStore(t, path, DatasetOptions{Codec: codec, NoNumcodecs: true}), array)
		var found []string
		for _, c := range decoded.Codecs {
			found = append(found, c.Name)
		}
		if !slices.Equal(found, names) || !bytes.Equal(got, want) {
			t.Errorf("codecs %v, expected %v with the same values", found, names)
		}
	}
}

// Compressed chunks have the elements of the others, and a document that says how they are
// compressed.
func TestWireCodecs(t *testing.T) {
	const path = "grib/cfgrib/era5-levels-members.grib"
	_, want := readArray(t, datasetStore(t, path, DatasetOptions{}), "t")
	for _, codec := range []WireCodec{WireZstd, WireBlosc} {
		for _, chunks := range []map[string]uint64{nil, {"latitude": 25, "longitude": 50}} {
			s := datasetStore(t, path, DatasetOptions{Codec: codec, Chunks: chunks})
			meta, got := readArray(t, s, "t")
			if meta.Codecs[len(meta.Codecs)-1].Name != string(codec) || !bytes.Equal(got, want) {
				t.Errorf("%s, chunks %v: codecs %v, or other values", codec, chunks, meta.Codecs)
			}
			info, err := zarr.Stat(t.Context(), s, "t/c/0/0/0/0/0")
			if size, _ := nd.Bytes(meta.ChunkShape, meta.DataType.Size()); err != nil || info.Size >= size {
				t.Errorf("%s: a chunk of %d bytes of %d, %v", codec, info.Size, size, err)
			}
		}
	}
	if _, err := zarr.OpenArray(t.Context(), datasetStore(t, path, DatasetOptions{Codec: "lzma"}), "t"); err == nil {
		t.Error("no error for codec lzma")
	}
}

// The first chunks of a packed field are decoded without the rest of it, and have its values.
func TestCutRanges(t *testing.T) {
	src := fromgrib.New([]importers.Input{{Name: "../fixtures/grib/cfgrib/era5-levels-members.grib"}}, fromgrib.Options{})
	defer src.Close()
	var message bytes.Buffer
	if _, err := importers.Convert(t.Context(), src, &message, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.tgm")
	if err := os.WriteFile(path, message.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	d := c.Set
	_, want := readArray(t, NewStore(NewDatasetView(d, c, DatasetOptions{}), StoreOptions{}), "t")
	v := NewDatasetView(d, c, DatasetOptions{Chunks: map[string]uint64{"latitude": 25, "longitude": 50}})
	for i, index := range [][]uint64{{0, 0, 0, 2, 1}, {0, 0, 0, 1, 2}, {0, 0, 0, 0, 0}} {
		chunk, err := v.Chunk(t.Context(), "t", index)
		if err != nil {
			t.Fatal(err)
		}
		got, err := chunk.Bytes(nil)
		if err != nil {
			t.Fatal(err)
		}
		row, column := int(25*index[3]), int(50*index[4])
		for y := range min(25, 61-row) {
			n := min(50, 120-column)
			part := want[8*((row+y)*120+column):]
			if !bytes.Equal(got[8*50*y:8*(50*y+n)], part[:8*n]) {
				t.Fatalf("chunk %v, row %d has other values", index, y)
			}
		}
		ref, _ := v.nodes["t"].variable.Ref([]uint64{0, 0, 0, 0, 0})
		if !v.isKept(ref) {
			t.Errorf("after %d chunks: the small field is not kept", i+1)
		}
	}
}

// rows has blocks of one row.
type rows struct{ array.Array }

func (r rows) Info() *array.Info {
	info := *r.Array.Info()
	info.Block = []uint64{1, info.Shape[1]}
	return &info
}

// The first chunks of a field whose rows can be decoded are decoded without the rest of it.
func TestRowsAreReadBeforeFields(t *testing.T) {
	v := NewDatasetView(new(dataset.Dataset), nil, DatasetOptions{})
	a := rows{array.Memory([]uint64{10, 8}, tgm.Uint8, make([]byte, 80))}
	part := array.Region{Start: []uint64{4, 0}, Count: []uint64{1, 4}}
	for i := range rangedChunks + 1 {
		if _, err := array.Read(t.Context(), v.cached(a, 7, nil), part, nil); err != nil || v.isKept(7) != (i == rangedChunks) {
			t.Errorf("after %d chunks: the field is kept: %v, %v", i+1, v.isKept(7), err)
		}
	}
}

// singles counts the fields that are read as float32 at once.
type singles struct {
	*archive.Archive
	read atomic.Int64
}

func (s *singles) Array(ctx context.Context, ref int) (array.Array, error) {
	a, err := s.Archive.Array(ctx, ref)
	return &countedSingles{a, s, nil}, err
}

type countedSingles struct {
	array.Array
	all    *singles
	single array.Array // the array that is read instead
}

func (c *countedSingles) Single() array.Array {
	return &countedSingles{c.Array.Single(), c.all, c.Array}
}

func (c *countedSingles) Read(ctx context.Context, r array.Region, dst []byte) error {
	if c.single != nil {
		c.all.read.Add(1)
	}
	return c.Array.Read(ctx, r, dst)
}

// Whole fields that are shown as float32 are read as such. Cut fields, and fields whose values are shown
// unchanged, are not.
func TestSinglesAreReadAtOnce(t *testing.T) {
	const path = "../fixtures/grib/cfgrib/era5-levels-members.grib"
	for _, x := range []struct {
		opts DatasetOptions
		all  bool
	}{
		{DatasetOptions{Single: true}, true},
		{DatasetOptions{Single: true, Codec: WireZstd}, true},
		{DatasetOptions{}, false},
		{DatasetOptions{Single: true, Chunks: map[string]uint64{"latitude": 25}}, false},
	} {
		a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		fields := &singles{Archive: a}
		meta, _ := readArray(t, NewStore(NewDatasetView(a.Set, fields, x.opts), StoreOptions{}), "t")
		want := int64(0)
		if x.all {
			want = 1
			for _, n := range meta.Grid() {
				want *= int64(n)
			}
		}
		if read := fields.read.Load(); read != want {
			t.Errorf("%+v: %d fields were read as float32, expected %d", x.opts, read, want)
		}
	}
}

// TestTextsOfNoBytes wants characters along a dimension of no elements, of one byte each, of
// which there are no chunks: the document of the root, and so the store, could not be read.
func TestTextsOfNoBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.nc")
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "x", Len: 2}, {Name: "n", Unlimited: true}},
		Vars: []*ncwrite.Var{{Name: "a", Type: ncwrite.Atomic(netcdf.Char), Dims: []string{"x", "n"}, ChunkShape: []uint64{1, 1}}},
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, nil)
	a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	s := NewStore(NewDatasetView(a.Set, a, DatasetOptions{}), StoreOptions{})
	doc, err := zarr.ReadAll(t.Context(), s, "zarr.json", 1<<20)
	if err != nil || !bytes.Contains(doc, []byte(`"length_bytes":1`)) {
		t.Errorf("%s, %v", doc, err)
	}
	if _, err := zarr.ReadAll(t.Context(), s, "a/c/0/0", 1<<20); !errors.Is(err, zarr.ErrGone) {
		t.Errorf("a chunk: %v, expected none", err)
	}
}
