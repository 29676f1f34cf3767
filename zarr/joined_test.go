package zarr

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// writeRecords writes a netCDF file with a variable a(time, x) of floats, deflated: first, first+1, …
func writeRecords(t *testing.T, path string, times uint64, first int) {
	t.Helper()
	const width = 1000
	a := &ncwrite.Var{Name: "a", Type: ncwrite.Atomic(netcdf.Float), Dims: []string{"time", "x"}, ChunkShape: []uint64{1, width}, Filters: []netcdf.Filter{ncwrite.Deflate(1)}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}, {Name: "x", Len: width}}, Vars: []*ncwrite.Var{a}}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := ncwrite.Create(out, netcdf.NetCDF4, root)
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	for i := range int(times) * width {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(first+i)))
	}
	if err := w.Write(t.Context(), a, []uint64{0, 0}, []uint64{times, width}, data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestShorterLastFile reads a variable of two netCDF files of which the last one has fewer records,
// from Tensogram, where the payload of an object is a chunk.
func TestShorterLastFile(t *testing.T) {
	dir := t.TempDir()
	first, last := filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc")
	writeRecords(t, first, 3, 0)
	writeRecords(t, last, 2, 3000)
	joined := filepath.Join(dir, "joined.tgm")
	out, err := os.Create(joined)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	src := fromnetcdf.New([]importers.Input{{Name: first}, {Name: last}}, fromnetcdf.Options{})
	defer src.Close()
	if _, err := importers.Convert(t.Context(), src, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	a, err := archive.Open(t.Context(), []string{joined}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, opts := range []DatasetOptions{{}, {Codec: WireZstd}, {Chunks: map[string]uint64{"x": 300}}} {
		_, data := readArray(t, NewStore(NewDatasetView(a.Set, a, opts), StoreOptions{}), "a")
		if len(data) != 5*1000*4 {
			t.Fatalf("%d bytes, expected 5 records", len(data))
		}
		for i := range len(data) / 4 {
			if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])); got != float32(i) {
				t.Fatalf("element %d is %v", i, got)
			}
		}
	}
}
