package importers

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/codec/packing"
	"github.com/tgmconv/tgmconv/tgm"
)

// packedIntegers are integers of a source.
type packedIntegers struct {
	fakeValues
	integers []uint32
	bits     int
}

func (w *packedIntegers) Packed(context.Context, *Scratch) (*tgm.Packed, error) {
	return &tgm.Packed{Params: packing.Params{Bits: w.bits, Reference: 1}, Samples: slices.Clone(w.integers)}, nil
}

// TestShortestIntegers: integers that would take more bytes than in their source are stored in the
// way that suits them, and others as ever.
func TestShortestIntegers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	smooth := make([]uint32, 20000)
	rough := make([]uint32, 20000) // loud for 8 of 64
	few := make([]uint32, 20000)   // of eight values, in long runs
	level, walk := uint32(7), uint32(0)
	for i := range smooth {
		smooth[i] = uint32(i/8) + random.Uint32N(2)
		if walk += random.Uint32N(9); i%64 < 8 {
			walk += random.Uint32N(1 << 10)
		}
		rough[i] = walk & 0xFFFF
		if random.Uint32N(40) == 0 {
			level = 100 * random.Uint32N(8)
		}
		few[i] = level
	}
	for _, c := range []struct {
		name        string
		integers    []uint32
		stored      int64
		compression string
		block       int64
	}{
		{"smooth, small enough", smooth, 1 << 20, "szip", 16},
		{"smooth, copied by to-grib", smooth, 0, "szip", 16},
		{"smooth", smooth, 1, "szip", 64},
		{"rough", rough, 1, "szip", 8},
		{"few", few, 1, "zstd", 0},
		{"few, small enough", few, 1 << 20, "szip", 16},
	} {
		f := &Field{DType: tgm.Float64, Shape: []int{len(c.integers)}, Values: &packedIntegers{integers: c.integers, bits: 16}, StoredBytes: func() int64 { return c.stored }}
		o, err := f.encode(t.Context(), new(Encoding), new(Scratch), t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		d := o.Descriptor()
		block, _ := d.Params["szip_block_size"].(int)
		if d.Compression != c.compression || int64(block) != c.block {
			t.Errorf("%s: %s with blocks of %v, expected %s with %d", c.name, d.Compression, d.Params["szip_block_size"], c.compression, c.block)
		}
		if got := integersOf(t, o); !slices.Equal(got, c.integers) {
			t.Errorf("%s: other integers come back", c.name)
		}
		o.Release()
	}
}

// TestLevelOfIntegers: a level that the user gives is used for zstd, and no other is tried.
func TestLevelOfIntegers(t *testing.T) {
	few := make([]uint32, 20000)
	for i := range few {
		few[i] = uint32(i / 100 * 7919 % 1000)
	}
	f := &Field{DType: tgm.Float64, Shape: []int{len(few)}, Values: &packedIntegers{integers: few, bits: 12}, StoredBytes: func() int64 { return 1 }}
	for _, level := range []int{1, 19} {
		o, err := f.encode(t.Context(), &Encoding{Level: level}, new(Scratch), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Descriptor().Params["zstd_level"]; got != level {
			t.Errorf("level %v, expected %d", got, level)
		}
		o.Release()
	}
}

// integersOf are the integers of an object, as a reader finds them.
func integersOf(t *testing.T, o *tgm.EncodedObject) []uint32 {
	t.Helper()
	var out bytes.Buffer
	w := tgm.NewMessageWriter(&out, tgm.WriterOptions{})
	if err := w.Append(o, map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	read, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	a, err := read.Decode(tgm.DecodeOptions{VerifyHash: true})
	if err != nil {
		t.Fatal(err)
	}
	values, err := tgm.Values[float64](a)
	if err != nil {
		t.Fatal(err)
	}
	integers := make([]uint32, len(values))
	for i, v := range values {
		integers[i] = uint32(v - 1) // the reference value
	}
	return integers
}
