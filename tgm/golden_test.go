package tgm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const fixtures = "../fixtures/tgm"

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t testing.TB, b []byte, opts ...Option) *File {
	t.Helper()
	f, err := NewFile(bytes.NewReader(b), int64(len(b)), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantObject is the statement of section O of the facts about an object.
type wantObject struct {
	dtype  DType
	shape  []uint64
	values []float64
	hash   uint64
}

var goldens = map[string][][]wantObject{
	"simple_f32.tgm": {{{Float32, []uint64{4}, []float64{1, 2, 3, 4}, 0x3aeac8603f519c1d}}},
	"hash_xxh3.tgm":  {{{Float32, []uint64{4}, []float64{1, 2, 3, 4}, 0x3aeac8603f519c1d}}},
	"multi_object.tgm": {{
		{Float32, []uint64{2}, []float64{1.5, 2.5}, 0x5070b59b0b67dfe8},
		{Int64, []uint64{3}, []float64{100, -200, 300}, 0x909a18335778f3de},
		{Uint8, []uint64{5}, []float64{10, 20, 30, 40, 50}, 0xdca3a5038096aed3},
	}},
	"mars_metadata.tgm": {{{Float64, []uint64{2, 3}, []float64{1, 2, 3, 4, 5, 6}, 0xf7900060cb273635}}},
	"multi_message.tgm": {
		{{Float32, []uint64{2}, []float64{1, 2}, 0x8bf8d227c9d389b5}},
		{{Float32, []uint64{2}, []float64{3, 4}, 0xb171799d18bb401b}},
	},
}

// number reads element i of a little-endian array.
func number(d DType, data []byte, i int) float64 {
	switch d {
	case Float32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	case Float64:
		return math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	case Int64:
		return float64(int64(binary.LittleEndian.Uint64(data[8*i:])))
	case Uint8:
		return float64(data[i])
	}
	panic("no such type in the fixtures")
}

func TestGoldenFilesDecode(t *testing.T) {
	for _, version := range []string{"v0.17", "v0.20"} {
		for name, messages := range goldens {
			t.Run(version+"/"+name, func(t *testing.T) {
				f := open(t, fixture(t, version+"/"+name))
				if n, err := f.Len(); err != nil || n != len(messages) {
					t.Fatalf("%d messages, %v; expected %d", n, err, len(messages))
				}
				if gaps, _ := f.Gaps(); len(gaps) != 0 {
					t.Errorf("gaps %v", gaps)
				}
				for i, want := range messages {
					checkMessage(t, f, i, want)
				}
			})
		}
	}
}

func checkMessage(t *testing.T, f *File, i int, want []wantObject) {
	t.Helper()
	m, err := f.Message(i)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := m.NumObjects(); err != nil || n != len(want) {
		t.Fatalf("message %d: %d objects, %v; expected %d", i, n, err, len(want))
	}
	for j, w := range want {
		o, err := m.Object(j)
		if err != nil {
			t.Fatal(err)
		}
		a, err := o.Decode(DecodeOptions{VerifyHash: true})
		if err != nil {
			t.Fatal(err)
		}
		if a.DType != w.dtype || fmt.Sprint(a.Shape) != fmt.Sprint(w.shape) {
			t.Errorf("object %d is %s %v, expected %s %v", j, a.DType, a.Shape, w.dtype, w.shape)
		}
		for k, v := range w.values {
			if got := number(a.DType, a.Data, k); got != v {
				t.Errorf("object %d value %d is %v, expected %v", j, k, got, v)
			}
		}
		if h, ok := o.Hash(); !ok || h != w.hash {
			t.Errorf("object %d has hash %x %v, expected %x", j, h, ok, w.hash)
		}
	}
}

// rewrite encodes every message of a file again from its decoded content.
func rewrite(t *testing.T, file []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for m, err := range open(t, file).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		md, err := m.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		w := NewMessageWriter(&out, WriterOptions{Provenance: provenanceOf(t, md)})
		w.SetExtra(md.Extra)
		for j := range md.Base {
			o, err := m.Object(j)
			if err != nil {
				t.Fatal(err)
			}
			a, err := o.Decode(DecodeOptions{ByteOrder: o.Descriptor().ByteOrder})
			if err != nil {
				t.Fatal(err)
			}
			e, err := EncodeArray(*a, Pipeline{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Append(e, o.Base()); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func provenanceOf(t *testing.T, md *Metadata) Provenance {
	t.Helper()
	encoder := md.Reserved["encoder"].(map[string]any)
	when, err := time.Parse(time.RFC3339, md.Reserved["time"].(string))
	if err != nil {
		t.Fatal(err)
	}
	return Provenance{when, md.Reserved["uuid"].(string), encoder["name"].(string), encoder["version"].(string)}
}

// TestGoldenFilesReproduced writes the content of golden files again. Our form, which every
// release reads, is the output of 0.17 with the frame flag of later releases, and has the data
// frames of 0.20.
func TestGoldenFilesReproduced(t *testing.T) {
	for name := range goldens {
		old, current := fixture(t, "v0.17/"+name), fixture(t, "v0.20/"+name)
		got := rewrite(t, old)
		clearHashFlags(t, got)
		if !bytes.Equal(got, old) {
			t.Errorf("%s: writing the content of 0.17's again gives other bytes\n% x\n% x", name, got, old)
		}
		if got, want := dataFrames(t, rewrite(t, current)), dataFrames(t, current); !bytes.Equal(got, want) {
			t.Errorf("%s: writing the content of 0.20's again gives other data frames\n% x\n% x", name, got, want)
		}
	}
}

// clearHashFlags clears the flag that 0.17 does not know in all frames of a file.
func clearHashFlags(t *testing.T, file []byte) {
	for m, err := range open(t, bytes.Clone(file)).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		w := walker{src: m.src, base: m.offset, pos: preambleSize, limit: m.framesEnd()}
		for {
			f, ok, err := w.next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			file[m.offset+f.offset+7] &^= frameFlagHash
		}
	}
}

// dataFrames returns the data frames of a file one after the other.
func dataFrames(t *testing.T, file []byte) (frames []byte) {
	for m, err := range open(t, file).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			frames = append(frames, file[o.Offset():o.Offset()+o.Length()]...)
		}
	}
	return frames
}
