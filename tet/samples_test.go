package tet

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A memoryFile is an io.WriterAt in memory.
type memoryFile struct{ b []byte }

func (m *memoryFile) WriteAt(p []byte, off int64) (int, error) {
	if need := off + int64(len(p)); need > int64(len(m.b)) {
		m.b = append(m.b, make([]byte, need-int64(len(m.b)))...)
	}
	return copy(m.b[off:], p), nil
}

// counting encodes 1, 2, 3 and so on, or from first on.
func counting(t DType, n int, first int) []byte {
	var b []byte
	for i := range n {
		b = appendValue(b, t, float64(i+first))
	}
	return b
}

func appendValue(b []byte, t DType, v float64) []byte {
	le := binary.LittleEndian
	switch t {
	case Float32:
		return le.AppendUint32(b, math.Float32bits(float32(v)))
	case Float64:
		return le.AppendUint64(b, math.Float64bits(v))
	case Int32, Uint32:
		return le.AppendUint32(b, uint32(int64(v)))
	case Int64, Uint64:
		return le.AppendUint64(b, uint64(int64(v)))
	case Uint8:
		return append(b, byte(int64(v)))
	case Uint16, Int16:
		return le.AppendUint16(b, uint16(int64(v)))
	}
	return le.AppendUint16(b, smallHalf(v))
}

// smallHalf is a float16 of an integer below 2048.
func smallHalf(v float64) uint16 {
	if v == 0 {
		return 0
	}
	fraction, exponent := math.Frexp(math.Abs(v))
	h := uint16(exponent+14)<<10 | uint16(fraction*2048)&0x3ff
	if v < 0 {
		h |= 0x8000
	}
	return h
}

// written is a file with the given datasets and their data.
func written(t testing.TB, o WriterOptions, specs []DatasetSpec, data ...[]byte) []byte {
	t.Helper()
	var m memoryFile
	w, err := NewWriter(&m, specs, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range data {
		if err := w.WriteArray(context.Background(), i, bytes.NewReader(d)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m.b
}

func opened(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../fixtures/tet", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// samples are the files of the reference that can be made from the fact sheet.
var samples = []struct {
	name  string
	spec  DatasetSpec
	first int
}{
	{"sample.tet", DatasetSpec{Name: "temperature", DType: Float32, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}, 1},
	{"multichunk_u8.tet", DatasetSpec{Name: "a", DType: Uint8, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}, 1},
	{"multichunk_u32.tet", DatasetSpec{Name: "a", DType: Uint32, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}, 1},
	{"multichunk_f16.tet", DatasetSpec{Name: "a", DType: Float16, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}, 1},
	{"large.tet", DatasetSpec{Name: "a", DType: Float32, Shape: []int64{34, 64}, ChunkShape: []int64{4, 4}}, 0},
}

func TestSamplesByteForByte(t *testing.T) {
	for _, s := range samples {
		n := int(s.spec.Shape[0] * s.spec.Shape[1])
		data := counting(s.spec.DType, n, s.first)
		want := fixture(t, s.name)
		if got := written(t, WriterOptions{}, []DatasetSpec{s.spec}, data); !bytes.Equal(got, want) {
			t.Errorf("%s: written differently: % x", s.name, got[:min(len(got), 512)])
		}
		a, err := opened(t, want).Datasets()[0].Read(context.Background(), nil, ReadOptions{})
		if err != nil || !bytes.Equal(a.Data, data) {
			t.Errorf("%s: read %v, %v", s.name, a, err)
		}
	}
	if got := written(t, WriterOptions{}, nil); !bytes.Equal(got, emptyFile()) {
		t.Errorf("the empty file: % x", got)
	}
}

// plan.tet is a file with a footer whose JSON was overwritten.
func TestSampleWithBrokenFooter(t *testing.T) {
	got := written(t, WriterOptions{}, []DatasetSpec{{Name: "a", DType: Float32, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}}, counting(Float32, 6, 1))
	got[12] = 1
	got = append(got, bytes.Repeat([]byte("X"), 28)...)
	got = binary.LittleEndian.AppendUint64(got, 28)
	got = binary.LittleEndian.AppendUint32(got, 1)
	got = append(got, "THST"...)
	if want := fixture(t, "plan.tet"); !bytes.Equal(got, want) {
		t.Errorf("plan.tet differs: % x\n% x", got, want)
	}
}

func emptyFile() []byte {
	return []byte("TETR\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
}

// TestFooterByteForByte holds the example of the fact sheet, section 13.
func TestFooterByteForByte(t *testing.T) {
	o := WriterOptions{
		History:  []Event{{Op: "convert", Source: "zarr", At: "0"}},
		Metadata: Metadata{Datasets: map[string]DatasetMetadata{"a": {Attrs: map[string]string{"units": "K"}, DimNames: []string{"y", "x"}}}},
	}
	const text = `{"history":[{"op":"convert","source":"zarr","at":"0"}],"metadata":{"datasets":{"a":{"attrs":{"units":"K"},"dim_names":["y","x"]}}}}`
	want := fixture(t, "multichunk_u8.tet")
	want[12] = 1
	want = append(want, text...)
	want = append(want, "\x83\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00THST"...)
	if got := written(t, o, []DatasetSpec{samples[1].spec}, counting(Uint8, 6, 1)); !bytes.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got[336:], want[336:])
	}
	f := opened(t, want)
	if len(f.History()) != 1 || f.History()[0].Op != "convert" || f.Datasets()[0].DimNames()[1] != "x" {
		t.Errorf("read %+v, %+v", f.History(), f.Metadata())
	}
}

// TestForeignFiles reads files that other releases of the reference wrote.
func TestForeignFiles(t *testing.T) {
	tests := []struct {
		name, dataset string
		sum           float64
		history       int
	}{
		{"embedded_zone.tet", "a", 24, 0},
		{"recording.tet", "frames", 300, 1},
		{"group_by_labels.tet", "a", 21, 0},
		{"align_pair.tet", "b", 21, 1},
		{"tetpy/weather.tet", "t2m", 69 * 70 / 2 / 4.0, 1},
	}
	for _, test := range tests {
		b := fixture(t, test.name)
		f := opened(t, b)
		for _, d := range f.Datasets() {
			a, err := d.Read(context.Background(), nil, ReadOptions{})
			if err != nil {
				t.Errorf("%s: %s: %v", test.name, d.Name, err)
				continue
			}
			sum := 0.0
			for _, v := range a.Float64s() {
				sum += v
			}
			if d.Name == test.dataset && sum != test.sum {
				t.Errorf("%s: %s: sum %v, expected %v", test.name, d.Name, sum, test.sum)
			}
		}
		if _, ok := f.Dataset(test.dataset); !ok || len(f.History()) != test.history {
			t.Errorf("%s: history %+v", test.name, f.History())
		}
	}
}

func TestStoredBytes(t *testing.T) {
	d := opened(t, fixture(t, "sample.tet")).Datasets()[0]
	c, ok := d.Chunk(0, 1)
	if !ok || c.Raw != 8 || c.Shape[1] != 1 {
		t.Fatalf("chunk 0,1: %+v, %v", c, ok)
	}
	b, err := io.ReadAll(d.Stored(c))
	if err != nil || !bytes.Equal(b, []byte("\x00\x00\x40\x40\x00\x00\xc0\x40")) {
		t.Errorf("stored % x, %v", b, err)
	}
}

func TestAppendText(t *testing.T) {
	tests := []struct {
		dtype DType
		value float64
		want  string
	}{
		{Float32, 0.1, "0.1"}, {Float32, 2366400, "2366400"}, {Float64, 1e21, "1e+21"}, {Float64, 1e-7, "1e-07"}, {Float64, math.NaN(), "NaN"},
		{Float64, math.Inf(-1), "-Inf"}, {Float16, -6, "-6"}, {Int16, -3, "-3"}, {Int32, -3, "-3"}, {Int64, -3, "-3"},
		{Uint8, 255, "255"}, {Uint16, 65535, "65535"}, {Uint32, 1 << 31, "2147483648"}, {Uint64, 1 << 62, "4611686018427387904"},
	}
	for _, test := range tests {
		a := Array{test.dtype, []int64{2}, appendValue(appendValue(nil, test.dtype, 0), test.dtype, test.value)}
		if got := string(a.AppendText(nil, 1)); got != test.want {
			t.Errorf("%v: %s, expected %s", test.dtype, got, test.want)
		}
	}
}
