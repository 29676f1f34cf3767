package array_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
)

var ctx = context.Background()

// counted is an array of float64 numbers from first on.
func counted(first float64, shape ...uint64) array.Array {
	var data []byte
	for i := range (array.Region{Count: shape}).Elements() {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(first+float64(i)))
	}
	return array.Memory(shape, array.Float64, data)
}

func region(start, count []uint64) array.Region { return array.Region{Start: start, Count: count} }

func must(a array.Array, err error) array.Array {
	if err != nil {
		panic(err)
	}
	return a
}

// TestRegions reads all of each array and then a hundred of its regions. Their elements must
// follow from their positions.
func TestRegions(t *testing.T) {
	odd := func(v float64) (float64, bool) { return v/2 - 1, int(v)%2 == 1 }
	a, b := counted(0, 2, 3, 4), counted(24, 2, 1, 4)
	for _, c := range []struct {
		name  string
		array array.Array
		shape []uint64
		want  func(i []uint64) float64
	}{
		{"Memory", a, []uint64{2, 3, 4}, func(i []uint64) float64 { return float64(i[0]*12 + i[1]*4 + i[2]) }},
		{"Const", array.Const([]uint64{5, 2}, array.Int16, []byte{1, 1}), []uint64{5, 2}, func([]uint64) float64 { return 257 }},
		{"scalar", counted(7), []uint64{}, func([]uint64) float64 { return 7 }},
		{"Join first", must(array.Join(0, counted(0, 2, 3), counted(6, 1, 3), counted(9, 4, 3))), []uint64{7, 3}, func(i []uint64) float64 { return float64(i[0]*3 + i[1]) }},
		{"Join inner", must(array.Join(1, a, b)), []uint64{2, 4, 4}, func(i []uint64) float64 {
			if i[1] < 3 {
				return float64(i[0]*12 + i[1]*4 + i[2])
			}
			return float64(24 + i[0]*4 + i[2])
		}},
		{"Join of an empty part", must(array.Join(0, counted(0, 2), counted(0, 0), counted(2, 1))), []uint64{3}, func(i []uint64) float64 { return float64(i[0]) }},
		{"Cut", array.Cut(a, region([]uint64{1, 0, 1}, []uint64{1, 2, 3})), []uint64{1, 2, 3}, func(i []uint64) float64 { return float64(12 + i[1]*4 + i[2] + 1) }},
		{"Cut of Join", array.Cut(must(array.Join(1, a, b)), region([]uint64{0, 2, 0}, []uint64{2, 2, 4})), []uint64{2, 2, 4}, func(i []uint64) float64 {
			return float64([]uint64{8 + i[0]*12, 24 + i[0]*4}[i[1]] + i[2])
		}},
		{"Pad", array.Pad(counted(0, 2, 2), []uint64{3, 4}, make([]byte, 8)), []uint64{3, 4}, func(i []uint64) float64 {
			if i[0] < 2 && i[1] < 2 {
				return float64(i[0]*2 + i[1])
			}
			return 0
		}},
		{"Reshape", must(array.Reshape(counted(0, 1, 2, 1, 3), []uint64{2, 1, 3, 1})), []uint64{2, 1, 3, 1}, func(i []uint64) float64 { return float64(i[0]*3 + i[2]) }},
		{"Unpack", must(array.Unpack(counted(0, 4), array.Float32, odd)), []uint64{4}, func(i []uint64) float64 {
			if i[0]%2 == 0 {
				return math.NaN()
			}
			return float64(i[0])/2 - 1
		}},
		{"Cached", array.Cached(counted(0, 5, 7), []uint64{2, 3}, array.Last(2)), []uint64{5, 7}, func(i []uint64) float64 { return float64(i[0]*7 + i[1]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.array.Info().Shape; !slices.Equal(got, c.shape) {
				t.Fatalf("shape %v, expected %v", got, c.shape)
			}
			random := rand.New(rand.NewPCG(1, 2))
			for n := range 101 {
				r := c.array.Info().Whole()
				if n > 0 {
					r = region(make([]uint64, len(c.shape)), make([]uint64, len(c.shape)))
					for i, length := range c.shape {
						r.Start[i] = random.Uint64N(length + 1)
						r.Count[i] = random.Uint64N(length - r.Start[i] + 1)
					}
				}
				check(t, c.array, r, c.want)
			}
		})
	}
}

// check compares a region, element by element.
func check(t *testing.T, a array.Array, r array.Region, want func([]uint64) float64) {
	t.Helper()
	data, err := array.Read(ctx, a, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	number, size := a.Info().DType.Number(), a.Info().DType.Size()
	if len(data) != int(r.Elements())*size {
		t.Fatalf("%v: %d bytes", r, len(data))
	}
	for k := range r.Elements() {
		at, rest := slices.Clone(r.Start), k
		for i := len(at) - 1; i >= 0; i-- {
			at[i] += rest % r.Count[i]
			rest /= r.Count[i]
		}
		if got, want := number(data[int(k)*size:]), want(at); got != want && !(got != got && want != want) {
			t.Fatalf("%v: %v at %v, expected %v", r, got, at, want)
		}
	}
}

// inBlocks has blocks of 2 by 3.
type inBlocks struct{ array.Array }

func (a inBlocks) Info() *array.Info {
	info := *a.Array.Info()
	info.Block = []uint64{2, 3}
	return &info
}

func TestBoxes(t *testing.T) {
	for _, c := range []struct {
		array array.Array
		size  uint64
		want  []uint64
	}{
		{counted(0, 4, 10), 160, []uint64{2, 10}},
		{counted(0, 2, 10), 32, []uint64{1, 4}},
		{inBlocks{counted(0, 5, 7)}, 1, []uint64{2, 3}},
		{inBlocks{counted(0, 5, 7)}, 120, []uint64{2, 6}},
		{counted(0), 1, []uint64{}},
	} {
		info := c.array.Info()
		box := info.Box(c.size)
		if !slices.Equal(box, c.want) {
			t.Errorf("%v in %d bytes: %v, expected %v", info.Shape, c.size, box, c.want)
		}
		elements := uint64(0)
		for r := range array.Regions(info.Shape, box) {
			elements += r.Elements()
		}
		if want := info.Whole().Elements(); elements != want {
			t.Errorf("regions of %v have %d elements, expected %d", box, elements, want)
		}
	}
}

// packed is an array of values that are packed as integers.
type packed struct {
	array.Array
	packing array.Packing
}

func (a packed) Packing(context.Context, array.Region) (*array.Packing, error) {
	return &a.packing, nil
}

// TestPacking checks that arrays made of a source keep its packing, or give none.
func TestPacking(t *testing.T) {
	same := array.Packing{Reference: 1, Bits: 8}
	a, b := packed{counted(0, 4), same}, packed{counted(4, 3), same}
	cut := array.Cut(must(array.Join(0, a, b)), region([]uint64{2}, []uint64{4}))
	for _, c := range []array.Array{cut, must(array.Reshape(cut, []uint64{1, 4}))} {
		if p, err := c.Packing(ctx, c.Info().Whole()); err != nil || p == nil || *p != same {
			t.Error(p, err)
		}
	}
	b.packing.Bits = 9
	joined := must(array.Join(0, a, b))
	for start, want := range map[uint64]array.Packing{0: a.packing, 4: b.packing} {
		if p, err := joined.Packing(ctx, region([]uint64{start}, []uint64{3})); err != nil || p == nil || *p != want {
			t.Errorf("from %d: %v, %v, expected %v", start, p, err, want)
		}
	}
	for _, c := range []array.Array{must(array.Join(0, a, b)), must(array.Join(0, a, counted(0, 1))), array.Pad(a, []uint64{5}, make([]byte, 8))} {
		if p, err := c.Packing(ctx, c.Info().Whole()); p != nil || err != nil {
			t.Errorf("%v, %v of integers that are packed in two ways, or not all", p, err)
		}
	}
}

// counting counts how often an array is read.
type counting struct {
	array.Array
	reads int
}

func (a *counting) Read(ctx context.Context, r array.Region, dst []byte) error {
	a.reads++
	return a.Array.Read(ctx, r, dst)
}

// TestCached reads rows of blocks of two rows. Each block is read once, and a region of whole blocks
// at once.
func TestCached(t *testing.T) {
	c := &counting{Array: inBlocks{counted(0, 8, 3)}}
	a := array.Cached(c, c.Info().Block, array.Last(2))
	for row := range uint64(8) {
		check(t, a, region([]uint64{row, 0}, []uint64{1, 3}), func(i []uint64) float64 { return float64(i[0]*3 + i[1]) })
	}
	if c.reads != 4 {
		t.Errorf("%d reads of 4 blocks", c.reads)
	}
	check(t, a, a.Info().Whole(), func(i []uint64) float64 { return float64(i[0]*3 + i[1]) })
	check(t, a, region([]uint64{7, 0}, []uint64{1, 3}), func(i []uint64) float64 { return float64(i[0]*3 + i[1]) })
	check(t, a, region([]uint64{0, 0}, []uint64{1, 3}), func(i []uint64) float64 { return float64(i[0]*3 + i[1]) })
	if c.reads != 6 {
		t.Errorf("%d reads, expected one of all blocks and one of a block that was not kept", c.reads-4)
	}
}

func TestErrors(t *testing.T) {
	if _, err := array.Read(ctx, counted(0, 3), region([]uint64{2}, []uint64{2}), nil); err == nil {
		t.Error("read beyond the edge")
	}
	if _, err := array.Join(0, counted(0, 3), counted(0, 3, 1)); err == nil {
		t.Error("joined arrays of different shapes")
	}
	failing := array.Computed([]uint64{3}, array.Float64, func(_, _ []uint64) ([]byte, error) { return nil, errors.New("it is broken") })
	for _, a := range []array.Array{
		failing, must(array.Join(0, counted(0, 3), failing)), array.Cut(failing, region([]uint64{1}, []uint64{1})),
		must(array.Reshape(failing, []uint64{3, 1})), array.Pad(failing, []uint64{4}, make([]byte, 8)),
		must(array.Unpack(failing, array.Float64, func(v float64) (float64, bool) { return v, true })),
	} {
		if _, err := array.Read(ctx, a, a.Info().Whole(), nil); err == nil || err.Error() != "it is broken" {
			t.Errorf("%T: %v", a, err)
		}
	}
	if _, err := array.Reshape(counted(0, 2, 3), []uint64{3, 2}); err == nil {
		t.Error("reshaped to another order")
	}
	if _, err := array.Read(ctx, array.Memory([]uint64{2}, array.Uint8, []byte{1}), region([]uint64{0}, []uint64{2}), nil); err == nil {
		t.Error("read two elements of one byte")
	}
}
