package tet

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/nd"
)

func TestWriterRefuses(t *testing.T) {
	good := DatasetSpec{Name: "a", DType: Uint8, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}
	change := func(f func(*DatasetSpec)) []DatasetSpec {
		s := good
		f(&s)
		return []DatasetSpec{s}
	}
	long := strings.Repeat("x", 1025)
	tests := []struct {
		name  string
		specs []DatasetSpec
		o     WriterOptions
		want  string
	}{
		{"no dimensions", change(func(s *DatasetSpec) { s.Shape = nil }), WriterOptions{}, "1 to 8 dimensions"},
		{"nine dimensions", change(func(s *DatasetSpec) { s.Shape, s.ChunkShape = make([]int64, 9), nil }), WriterOptions{}, "1 to 8 dimensions"},
		{"extent of zero", change(func(s *DatasetSpec) { s.Shape = []int64{0, 3} }), WriterOptions{}, "at least 1"},
		{"negative chunk", change(func(s *DatasetSpec) { s.ChunkShape = []int64{-1, 3} }), WriterOptions{}, "at least 1"},
		{"too large", change(func(s *DatasetSpec) { s.Shape = []int64{1 << 40, 1 << 40} }), WriterOptions{}, "2^62"},
		{"too many chunks", change(func(s *DatasetSpec) { s.Shape, s.ChunkShape = []int64{1 << 30, 1}, []int64{1, 1} }), WriterOptions{}, "chunks"},
		{"dtype", change(func(s *DatasetSpec) { s.DType = 11 }), WriterOptions{}, "dtype 11"},
		{"codec", change(func(s *DatasetSpec) { s.Codec = 2 }), WriterOptions{}, "codec 2"},
		{"no name", change(func(s *DatasetSpec) { s.Name = "" }), WriterOptions{}, "name"},
		{"same name", []DatasetSpec{good, good}, WriterOptions{}, "two datasets"},
		{"history", []DatasetSpec{good}, WriterOptions{History: []Event{{Op: "x", Source: "", At: "0"}}}, "history[0].source"},
		{"attribute", []DatasetSpec{good}, WriterOptions{Metadata: Metadata{Datasets: map[string]DatasetMetadata{"a": {Attrs: map[string]string{"k": long}}}}}, `attrs["k"]`},
		{"labels", []DatasetSpec{good}, WriterOptions{Metadata: Metadata{Datasets: map[string]DatasetMetadata{"a": {Coords: map[string]CoordAxis{"y": {make([]string, 65)}}}}}}, "65, at most 64"},
	}
	for _, test := range tests {
		if _, err := NewWriter(&memoryFile{}, test.specs, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, expected %q", test.name, err, test.want)
		}
	}
}

func TestWriterRefusesChunks(t *testing.T) {
	w, err := NewWriter(&memoryFile{}, []DatasetSpec{{Name: "a", DType: Uint8, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteChunk(0, []int64{0, 1}, []byte{3, 6}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"missing":        w.Close(),
		"twice":          w.WriteChunk(0, []int64{0, 1}, []byte{3, 6}),
		"padded":         w.WriteChunk(0, []int64{0, 0}, make([]byte, 5)),
		"outside":        w.WriteChunk(0, []int64{0, 2}, []byte{1}),
		"negative":       w.WriteChunk(0, []int64{-1, 0}, []byte{1}),
		"rank":           w.WriteChunk(0, []int64{0}, []byte{1}),
		"dataset":        w.WriteChunk(1, []int64{0, 0}, []byte{1}),
		"stored":         w.WriteStored(0, []int64{0, 0}, []byte{1}, Raw),
		"stored dataset": w.WriteStored(-1, []int64{0, 0}, []byte{1}, Raw),
		"array":          w.WriteArray(context.Background(), 0, bytes.NewReader(make([]byte, 6))),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestChunksInAnyOrder expects rows in the order of the grid, wherever the payloads lie.
func TestChunksInAnyOrder(t *testing.T) {
	var m memoryFile
	spec := DatasetSpec{Name: "a", DType: Uint8, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}
	w, err := NewWriter(&m, []DatasetSpec{spec}, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		coords []int64
		tile   []byte
	}{{[]int64{0, 1}, []byte{3, 6}}, {[]int64{0, 0}, []byte{1, 2, 4, 5}}} {
		if err := w.WriteChunk(0, c.coords, c.tile); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := opened(t, m.b)
	var columns []uint64
	for e, err := range f.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		columns = append(columns, e.ChunkIndex[1])
	}
	if !reflect.DeepEqual(columns, []uint64{0, 1}) {
		t.Errorf("rows of columns %v", columns)
	}
	checkRead(t, f.Datasets()[0], nil, []byte{1, 2, 3, 4, 5, 6})
}

func TestCreateIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.tet")
	specs := []DatasetSpec{{Name: "a", DType: Uint8, Shape: []int64{3}}}
	entries := func() int {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	w, err := Create(path, specs, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is there before it is complete")
	}
	if err := w.Close(); err == nil || entries() != 0 {
		t.Errorf("closed without chunks: %v, %d files", err, entries())
	}
	if w, err = Create(path, specs, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	if w.Abort(); entries() != 0 {
		t.Errorf("%d files after Abort", entries())
	}
	if _, err := Create(path, append(specs, specs...), WriterOptions{}); err == nil || entries() != 0 {
		t.Errorf("wrong datasets: %v, %d files", err, entries())
	}
	if w, err = Create(path, specs, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteChunk(0, []int64{0}, []byte{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	f, err := Open(path)
	if err != nil || entries() != 1 {
		t.Fatalf("%v, %d files", err, entries())
	}
	f.Close()
}

func text(s string) *string { return &s }

func TestFooterRoundTrip(t *testing.T) {
	specs := []DatasetSpec{{Name: "a", DType: Uint8, Shape: []int64{3}}}
	small := WriterOptions{
		Execution: Execution{PercentBPS: 1234, Bytes: 1 << 20},
		History: []Event{
			{Op: "convert", Source: "<a> & \u2028 \x01\t\"\\", At: "1", Parents: []string{"p"}, Params: map[string]string{"b": "2", "a": "1"}},
			{Op: "x", Source: "y", At: "2", Agent: text("me"), Activity: text("q"), Entity: text("e")},
		},
		Metadata: Metadata{
			File: &FileMetadata{Tool: "t", CreatedAt: "5"},
			Datasets: map[string]DatasetMetadata{
				"a": {Attrs: map[string]string{"ü": "°"}, DimNames: []string{"x"}, Coords: map[string]CoordAxis{"x": {[]string{"l", "m"}}}},
			},
		},
	}
	large := small
	large.Metadata.Datasets = map[string]DatasetMetadata{}
	for i := range 200 {
		attrs := map[string]string{}
		for j := range 10 {
			attrs[fmt.Sprint("key", j)] = strings.Repeat("v", 100)
		}
		large.Metadata.Datasets[fmt.Sprint("d", i)] = DatasetMetadata{Attrs: attrs}
	}
	for name, o := range map[string]WriterOptions{"inline": small, "spilled": large} {
		f := opened(t, written(t, o, specs, []byte{1, 2, 3}))
		if f.Execution() != o.Execution || !reflect.DeepEqual(f.History(), o.History) || !reflect.DeepEqual(f.Metadata(), o.Metadata) {
			t.Errorf("%s: read %+v, %+v, %+v", name, f.Execution(), f.History(), f.Metadata())
		}
		if f.layout.foot.spilled != (name == "spilled") {
			t.Errorf("%s: spilled: %v", name, f.layout.foot.spilled)
		}
		if a, err := f.Datasets()[0].Read(context.Background(), nil, ReadOptions{}); err != nil || !bytes.Equal(a.Data, []byte{1, 2, 3}) {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
}

func TestLegacyHistory(t *testing.T) {
	const json = `{"history":[["op","src","3"],{"op":"b","source":"c","at":"d","new":[1]}],"more":{}}`
	b := withFooter(fixture(t, "multichunk_u8.tet"), json, 1)
	f := opened(t, b)
	if h := f.History(); len(h) != 2 || h[0].Source != "src" || h[0].At != "3" || h[1].At != "d" {
		t.Errorf("%+v", h)
	}
}

// withFooter appends a footer to a file without one.
func withFooter(b []byte, json string, version byte) []byte {
	b[12] = 1
	b = append(b, json...)
	b = append(b, byte(len(json)), byte(len(json)>>8), 0, 0, 0, 0, 0, 0, version, 0, 0, 0)
	return append(b, "THST"...)
}

// TestLargeCompressedChunk decodes a chunk in pieces because the budget is smaller.
func TestLargeCompressedChunk(t *testing.T) {
	data := counting(Uint32, 1<<20, 0)
	b := written(t, WriterOptions{}, []DatasetSpec{{Name: "a", DType: Uint32, Shape: []int64{1024, 1024}, Codec: Zstd}}, data)
	d := opened(t, b).Datasets()[0]
	o := ReadOptions{Budget: Budget{Bytes: 200 << 10}}
	for _, text := range []string{"", "0=5:1000:7,1=3:1024:5", "0=1023"} {
		sel, err := ParseSelection(text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Plan(sel)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, p.Bytes())
		err = Fold(context.Background(), p, o, nd.Strides(p.Shape(), int64(4)), func(blocks iter.Seq2[Block, error]) (int, error) {
			for b, err := range blocks {
				if err != nil {
					return 0, err
				}
				if len(b.Data) > windowSize {
					t.Errorf("a block of %d bytes", len(b.Data))
				}
				b.copyTo(got, 4)
			}
			return 0, nil
		}, func(int) error { return nil })
		if err != nil || !bytes.Equal(got, pick(data, d.grid.shape, p.Ranges(), 4)) {
			t.Errorf("%q: %v, or other values", text, err)
		}
	}
}
