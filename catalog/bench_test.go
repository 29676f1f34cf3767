package catalog

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/tgm"
)

// manyMessages writes a file of n messages with the metadata of real fields.
func manyMessages(b *testing.B, n int) string {
	b.Helper()
	gfs := metadataOfGFS(b)
	path := filepath.Join(b.TempDir(), "many.tgm")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	object, err := tgm.EncodeArray(tgm.Array{Shape: []uint64{2, 2}, DType: tgm.Float32, Data: make([]byte, 16)}, tgm.Pipeline{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
		base := gfs[i%len(gfs)]
		base["step"] = int64(i / len(gfs))
		if err := w.Append(object, base); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

// metadataOfGFS is the metadata of the fields of a GFS file.
func metadataOfGFS(b *testing.B) (entries []map[string]any) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "gfs.tgm")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	src := fromgrib.New(inputs("grib/gfs_2p50_f000.grib2"), fromgrib.Options{})
	if _, err := importers.Convert(b.Context(), src, file, importers.Options{Coordinates: importers.CoordinatesNone}); err != nil {
		b.Fatal(err)
	}
	f, err := tgm.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		b.Fatal(err)
	}
	for base, err := range m.BaseEntries() {
		if err != nil {
			b.Fatal(err)
		}
		delete(base, "_reserved_")
		entries = append(entries, base)
	}
	return entries
}

// BenchmarkAddMessages catalogues a file of 100 000 messages of 2 kB each.
func BenchmarkAddMessages(b *testing.B) {
	path := manyMessages(b, 100_000)
	for b.Loop() {
		f, err := tgm.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		var c Catalog
		if err := c.AddMessages(b.Context(), f, path, refuse); err != nil || c.Len() != 100_000 {
			b.Fatal(c.Len(), err)
		}
		f.Close()
	}
}
