package tgm

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// repeating is an array of 16 MiB that compresses very well. With a far period it needs a
// large window to compress.
func repeating(period int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(period)))
	once := make([]byte, period)
	for i := 0; i+8 <= len(once); i += 8 {
		binary.LittleEndian.PutUint64(once[i:], 0x3ff0<<48|r.Uint64()>>12)
	}
	return bytes.Repeat(once, (16<<20+8)/period+1)[:16<<20+8]
}

// TestRangesOfExpanding expects arrays that are very much larger than their payload to have
// ranges with the right elements.
func TestRangesOfExpanding(t *testing.T) {
	for _, c := range []struct {
		pipeline Pipeline
		period   int
		ranges   bool
	}{
		{Pipeline{Compression: "zstd"}, 4096, true},
		{Pipeline{Compression: "lz4"}, 800, true},
		{Pipeline{Compression: "zstd", Filter: "shuffle"}, 4096, true},
		{Pipeline{Compression: "lz4", Filter: "shuffle"}, 800, true},
		{Pipeline{Compression: "zstd"}, 1<<20 - 8, false}, // pieces of 256 KiB do not repeat
	} {
		data := repeating(c.period)
		o, err := EncodeArray(Array{Shape: []uint64{uint64(len(data) / 8)}, DType: Float64, Data: data}, c.pipeline)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		w := NewMessageWriter(&file, WriterOptions{})
		if err := w.Append(o, nil); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		object := objectIn(t, file.Bytes())
		if object.HasRanges() != c.ranges {
			t.Errorf("%+v of period %d: HasRanges is %v", c.pipeline, c.period, !c.ranges)
		}
		for _, first := range []uint64{0, 1, 32767, uint64(len(data)/8) - 70000} {
			a, err := object.DecodeRange(first, 70000, DecodeOptions{})
			if err != nil || !bytes.Equal(a.Data, data[8*first:][:8*70000]) {
				t.Fatalf("%+v of period %d: elements from %d: %v", c.pipeline, c.period, first, err)
			}
		}
		var all []byte
		for a, err := range object.Blocks(DecodeOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, a.Data...)
		}
		if !bytes.Equal(all, data) {
			t.Errorf("%+v of period %d: blocks are not the array", c.pipeline, c.period)
		}
		damaged := bytes.Clone(file.Bytes())
		damaged[object.PayloadOffset()+object.PayloadLength()/2] ^= 4
		for _, err := range objectIn(t, damaged).Blocks(DecodeOptions{}) {
			if err == nil {
				t.Errorf("%+v of period %d: a flipped bit is no error", c.pipeline, c.period)
			}
			break
		}
	}
}

// objectIn is the first object of a file.
func objectIn(t *testing.T, file []byte) *Object {
	t.Helper()
	f, err := NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
