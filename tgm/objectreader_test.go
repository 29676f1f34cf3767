package tgm

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestObjectReaderIsMessage reads objects of two messages in order, against it and again, some of which are large, and compares
// them with objects that messages read themselves.
func TestObjectReaderIsMessage(t *testing.T) {
	var file bytes.Buffer
	r := rand.New(rand.NewPCG(1, 1))
	const objects = 300
	for range 2 {
		w := NewMessageWriter(&file, WriterOptions{})
		for i := range objects {
			n := 1 + i%3
			if i%50 == 49 {
				n = 1000
			}
			data := make([]byte, 8*n)
			if i%7 == 0 {
				data[0] = byte(r.Uint32())
			}
			p := Pipeline{}
			if i%2 == 0 {
				p.Compression = "zstd"
			}
			o, err := EncodeArray(Array{Shape: []uint64{uint64(n)}, DType: Float64, Data: data}, p)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Append(o, map[string]any{"name": "x"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	reader := NewObjectReader()
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []int{1, -1, 1, 7} {
			for j := range objects {
				j = ((j*step)%objects + objects) % objects
				want, err := m.Stored(j)
				if err != nil {
					t.Fatal(err)
				}
				got, err := reader.Stored(m, j)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("message %d, object %d: %+v, expected %+v", m.Index(), j, got, want)
				}
			}
		}
	}
	if len(reader.parsed) == 0 || cap(reader.buf) <= descriptorChunk {
		t.Errorf("%d descriptors are kept, %d bytes were read at once", len(reader.parsed), cap(reader.buf))
	}
}

// comparePlainDescriptor compares the two ways to read a descriptor. It reports whether it was a plain one.
func comparePlainDescriptor(t *testing.T, b []byte) bool {
	t.Helper()
	got, ndim, size, ok := parsePlainDescriptor(b)
	if !ok {
		return false
	}
	want, wantNDim, wantSize, err := parseAnyDescriptor(b, nowhere)
	if err != nil || ndim != wantNDim || size != wantSize || !reflect.DeepEqual(got, want) {
		t.Errorf("% x: %+v, %d axes, %d bytes; expected %+v, %d, %d, %v", b, got, ndim, size, want, wantNDim, wantSize, err)
	}
	return true
}

// TestPlainDescriptor reads descriptors of all stages, and damaged ones.
func TestPlainDescriptor(t *testing.T) {
	plain := 0
	r := rand.New(rand.NewPCG(1, 1))
	for _, kind := range []StageKind{EncodingStage, FilterStage, CompressionStage, MaskStage} {
		for _, stage := range Stages(kind) {
			data := make([]byte, 8*64)
			o, err := EncodeArray(Array{Shape: []uint64{8, 8}, DType: Float64, Data: data}, stage.Sample)
			if err != nil {
				continue
			}
			for range 2000 {
				if comparePlainDescriptor(t, o.cbor) {
					plain++
				}
				damaged := bytes.Clone(o.cbor)
				for range 1 + r.IntN(3) {
					damaged[r.IntN(len(damaged))] ^= byte(1 << r.IntN(8))
				}
				comparePlainDescriptor(t, damaged)
			}
		}
	}
	if plain < 10*2000 {
		t.Errorf("%d descriptors were plain", plain)
	}
}
