package serve

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/zarr"
)

// writeRecords writes a netCDF file with a variable a(time, x) of floats, deflated: first, first+1, …
func writeRecords(t *testing.T, path string, times, width uint64, first int) {
	t.Helper()
	writeNumbers(t, path, netcdf.Float, times, width, first)
}

// writeNumbers is writeRecords for floats or doubles.
func writeNumbers(t *testing.T, path string, class netcdf.Class, times, width uint64, first int) {
	t.Helper()
	a := &ncwrite.Var{Name: "a", Type: ncwrite.Atomic(class), Dims: []string{"time", "x"}, ChunkShape: []uint64{1, width}, Filters: []netcdf.Filter{ncwrite.Deflate(1)}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}, {Name: "x", Len: width}}, Vars: []*ncwrite.Var{a}}
	var data []byte
	for i := range int(times * width) {
		if class == netcdf.Double {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(first+i)))
		} else {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(first+i)))
		}
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return w.Write(t.Context(), a, []uint64{0, 0}, []uint64{times, width}, data)
	})
}

// TestShorterLastFile reads a variable of two netCDF files, the last with fewer records. It is read
// from Tensogram, where the payload of an object is a chunk.
func TestShorterLastFile(t *testing.T) {
	dir := t.TempDir()
	first, last := filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc")
	writeRecords(t, first, 3, 1000, 0)
	writeRecords(t, last, 2, 1000, 3000)
	joined := filepath.Join(dir, "joined.tgm")
	convertRecords(t, joined, first, last)
	a := openRecords(t, joined)
	for _, opts := range []DatasetOptions{{}, {Codec: WireZstd}, {Chunks: map[string]uint64{"x": 300}}, {Chunks: map[string]uint64{"time": 1}}} {
		checkRecords(t, a, opts, 5*1000)
	}
}

// TestShorterLastFileInParts asks for other chunks and for float32 of a variable whose last file has
// fewer records.
func TestShorterLastFileInParts(t *testing.T) {
	dir := t.TempDir()
	first, last := filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc")
	writeNumbers(t, first, netcdf.Double, 7, 1000, 0)
	writeNumbers(t, last, netcdf.Double, 2, 1000, 7000)
	joined := filepath.Join(dir, "joined.tgm")
	convertRecords(t, joined, first, last)
	a := openRecords(t, joined)
	checkRecords(t, a, DatasetOptions{Single: true}, 9*1000)
	for asked, want := range map[uint64][]string{2: nil, 5: {"a: 7 along time"}, 7: nil, 8: nil} {
		opts := DatasetOptions{Chunks: map[string]uint64{"time": asked}, Single: true}
		if got := NewDatasetView(a.Set, a, opts).Uncut(t.Context()); !slices.Equal(got, want) {
			t.Errorf("%d along time: %q are not cut, expected %q", asked, got, want)
		}
		checkRecords(t, a, opts, 9*1000)
	}
}

// TestUnequalFiles reads a variable of three netCDF files with unequal numbers of records, from
// these and from Tensogram: one that is small enough to be one chunk, and one that is read in
// blocks from the netCDF files.
func TestUnequalFiles(t *testing.T) {
	for _, width := range []uint64{1000, 1 << 18} {
		dir := t.TempDir()
		var paths []string
		total := uint64(0)
		for i, n := range []uint64{5, 3, 6} {
			path := filepath.Join(dir, string(rune('a'+i))+".nc")
			writeRecords(t, path, n, width, int(total*width))
			paths = append(paths, path)
			total += n
		}
		joined := filepath.Join(dir, "joined.tgm")
		convertRecords(t, joined, paths...)
		for _, names := range [][]string{{joined}, paths} {
			a := openRecords(t, names...)
			for _, opts := range []DatasetOptions{{}, {Codec: WireZstd}, {Chunks: map[string]uint64{"x": 100_000}}, {Chunks: map[string]uint64{"time": 1, "x": 100_000}}} {
				checkRecords(t, a, opts, int(total*width))
			}
			values, _, err := a.Set.Select("a").At("x", 7).Floats(t.Context(), a)
			if err != nil || len(values) != int(total) {
				t.Fatalf("%s: %d values, %v; expected %d", names, len(values), err, total)
			}
			for i, got := range values {
				if want := float64(i*int(width) + 7); got != want {
					t.Errorf("%s: record %d is %v, expected %v", names, i, got, want)
				}
			}
		}
	}
}

// writeTexts writes a netCDF file with a variable a(time, length) of characters.
func writeTexts(t *testing.T, path string, utf8 bool, texts ...string) {
	t.Helper()
	width := uint64(0)
	for _, text := range texts {
		width = max(width, uint64(len(text)))
	}
	a := &ncwrite.Var{Name: "a", Type: ncwrite.Atomic(netcdf.Char), Dims: []string{"time", "length"}, ChunkShape: []uint64{1, width}}
	a.Attrs = []netcdf.Attr{{Name: "_FillValue", Type: ncwrite.Atomic(netcdf.Char), Value: "~"}}
	if utf8 {
		a.Attrs = append(a.Attrs, netcdf.Attr{Name: "_Encoding", Type: ncwrite.Atomic(netcdf.Char), Value: "utf-8"})
	}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}, {Name: "length", Len: width}}, Vars: []*ncwrite.Var{a}}
	var data []byte
	for _, text := range texts {
		data = append(append(data, text...), make([]byte, int(width)-len(text))...)
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return w.Write(t.Context(), a, []uint64{0, 0}, []uint64{uint64(len(texts)), width}, data)
	})
}

// TestTextsOfOtherLengths reads texts of netCDF files whose longest texts differ in length, from these and
// from Tensogram. The last chunk has fewer texts than the others.
func TestTextsOfOtherLengths(t *testing.T) {
	for _, utf8 := range []bool{false, true} {
		dir := t.TempDir()
		first, last := filepath.Join(dir, "a.nc"), filepath.Join(dir, "b.nc")
		writeTexts(t, first, utf8, "abc", "d", "efghi")
		writeTexts(t, last, utf8, "x", "yz")
		joined := filepath.Join(dir, "joined.tgm")
		convertRecords(t, joined, first, last)
		for _, names := range [][]string{{joined}, {first, last}} {
			a := openRecords(t, names...)
			want := "abc\x00\x00d\x00\x00\x00\x00efghix\x00\x00\x00\x00yz\x00\x00\x00"
			if utf8 {
				want = "\x03\x00\x00\x00\x03\x00\x00\x00abc\x01\x00\x00\x00d\x05\x00\x00\x00efghi" + "\x03\x00\x00\x00\x01\x00\x00\x00x\x02\x00\x00\x00yz\x00\x00\x00\x00"
			}
			view := NewDatasetView(a.Set, a, DatasetOptions{})
			fill := "fg==" // base64 of ~
			if utf8 {
				fill = "~"
			}
			if doc, err := zarr.ReadAll(t.Context(), NewStore(view, StoreOptions{}), "a/zarr.json", 1<<20); err != nil || !bytes.Contains(doc, []byte(`"fill_value":"`+fill+`"`)) {
				t.Errorf("%s: %s, %v; expected the fill value %q", names, doc, err, fill)
			}
			var got []byte
			for i := range uint64(2) {
				c, err := view.Chunk(t.Context(), "a", []uint64{i})
				if err != nil {
					t.Fatal(err)
				}
				data, err := c.Bytes(nil)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, data...)
			}
			if !utf8 {
				got = got[:min(len(got), len(want))] // and zeros beyond the edge
			}
			if string(got) != want {
				t.Errorf("%s: %q, expected %q", names, got, want)
			}
		}
	}
}

// convertRecords makes a Tensogram file of netCDF files.
func convertRecords(t *testing.T, path string, from ...string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var inputs []importers.Input
	for _, name := range from {
		inputs = append(inputs, importers.Input{Name: name})
	}
	src := fromnetcdf.New(inputs, fromnetcdf.Options{})
	defer src.Close()
	if _, err := importers.Convert(t.Context(), src, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
}

func openRecords(t *testing.T, names ...string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(t.Context(), names, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// checkRecords expects the values 0, 1, … of a variable a.
func checkRecords(t *testing.T, a *archive.Archive, opts DatasetOptions, n int) {
	t.Helper()
	_, data := readArray(t, NewStore(NewDatasetView(a.Set, a, opts), StoreOptions{}), "a")
	if len(data) != 4*n {
		t.Fatalf("%d bytes, expected %d elements", len(data), n)
	}
	for i := range n {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])); got != float32(i) {
			t.Fatalf("element %d is %v", i, got)
		}
	}
}
