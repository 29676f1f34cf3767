package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// slicePipelines find parts in different ways.
var slicePipelines = []Pipeline{
	{},
	{Filter: "shuffle"},
	{Compression: "szip", Szip: SzipParams{BlockSize: 8, RSI: 4, Flags: 8}},
	{Filter: "shuffle", Compression: "szip", Szip: SzipParams{BlockSize: 8, RSI: 4, Flags: 8}},
	{Encoding: "simple_packing", Bits: 13},
	{Encoding: "simple_packing", Bits: 16, Compression: "szip", Szip: SzipParams{BlockSize: 8, RSI: 4, Flags: 8}},
	{Encoding: "simple_packing", Bits: 24, Filter: "shuffle", Compression: "zstd"},
	{Compression: "zstd"},
	{Filter: "shuffle", Compression: "lz4"},
	{Compression: "blosc2"},
	{Compression: "zfp", Params: map[string]any{keyZFPMode: "fixed_rate", keyZFPRate: 40}},
	{Compression: "zfp", Params: map[string]any{keyZFPMode: "fixed_accuracy", keyZFPTolerance: 1e-3}},
	{Compression: "sz3", Params: map[string]any{keySZ3Mode: "abs", keySZ3Bound: 1e-3}},
	{Compression: "rle"},
	{Compression: "roaring"},
}

// TestSlices compares ranges and slices with the same elements of the whole array. It takes
// every pipeline and type, with and without masks.
func TestSlices(t *testing.T) {
	shape := []uint64{7, 5, 11, 13}
	const n = 7 * 5 * 11 * 13
	for d := Float16; d <= Bitmask; d++ {
		for i, p := range slicePipelines {
			data := sampleData(d, n)
			if _, isFloat := layoutOf(d); isFloat && i%2 == 0 {
				data, p.AllowNaN, p.AllowInf = withHoles(d, data), true, true
			}
			encoded, err := EncodeArray(Array{Shape: shape, DType: d, Data: data}, p)
			if err != nil {
				continue // the type does not go through the stages
			}
			t.Run(fmt.Sprintf("%s/%s-%s-%s-%d", d, p.Encoding, p.Filter, p.Compression, i), func(t *testing.T) {
				m, _ := message(t, WriterOptions{}, encoded)
				o, err := m.Object(0)
				if err != nil {
					t.Fatal(err)
				}
				checkSlices(t, o)
			})
		}
	}
}

func checkSlices(t *testing.T, o *Object) {
	t.Helper()
	for _, opts := range []DecodeOptions{{}, {ByteOrder: BigEndian, Dst: make([]byte, 100_000)}, {KeepZeros: true}} {
		whole, err := o.Decode(DecodeOptions{ByteOrder: opts.ByteOrder, KeepZeros: opts.KeepZeros})
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 12 {
			slices := make([]Slice, random.IntN(len(whole.Shape)+1))
			for i := range slices {
				length := whole.Shape[i]
				start := random.Uint64N(length + 1)
				slices[i] = []Slice{{}, {start, start + random.Uint64N(length-start+1), 1 + random.Uint64N(4)}, {start, length, 0}}[random.IntN(3)]
			}
			part, err := o.DecodeSlice(slices, opts)
			if err != nil {
				t.Fatalf("%v: %v", slices, err)
			}
			expectPart(t, fmt.Sprint(slices), part, whole, chosenBy(whole.Shape, slices))
		}
		n, _ := elements(whole.Shape)
		ranges := []Range{{n - 1, 1}, {0, 3}, {n / 2, n / 3}, {1, 70}, {n, 0}, {n / 2, n / 3}, {9, 1}, {0, n}}
		parts, err := o.DecodeRanges(ranges, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range ranges {
			var chosen []int
			for j := range r.Count {
				chosen = append(chosen, int(r.First+j))
			}
			expectPart(t, fmt.Sprint(r), parts[i], whole, chosen)
		}
	}
}

// chosenBy returns the elements that slices select, one after the other.
func chosenBy(shape []uint64, slices []Slice) []int {
	chosen := []int{0}
	for axis, length := range shape {
		s := Slice{0, length, 1}
		if axis < len(slices) && slices[axis] != (Slice{}) {
			s = slices[axis]
			s.Step = max(s.Step, 1)
		}
		var next []int
		for _, c := range chosen {
			for i := s.Start; i < s.Stop; i += s.Step {
				next = append(next, c*int(length)+int(i))
			}
		}
		chosen = next
	}
	return chosen
}

// expectPart expects a part to hold some elements of an array.
func expectPart(t *testing.T, what string, part, whole *Array, chosen []int) {
	t.Helper()
	if n, _ := elements(part.Shape); n != uint64(len(chosen)) {
		t.Fatalf("%s: shape %v of %d elements", what, part.Shape, len(chosen))
	}
	want := make([]byte, 0, len(part.Data))
	if whole.DType == Bitmask {
		want = make([]byte, (len(chosen)+7)/8)
		for i, c := range chosen {
			want[i/8] |= whole.Data[c/8] >> (7 - c%8) & 1 << (7 - i%8)
		}
	} else {
		size := whole.DType.Size()
		for _, c := range chosen {
			want = append(want, whole.Data[c*size:(c+1)*size]...)
		}
	}
	if !bytes.Equal(part.Data, want) {
		t.Fatalf("%s: other elements", what)
	}
	if (part.Missing == nil) != (whole.Missing == nil) {
		t.Fatalf("%s: mask %v of %v", what, part.Missing, whole.Missing)
	}
	for i, c := range chosen {
		if part.Missing.Get(i) != whole.Missing.Get(c) {
			t.Fatalf("%s: element %d has another mask", what, i)
		}
	}
}

// TestSliceReadsLittle counts the bytes that are read of one object in messages of few and of
// many.
func TestSliceReadsLittle(t *testing.T) {
	shape := []uint64{200, 1000}
	values := make([]float64, 200_000)
	for i := range values {
		values[i] = 280 + 20*math.Sin(float64(i)/1000)
	}
	szip := SzipParams{BlockSize: 8, RSI: 8, Flags: 8}
	for _, c := range []struct {
		name   string
		p      Pipeline
		slices []Slice
		most   int64 // bytes of the payload
	}{
		{"plain column", Pipeline{}, []Slice{{}, {500, 501, 1}}, 200 * 8},
		{"plain rows", Pipeline{}, []Slice{{10, 13, 1}}, 3 * 8000},
		{"plain steps", Pipeline{}, []Slice{{0, 200, 50}, {0, 1000, 250}}, 16 * 8},
		{"plain close steps", Pipeline{}, []Slice{{7, 8, 1}, {0, 1000, 2}}, 8000},
		{"packed column", Pipeline{Encoding: "simple_packing", Bits: 16}, []Slice{{}, {500, 501, 1}}, 200 * 16},
		{"szip column", Pipeline{Encoding: "simple_packing", Bits: 16, Compression: "szip", Szip: szip}, []Slice{{0, 200, 20}, {500, 501, 1}}, 10 * 200},
		{"zfp column", Pipeline{Compression: "zfp", Params: map[string]any{keyZFPMode: "fixed_rate", keyZFPRate: 16}}, []Slice{{}, {500, 501, 1}}, 200 * 24},
		{"shuffled row", Pipeline{Filter: "shuffle"}, []Slice{{10, 11, 1}}, 8000},
	} {
		var read [2]int64
		for i, objects := range []int{1, 300} {
			big, err := EncodeArray(ArrayOf(append([]float64(nil), values...), 200, 1000), c.p)
			if err != nil {
				t.Fatal(err)
			}
			list := []*EncodedObject{big}
			for range objects - 1 {
				list = append(list, mustEncode(t, Float64, sampleData(Float64, 10), Pipeline{}))
			}
			_, b := message(t, WriterOptions{}, list...)
			count := &counting{r: bytes.NewReader(b)}
			f, err := NewFile(count, int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Message(0)
			if err != nil {
				t.Fatal(err)
			}
			o, err := m.Stored(0)
			if err != nil {
				t.Fatal(err)
			}
			before := count.bytes
			part, err := o.DecodeSlice(c.slices, DecodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			read[i] = count.bytes - before
			whole, err := o.Decode(DecodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			expectPart(t, c.name, part, whole, chosenBy(shape, c.slices))
		}
		if read[0] != read[1] || read[0] > c.most {
			t.Errorf("%s: %d bytes read in a message of one object, %d in one of 300, expected at most %d", c.name, read[0], read[1], c.most)
		}
	}
}

// TestPartsDecodeOnce expects one reading and decoding for many calls, also at the same time,
// of pipelines without parts. It expects another when the budget needs the memory.
func TestPartsDecodeOnce(t *testing.T) {
	const n = 20_000
	o := mustEncode(t, Float64, sampleData(Float64, n), Pipeline{Filter: "shuffle", Compression: "zstd"})
	_, b := message(t, WriterOptions{}, o, o)
	count := &counting{r: bytes.NewReader(b)}
	budget := NewBudget(10 * 8 * n)
	f, err := NewFile(count, int64(len(b)), WithBudget(budget))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	object, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	payload := object.PayloadLength()
	reads := func(expected int64, do func() error) {
		t.Helper()
		before := count.bytes
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if got := count.bytes - before; got < expected || got > expected+1000 {
			t.Errorf("%d bytes read, expected %d", got, expected)
		}
	}
	single := func(o *Object) func() error {
		return func() error {
			_, err := o.DecodeRange(77, 3, DecodeOptions{})
			return err
		}
	}
	reads(payload, func() error {
		var all sync.WaitGroup
		failed := make(chan error, 8)
		for range cap(failed) {
			all.Go(func() { failed <- single(object)() })
		}
		all.Wait()
		close(failed)
		var err error
		for e := range failed {
			err = errors.Join(err, e)
		}
		return err
	})
	reads(0, single(object))
	second, err := m.Object(1)
	if err != nil {
		t.Fatal(err)
	}
	reads(payload, single(second))
	reads(0, single(object))
	third := budget.hold(10*8*n - 100) // all but nothing: the kept arrays must go
	third()
	reads(payload, single(second))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !budget.left.TryAcquire(budget.size) {
		t.Error("the budget is not whole after the file is closed")
	}
}

// TestSliceErrors expects slices beyond an axis, and too many of them, to be refused.
func TestSliceErrors(t *testing.T) {
	m, _ := message(t, WriterOptions{}, mustEncode(t, Uint8, sampleData(Uint8, 10), Pipeline{}))
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, slices := range [][]Slice{{{0, 11, 1}}, {{11, 11, 1}}, {{}, {}}, {{0, math.MaxUint64, 1}}} {
		var object *ObjectError
		if _, err := o.DecodeSlice(slices, DecodeOptions{}); !errors.As(err, &object) {
			t.Errorf("%v of 10: %v", slices, err)
		}
	}
	part, err := o.DecodeSlice([]Slice{{8, 2, 1}}, DecodeOptions{})
	if err != nil || len(part.Data) != 0 || part.Shape[0] != 0 {
		t.Errorf("an empty slice: %v, %v", part, err)
	}
}
