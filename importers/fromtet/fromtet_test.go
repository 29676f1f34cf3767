package fromtet_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

const weather = "../../fixtures/tet/tetpy/weather.tet"

func inputs(names ...string) (all []importers.Input) {
	for _, name := range names {
		all = append(all, importers.Input{Name: name})
	}
	return all
}

func converted(t testing.TB, opts fromtet.Options, names ...string) (*tgm.File, *importers.Report) {
	t.Helper()
	s := fromtet.New(inputs(names...), opts)
	defer s.Close()
	var out bytes.Buffer
	report, err := importers.Convert(context.Background(), s, &out, importers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f, report
}

// objects are all objects of a file, in order.
func objects(t testing.TB, f *tgm.File) (all []*tgm.Object) {
	t.Helper()
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
	}
	return all
}

func entry(o *tgm.Object) mapping.Entry { return mapping.Read(o.Base()) }

func floats32(t testing.TB, o *tgm.Object) (out []float32) {
	t.Helper()
	a, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for b := a.Data; len(b) > 0; b = b[4:] {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return out
}

func TestDatasetsAndLabels(t *testing.T) {
	f, report := converted(t, fromtet.Options{}, weather)
	all := objects(t, f)
	if report.Fields != 2 || report.Messages != 1 || len(all) != 4 {
		t.Fatalf("%d fields in %d messages, %d objects", report.Fields, report.Messages, len(all))
	}
	t2m := entry(all[0])
	described, ok := t2m.Tet()
	if !ok || t2m.Name(nil) != "t2m" || !slices.Equal(t2m.Dims(3), []string{"time", "lat", "lon"}) {
		t.Errorf("entry %v", all[0].Base())
	}
	if described.Attributes["units"] != "K" || described.Coords["lat"][4] != "20" || described.File["tool"] != "tet-py" ||
		described.History[0].Op != "make" || !slices.Equal(described.Chunks, []uint64{1, 2, 4}) || described.Codec != "raw" {
		t.Errorf("base[i].tet: %+v", described)
	}
	values := floats32(t, all[0])
	if len(values) != 70 || values[69] != 17.25 {
		t.Errorf("values %v", values)
	}
	if d := all[0].Descriptor(); d.Encoding != "none" || d.Compression != "none" {
		t.Errorf("raw became %+v", d)
	}
	for j, want := range map[int]string{2: "time", 3: "lat"} {
		if name := entry(all[j]).Name(nil); name != want {
			t.Errorf("object %d is %s, expected %s", j, name, want)
		}
	}
	a, err := all[2].Decode(tgm.DecodeOptions{})
	if err != nil || math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8:])) != 1775347200 {
		t.Errorf("time %x, %v", a.Data, err)
	}
}

func TestSplit(t *testing.T) {
	for split, want := range map[fromtet.Split]struct{ fields, messages int }{
		fromtet.SplitFile: {2, 1}, fromtet.SplitDataset: {2, 2}, fromtet.SplitChunk: {15, 15},
	} {
		f, report := converted(t, fromtet.Options{Split: split}, weather)
		if report.Fields != want.fields || report.Messages != want.messages {
			t.Errorf("split %d: %d fields in %d messages", split, report.Fields, report.Messages)
		}
		if split != fromtet.SplitChunk {
			continue
		}
		for _, o := range objects(t, f) {
			described, ok := entry(o).Tet()
			if !ok || entry(o).Name(nil) != "t2m" {
				continue
			}
			start, n := described.Start, o.Descriptor().Shape
			if !slices.Equal(described.Shape, []uint64{2, 5, 7}) || n[1] != min(2, 5-start[1]) || n[2] != min(4, 7-start[2]) {
				t.Errorf("chunk at %v of shape %v", start, n)
			}
			if v := floats32(t, o)[0]; v != float32(start[0]*35+start[1]*7+start[2])/4 {
				t.Errorf("chunk at %v begins with %v", start, v)
			}
		}
	}
}

// tetFile writes a file of one dataset.
func tetFile(t testing.TB, spec tet.DatasetSpec, meta tet.DatasetMetadata, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.tet")
	w, err := tet.Create(path, []tet.DatasetSpec{spec}, tet.WriterOptions{Metadata: tet.Metadata{Datasets: map[string]tet.DatasetMetadata{spec.Name: meta}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteArray(context.Background(), 0, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFillValuesAndZstd(t *testing.T) {
	var data []byte
	for _, v := range []float32{1, -9, 3, -9} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	path := tetFile(t, tet.DatasetSpec{Name: "a", DType: tet.Float32, Shape: []int64{4}, Codec: tet.Zstd}, tet.DatasetMetadata{Attrs: map[string]string{"_FillValue": "-9"}}, data)
	f, _ := converted(t, fromtet.Options{}, path)
	o := objects(t, f)[0]
	v := floats32(t, o)
	if v[0] != 1 || v[2] != 3 || v[1] == v[1] || v[3] == v[3] {
		t.Errorf("values %v", v)
	}
	if d := o.Descriptor(); d.Compression != "zstd" {
		t.Errorf("zstd became %+v", d)
	}
	whole := tetFile(t, tet.DatasetSpec{Name: "a", DType: tet.Int32, Shape: []int64{4}}, tet.DatasetMetadata{Attrs: map[string]string{"_FillValue": "-9"}}, data)
	f, _ = converted(t, fromtet.Options{}, whole)
	a, err := objects(t, f)[0].Decode(tgm.DecodeOptions{})
	if err != nil || !bytes.Equal(a.Data, data) {
		t.Errorf("integers %x, %v", a.Data, err)
	}
}

// TestLabelsBecomeCoordinates holds which labels do, and that a dataset of the name goes first.
func TestLabelsBecomeCoordinates(t *testing.T) {
	tests := []struct {
		labels []string
		want   bool
	}{
		{[]string{"1", "2.5"}, true}, {[]string{"2026-01-01T00:00:00Z", "2026-01-01T06:00:00Z"}, true},
		{[]string{"a", "b"}, false}, {[]string{"1"}, false}, {[]string{"1", "2", "3"}, true},
	}
	for _, test := range tests {
		path := tetFile(t, tet.DatasetSpec{Name: "a", DType: tet.Uint8, Shape: []int64{2}},
			tet.DatasetMetadata{DimNames: []string{"x"}, Coords: map[string]tet.CoordAxis{"x": {Labels: test.labels}}}, []byte{1, 2})
		f, report := converted(t, fromtet.Options{}, path)
		if got := report.Coordinates == 1; got != test.want {
			t.Errorf("%q: a coordinate: %v", test.labels, got)
		}
		if described, _ := entry(objects(t, f)[0]).Tet(); !slices.Equal(described.Coords["x"], test.labels) {
			t.Errorf("%q are kept as %q", test.labels, described.Coords["x"])
		}
	}
	path := tetFile(t, tet.DatasetSpec{Name: "x", DType: tet.Uint8, Shape: []int64{2}},
		tet.DatasetMetadata{DimNames: []string{"x"}, Coords: map[string]tet.CoordAxis{"x": {Labels: []string{"1", "2"}}}}, []byte{1, 2})
	if _, report := converted(t, fromtet.Options{}, path); report.Coordinates != 0 {
		t.Error("the coordinate of a dataset is written twice")
	}
}

// TestPartsAreData reads parts that went through JSON with another source, in any order.
func TestPartsAreData(t *testing.T) {
	ctx := context.Background()
	s := fromtet.New(inputs(weather), fromtet.Options{Split: fromtet.SplitChunk})
	defer s.Close()
	var parts []importers.Part
	for p, err := range s.Parts(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var q importers.Part
		if err := json.Unmarshal(b, &q); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, q)
	}
	slices.Reverse(parts)
	other := fromtet.New(nil, fromtet.Options{Split: fromtet.SplitChunk})
	defer other.Close()
	total := 0
	for _, p := range parts {
		for f, err := range other.Read(ctx, p, nil) {
			if err != nil {
				t.Fatal(err)
			}
			e, err := f.Elements(ctx, new(importers.Scratch))
			if err != nil {
				t.Fatal(err)
			}
			total += len(e.Data)
		}
	}
	if len(parts) != 15 || total != 70*4+9 {
		t.Errorf("%d parts, %d bytes", len(parts), total)
	}
	wrong := parts[0]
	wrong.Variable = "other"
	for _, p := range []importers.Part{wrong, {Input: weather, Variable: "t2m", Record: ptr(99)}, {Input: weather, Number: -1}, {Input: "nothing.tet"}} {
		for _, err := range other.Read(ctx, p, nil) {
			var bad *importers.BadInput
			if !errors.As(err, &bad) {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
}

func ptr(n uint64) *uint64 { return &n }

func TestBadInputs(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.tet")
	if err := os.WriteFile(empty, []byte("TETR\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{empty, "../../fixtures/tet/plan.tet", "../../fixtures/grib/sanity.grib2", "../../fixtures/tet/reject/zstd_garbage_payload.tet"} {
		s := fromtet.New(inputs(name), fromtet.Options{})
		_, err := importers.Convert(context.Background(), s, &bytes.Buffer{}, importers.Options{})
		var bad *importers.BadInput
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}

// FuzzConvert converts arbitrary bytes: whatever they are, there is a result or an error.
func FuzzConvert(f *testing.F) {
	for _, pattern := range []string{"*.tet", "reject/*.tet", "tetpy/*.tet"} {
		names, err := filepath.Glob("../../fixtures/tet/" + pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			if len(b) < 12<<10 {
				f.Add(b, true)
				f.Add(b, false)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, chunks bool) {
		opts := fromtet.Options{Opener: &storage.Client{Stdin: bytes.NewReader(b), TempDir: t.TempDir()}}
		if chunks {
			opts.Split = fromtet.SplitChunk
		}
		s := fromtet.New(inputs(storage.Stdin), opts)
		defer s.Close()
		var out bytes.Buffer
		if _, err := importers.Convert(t.Context(), s, &out, importers.Options{Workers: 1, SkipBad: true}); err != nil {
			return
		}
		if _, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil {
			t.Fatal(err)
		}
	})
}

func TestHolds(t *testing.T) {
	file, err := os.ReadFile(weather)
	if err != nil {
		t.Fatal(err)
	}
	var message bytes.Buffer
	s := fromtet.New(inputs(weather), fromtet.Options{})
	defer s.Close()
	if _, err := importers.Convert(context.Background(), s, &message, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile("../../fixtures/tgm/named_axes.tgm")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		bytes []byte
		want  bool
	}{{".tet", file, true}, {"converted", message.Bytes(), true}, {"other Tensogram", other, false}, {"cut off", message.Bytes()[:message.Len()-1], false}, {"text", []byte("some text"), false}} {
		got, err := fromtet.Holds(bytes.NewReader(test.bytes), int64(len(test.bytes)))
		if got != test.want || err != nil {
			t.Errorf("%s: %v, %v, expected %v", test.name, got, err, test.want)
		}
	}
}

// TestClaimsLittle refuses a dataset of zeros that is stored in a few kB, before it takes memory. It is read
// if a larger one is allowed.
func TestClaimsLittle(t *testing.T) {
	const elements = 9 << 20 // of 8 bytes: beyond 64 MiB
	path := filepath.Join(t.TempDir(), "zeros.tet")
	w, err := tet.Create(path, []tet.DatasetSpec{{Name: "zeros", DType: tet.Float64, Shape: []int64{elements}, ChunkShape: []int64{elements}, Codec: tet.Zstd}}, tet.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteArray(t.Context(), 0, bytes.NewReader(make([]byte, 8*elements))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := fromtet.New(inputs(path), fromtet.Options{})
	defer s.Close()
	var claimed *tgm.ExpansionError
	if _, err := importers.Convert(t.Context(), s, new(bytes.Buffer), importers.Options{}); !errors.As(err, &claimed) || claimed.Bytes != 8*elements {
		t.Errorf("error %v, expected an ExpansionError of %d bytes", err, 8*elements)
	}
	converted(t, fromtet.Options{MaxArray: 8 * elements}, path)
}
