package tet

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

// fuzzBudget keeps results small, so that the fuzzer tries many inputs.
const fuzzBudget = 1 << 20

func seeds(f *testing.F) (files [][]byte) {
	for _, pattern := range []string{"*.tet", "reject/*.tet", "tetpy/*.tet"} {
		names, err := filepath.Glob("../fixtures/tet/" + pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			rel, err := filepath.Rel("../fixtures/tet", name)
			if err != nil {
				f.Fatal(err)
			}
			if b := fixture(f, rel); len(b) < 12<<10 {
				files = append(files, b)
			}
		}
	}
	if len(files) < 15 {
		f.Fatalf("%d seeds", len(files))
	}
	return files
}

// FuzzFile opens, reads and verifies arbitrary bytes. A file that opens and verifies deeply can be
// read.
func FuzzFile(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	for _, d := range damages {
		f.Add(d.edit(fixture(f, "multichunk_u8.tet")))
	}
	f.Add(written(f, WriterOptions{}, []DatasetSpec{{Name: "z", DType: Float64, Shape: []int64{9, 9}, ChunkShape: []int64{4, 4}, Codec: Zstd}}, counting(Float64, 81, 0)))
	f.Fuzz(func(t *testing.T, b []byte) {
		report, err := Verify(t.Context(), bytes.NewReader(b), int64(len(b)), VerifyOptions{Deep: true})
		if err != nil {
			t.Fatal(err)
		}
		file, err := NewFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		o := ReadOptions{Workers: 1, Budget: Budget{Bytes: fuzzBudget}}
		for _, d := range file.Datasets() {
			a, err := d.Read(t.Context(), nil, o)
			if report.OK && err != nil && d.Size() <= fuzzBudget {
				t.Fatalf("%q verifies and cannot be read: %v", d.Name, err)
			}
			if err != nil {
				continue
			}
			half := Selection{{Axis: "0", Start: Index(int64(d.Shape[0] / 2)), Step: 2}}
			part, err := d.Read(t.Context(), half, o)
			if err != nil {
				t.Fatalf("%q: half of it: %v", d.Name, err)
			}
			p, err := d.Plan(half)
			if err != nil {
				t.Fatal(err)
			}
			if want := pick(a.Data, d.grid.shape, p.Ranges(), d.grid.elem); !bytes.Equal(part.Data, want) {
				t.Fatalf("%q: half of it differs", d.Name)
			}
		}
	})
}

// FuzzDirectory parses a directory; the parsed directory is written as it was, except for padding.
func FuzzDirectory(f *testing.F) {
	for _, b := range seeds(f) {
		if l, err := parseCatalog(source{mem: b, size: int64(len(b))}); err == nil && len(l.records) > 0 {
			f.Add(b[directoryStart:l.super.ChunkIndexOffset], l.super.DatasetCount)
		}
	}
	f.Fuzz(func(t *testing.T, blob []byte, count uint32) {
		records, err := parseDirectory(blob, count)
		if err != nil {
			return
		}
		var again []byte
		for _, r := range records {
			if _, err := newGrid(r); err == nil && r.DType.Size() == 0 {
				t.Fatalf("a grid of %v", r.DType)
			}
			again = r.append(again)
		}
		if len(again) != len(blob) {
			t.Fatalf("%d bytes of records, written as %d", len(blob), len(again))
		}
		if back, err := parseDirectory(again, count); err != nil || !reflect.DeepEqual(back, records) {
			t.Fatalf("%+v, written and read: %+v, %v", records, back, err)
		}
	})
}

// FuzzIndex replaces the chunk index of a file.
func FuzzIndex(f *testing.F) {
	large := fixture(f, "multichunk_u8.tet")
	f.Add(large[u8Index:u8Data])
	for _, d := range damages {
		if b := d.edit(fixture(f, "multichunk_u8.tet")); len(b) >= u8Data {
			f.Add(b[u8Index:u8Data])
		}
	}
	f.Fuzz(func(t *testing.T, index []byte) {
		b := append(append(bytes.Clone(large[:u8Index]), index...), large[u8Data:]...)
		put(8, 24, uint64(len(index)))(b)
		file, err := NewFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, d := range file.Datasets() {
			for c := range d.Chunks() {
				if c.Offset < 0 || c.Stored < 0 || c.Offset+c.Stored > int64(len(b)) {
					t.Fatalf("chunk %+v in %d bytes", c, len(b))
				}
			}
			_, _ = d.Read(t.Context(), nil, ReadOptions{Workers: 1, Budget: Budget{Bytes: fuzzBudget}})
		}
	})
}

// FuzzFooter puts JSON into the footer of a file; the parsed footer is written and read again.
func FuzzFooter(f *testing.F) {
	for _, b := range seeds(f) {
		if foot, err := readFooter(source{mem: b, size: int64(len(b))}, superblockSize); err == nil {
			f.Add(b[foot.jsonStart:len(b)-footerTail], foot.version == 2)
		}
	}
	f.Add([]byte(`{"history":[["a","b","c"]],"metadata_ref":{"offset":342,"len":2}}`), false)
	f.Fuzz(func(t *testing.T, json []byte, second bool) {
		if len(json) > maxFooterJSON {
			return
		}
		version := byte(1)
		if second {
			version = 2
		}
		b := withFooter(fixture(t, "multichunk_u8.tet"), string(json), version)
		file, err := NewFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, d := range file.Datasets() {
			for axis := range d.Shape {
				d.Labels(axis)
			}
		}
		again, err := appendFooter(nil, 342, file.History(), file.Metadata())
		if err != nil || len(again) == 0 {
			return // beyond the limits of writers
		}
		b = append(fixture(t, "multichunk_u8.tet"), again...)
		b[12] = 1
		back := opened(t, b)
		if !reflect.DeepEqual(back.Metadata().File, file.Metadata().File) || len(back.History()) != len(file.History()) ||
			len(back.Metadata().Datasets) != len(file.Metadata().Datasets) {
			t.Fatalf("%+v, %+v, written and read: %+v, %+v", file.History(), file.Metadata(), back.History(), back.Metadata())
		}
	})
}

// FuzzPayload decodes arbitrary bytes as a compressed chunk, at once and in pieces: both give the
// same, or fail.
func FuzzPayload(f *testing.F) {
	spec := DatasetSpec{Name: "a", DType: Uint8, Shape: []int64{4096}, Codec: Zstd}
	for _, tile := range [][]byte{counting(Uint8, 4096, 0), make([]byte, 4096), make([]byte, 4095), make([]byte, 4097)} {
		stored, err := compress.EncodeZstd(nil, tile, 0)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(stored)
		f.Add(append(stored, stored...))
		f.Add(stored[:len(stored)-1])
	}
	f.Fuzz(func(t *testing.T, stored []byte) {
		var m memoryFile
		w, err := NewWriter(&m, []DatasetSpec{spec}, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteStored(0, []int64{0}, stored, Zstd); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		d := opened(t, m.b).Datasets()[0]
		whole, wholeErr := d.Read(context.Background(), nil, ReadOptions{Workers: 1})
		c := d.ChunkAt(0)
		var pieces []byte
		piecesErr := d.payload(c, &scratch{whole: 0}, func(f fetcher) error {
			for at := int64(0); at < c.Raw; at += 1024 {
				b, err := f.fetch(at, 1024)
				if err != nil {
					return err
				}
				pieces = append(pieces, b...)
			}
			return nil
		})
		if (wholeErr == nil) != (piecesErr == nil) {
			t.Fatalf("at once: %v; in pieces: %v", wholeErr, piecesErr)
		}
		if wholeErr == nil && !bytes.Equal(whole.Data, pieces) {
			t.Fatal("at once and in pieces differ")
		}
	})
}
