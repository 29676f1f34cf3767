package catalog

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/tgm"
)

// manyMessages writes a file of n objects with the metadata of real fields, per of them in a
// message.
func manyMessages(b *testing.B, n, per int) string {
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
	for first := 0; first < n; first += per {
		w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
		for i := first; i < first+per; i++ {
			base := maps.Clone(gfs[i%len(gfs)])
			base["step"] = int64(i / len(gfs))
			if err := w.Append(object, base); err != nil {
				b.Fatal(err)
			}
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

// manyFields writes a file of n GRIB messages.
func manyFields(b *testing.B, n int) string {
	b.Helper()
	few, err := os.ReadFile("../../fixtures/grib/earthkit/t_pl.grib") // 6 messages
	if err != nil {
		b.Fatal(err)
	}
	one := few[:len(few)/6]
	path := filepath.Join(b.TempDir(), "many.grib")
	if err := os.WriteFile(path, append(bytes.Repeat(few, n/6), bytes.Repeat(one, n%6)...), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// bytesOfEntry is the memory that a catalogue takes for each entry.
func bytesOfEntry(c *Catalog) float64 {
	var with, without runtime.MemStats
	n := c.Len()
	runtime.GC()
	runtime.ReadMemStats(&with)
	*c = Catalog{}
	runtime.GC()
	runtime.ReadMemStats(&without)
	return float64(with.HeapAlloc-without.HeapAlloc) / float64(n)
}

// BenchmarkAddMessages catalogues messages of one object each, of 2 kB.
func BenchmarkAddMessages(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { addFile(b, manyMessages(b, n, 1), n) })
	}
}

// BenchmarkAddObjects catalogues messages of 10 000 objects each.
func BenchmarkAddObjects(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { addFile(b, manyMessages(b, n, 10_000), n) })
	}
}

func addFile(b *testing.B, path string, n int) {
	for b.Loop() {
		f, err := tgm.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		var c Catalog
		if err := c.AddMessages(b.Context(), f, path, refuse); err != nil || c.Len() != n {
			b.Fatal(c.Len(), err)
		}
		f.Close()
		b.ReportMetric(bytesOfEntry(&c), "B/entry")
	}
}

// BenchmarkAddSource catalogues small GRIB messages.
func BenchmarkAddSource(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			path := manyFields(b, n)
			for b.Loop() {
				var c Catalog
				src := fromgrib.New([]importers.Input{{Name: path}}, fromgrib.Options{})
				if err := c.AddSource(b.Context(), src, func(err *importers.BadInput) error { return err }); err != nil || c.Len() != n {
					b.Fatal(c.Len(), err)
				}
				b.ReportMetric(bytesOfEntry(&c), "B/entry")
			}
		})
	}
}
